// SPDX-License-Identifier: Apache-2.0
#include "model_options.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/own_library.hpp"
#include "terminal.hpp"

namespace alembert::commands {

using modelica::ClassLibrary;
using modelica::ClassNode;

namespace {

void require(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw Error("U005", "there is no file or folder '" + path + "'.");
}

/// A model, not a result.
void require_model(const std::string& path) {
  require(path);
  for (const char* ending : {".csv", ".mat", ".h5"})
    if (path.ends_with(ending))
      throw Error(
          "U009",
          "'" + path + "' is a result, and a model is wanted. To draw it: alembert plot " + path);
}

/// Blanks around '=' make words of their own of the value, which would be taken for files.
void require_settings(const ModelOptions& options) {
  for (const std::string& setting : options.overrides) {
    const std::size_t equals = setting.find('=');
    if (equals != std::string::npos && (equals == 0 || equals + 1 < setting.size())) continue;
    throw Error("U003", "--set takes NAME=VALUE without blanks, as in --set " +
                            setting.substr(0, equals) + "=3, and '" + setting + "' has no " +
                            (equals == std::string::npos ? "'='" : "value") + ".");
  }
}

void require_file_or_model(const ModelOptions& options) {
  if (options.files.empty() && options.model.empty())
    throw Error("U006",
                "there is nothing to read: name a file, or with --model a model of a library.");
}

}  // namespace

void add_model_options(CLI::App& command, ModelOptions& options) {
  command.add_option(
      "FILE", options.files,
      "Modelica files and folders of packages; may be left out if --model names a model of a "
      "library, such as Alembert.Hydraulic.Examples.ServoActuator");
  command.add_option("--model", options.model,
                     "full name of the model (default: the last one in the last file)");
  command
      .add_option("--library", options.libraries,
                  "folder that holds libraries, searched before those of MODELICAPATH; repeatable")
      ->allow_extra_args(false)
      ->type_name("DIR");
  command
      .add_option("--set,-s", options.overrides,
                  "set a parameter or the start value of a variable: R1.R=47, n=3, a[2]=1, "
                  "cell[3].C=4, r={0,1,0}, \"medium=Data(3)\"; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

modelica::ModelSource ModelOptions::source() const {
  modelica::ModelSource result;
  result.files.assign(files.begin(), files.end());
  result.library_roots.assign(libraries.begin(), libraries.end());
  if (const char* path = std::getenv("MODELICAPATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');)
      if (!folder.empty()) result.library_roots.emplace_back(folder);
  }
  result.model = model;
  require_settings(*this);
  result.overrides = overrides;
  return result;
}

std::vector<ClassNode*> load_classes(ClassLibrary& library, const ModelOptions& options) {
  for (const std::string& folder : options.libraries) {
    require(folder);
    library.add_root(folder);
  }
  if (const char* path = std::getenv("MODELICAPATH")) library.add_roots(path);
  modelica::add_own_library(library);
  require_settings(options);
  require_file_or_model(options);
  for (const std::string& file : options.files) require_model(file);
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

void say_warnings(std::span<const Diagnostic> warnings) {
  for (const Diagnostic& warning : warnings) {
    std::string text = to_string(warning);
    const std::size_t at = text.find("error[");
    if (at != std::string::npos) text.replace(at, 5, "warning");
    say(text);
  }
}

flat::FlatSystem read_model(const ModelOptions& options, bool quiet, UnitsByName* display_units) {
  require_settings(options);
  require_file_or_model(options);
  for (const std::string& file : options.files) require_model(file);
  for (const std::string& folder : options.libraries) require(folder);
  modelica::FlattenedModel flattened = modelica::flatten(options.source());
  if (!quiet) say_warnings(flattened.warnings);
  if (display_units != nullptr) *display_units = std::move(flattened.display_units);
  return std::move(flattened.system);
}

}  // namespace alembert::commands
