// SPDX-License-Identifier: Apache-2.0
// Files as a class library, for commands that look at every class rather than at one model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::commands {

struct ModelFiles {
  std::vector<std::string> files;
  std::vector<std::string> libraries;
};

/// FILE... and --library.
void add_file_options(CLI::App& parser, ModelFiles& options);

/// Makes the libraries known (those of --library, then of MODELICAPATH) and reads the files.
/// Returns the classes that the files declare, in their order. Error U003 for a file or folder that
/// is not there; the mistakes of all files together otherwise.
std::vector<modelica::ClassNode*> load_models(modelica::ClassLibrary& library,
                                              const ModelFiles& options);

}  // namespace alembert::commands
