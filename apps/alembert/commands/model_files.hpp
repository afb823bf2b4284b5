// SPDX-License-Identifier: Apache-2.0
// What every command that takes models has in common: FILE..., --library, --model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::commands {

struct ModelFiles {
  std::vector<std::string> files;
  std::vector<std::string> libraries;
  std::string model;
};

/// FILE... and --library; the second also --model.
void add_file_options(CLI::App& parser, ModelFiles& options);
void add_model_options(CLI::App& parser, ModelFiles& options);

/// Makes the libraries known (those of --library, then of MODELICAPATH) and reads the files.
/// Returns the classes that the files declare, in their order. Error U003 for a file or folder that
/// is not there; the mistakes of all files together otherwise.
std::vector<modelica::ClassNode*> load_models(modelica::ClassLibrary& library,
                                              const ModelFiles& options);

/// The class that --model names; without it the only, or the last, model of the files. Error U004.
modelica::ClassNode& choose_model(modelica::ClassLibrary& library, const ModelFiles& options,
                                  const std::vector<modelica::ClassNode*>& declared);

}  // namespace alembert::commands
