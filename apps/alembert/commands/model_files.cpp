// SPDX-License-Identifier: Apache-2.0
#include "model_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "alembert/base/error.hpp"

namespace alembert::commands {

using modelica::ClassLibrary;
using modelica::ClassNode;

namespace {

void require(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw Error("U003", "there is no file or folder '" + path + "'.");
}

}  // namespace

void add_file_options(CLI::App& parser, ModelFiles& options) {
  parser.add_option("FILE", options.files, "Modelica files, or folders with a package.mo")
      ->required();
  parser.add_option("--library", options.libraries,
                    "a folder of packages, or a package; repeatable. Those in the variable "
                    "MODELICAPATH are known too");
}

std::vector<ClassNode*> load_models(ClassLibrary& library, const ModelFiles& options) {
  for (const std::string& folder : options.libraries) {
    require(folder);
    library.add_root(folder);
  }
  if (const char* path = std::getenv("MODELICAPATH")) library.add_roots(path);
  for (const std::string& file : options.files) require(file);
  std::vector<ClassNode*> declared;
  std::vector<Diagnostic> mistakes;
  for (const std::string& file : options.files) try {
      for (ClassNode* node : library.load(file)) declared.push_back(node);
    } catch (const Error& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  if (!mistakes.empty()) throw Error(std::move(mistakes));
  return declared;
}

}  // namespace alembert::commands
