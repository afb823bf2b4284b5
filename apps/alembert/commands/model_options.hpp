// SPDX-License-Identifier: Apache-2.0
// What all commands that read a model have in common: files, --model, --library, --set.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/modelica.hpp"

namespace alembert::commands {

struct ModelOptions {
  std::vector<std::string> files;
  std::string model;
  std::vector<std::string> libraries;
  std::vector<std::string> overrides;

  /// With the folders of MODELICAPATH after those of --library. Error U003 for a --set without '='.
  modelica::ModelSource source() const;
};

void add_model_options(CLI::App& command, ModelOptions& options);

/// The flat system; warnings go to standard error unless `quiet`.
flat::FlatSystem read_model(const ModelOptions& options, bool quiet = false);

}  // namespace alembert::commands
