// SPDX-License-Identifier: Apache-2.0
// What all commands that read a model have in common: files, --model, --library, --set.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"
#include "display_units.hpp"

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

/// For commands that look at every class rather than at one model: makes the libraries known and
/// reads the files. Returns the classes that they declare, in their order. Error U005 for a file or
/// folder that is not there; the mistakes of all files together otherwise.
std::vector<modelica::ClassNode*> load_classes(modelica::ClassLibrary& library,
                                               const ModelOptions& options);

/// On standard error, as errors are but for the word.
void say_warnings(std::span<const Diagnostic> warnings);

/// The flat system; warnings go to standard error unless `quiet`. `display_units` gets what the
/// model wants its quantities to be shown in.
flat::FlatSystem read_model(const ModelOptions& options, bool quiet = false,
                            UnitsByName* display_units = nullptr);

}  // namespace alembert::commands
