// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Files and the system as far as models need them before a run:
// names are resolved, files are read; lines are printed, and nothing else is written, run or
// changed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "alembert/base/printed.hpp"
#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::modelica {

namespace fs = std::filesystem;

/// `modelica://Modelica/Resources/Data/x.mat` and `modelica://Modelica.Blocks/...`: relative to the
/// folder of the class.
std::string resolved_file_name(const ExternalCall& call, const std::string& name) {
  constexpr std::string_view scheme = "modelica://";
  if (name.rfind(scheme, 0) != 0) return fs::absolute(name).lexically_normal().string();
  const std::string rest = name.substr(scheme.size());
  const std::size_t slash = rest.find('/');
  const std::string class_name = rest.substr(0, slash);
  ClassNode* node = call.library.find(class_name);
  if (node == nullptr)
    fail(call.place, "M212",
         "'" + name + "' names a package '" + class_name + "' that is not loaded.");
  const fs::path folder = node->folder();
  return (slash == std::string::npos ? folder : folder / rest.substr(slash + 1))
      .lexically_normal()
      .string();
}

namespace {

/// Strings of the dims of argument k.
Value texts_like(const ExternalCall& call, std::size_t k, std::vector<std::string> texts) {
  Value value = call.argument(k);
  if (value.count() != texts.size())
    fail(call.place, "M203",
         "there are " + std::to_string(texts.size()) + " texts for " +
             std::to_string(value.count()) + " elements.");
  value.kind = ValueKind::string;
  value.texts.clear();
  for (std::string& text : texts) value.texts.push_back({std::move(text)});
  return value;
}

void full_path_name(ExternalCall& call) {
  call.result = string_value(resolved_file_name(call, call.text(0)));
}

/// The enumeration FileType: NoFile, RegularFile, Directory, SpecialFile.
void file_type(ExternalCall& call) {
  std::error_code error;
  const auto status = fs::status(resolved_file_name(call, call.text(0)), error);
  const int type = !fs::exists(status)           ? 1
                   : fs::is_regular_file(status) ? 2
                   : fs::is_directory(status)    ? 3
                                                 : 4;
  call.result = call.integer_value(type);
}

void count_lines(ExternalCall& call) {
  std::ifstream file(resolved_file_name(call, call.text(0)));
  if (!file) fail(call.place, "M212", "the file '" + call.text(0) + "' cannot be read.");
  std::int64_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  call.result = call.integer_value(count);
}

/// All lines, for an argument that has as many elements.
void read_file(ExternalCall& call) {
  std::ifstream file(resolved_file_name(call, call.text(0)));
  if (!file) fail(call.place, "M212", "the file '" + call.text(0) + "' cannot be read.");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  call.outputs[1] = texts_like(call, 1, std::move(lines));
}

/// Names in a folder, in order, so that a model does not depend on how they are stored.
std::vector<std::string> names_in_folder(const ExternalCall& call) {
  std::error_code error;
  const fs::directory_iterator folder(resolved_file_name(call, call.text(0)), error);
  if (error) fail(call.place, "M212", "the folder '" + call.text(0) + "' cannot be read.");
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : folder) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void count_files(ExternalCall& call) {
  call.result = call.integer_value(static_cast<std::int64_t>(names_in_folder(call).size()));
}

void read_folder(ExternalCall& call) {
  call.outputs[2] = texts_like(call, 2, names_in_folder(call));
}

void read_line(ExternalCall& call) {
  std::ifstream file(resolved_file_name(call, call.text(0)));
  if (!file) fail(call.place, "M212", "the file '" + call.text(0) + "' cannot be read.");
  std::string line;
  bool found = true;
  for (std::int64_t k = 0; k < call.integer(1) && found; ++k)
    found = static_cast<bool>(std::getline(file, line));
  call.result = string_value(found ? line : "");
  call.outputs[2] = call.truth(!found);
}

void current_folder(ExternalCall& call) { call.result = string_value(fs::current_path().string()); }

void environment(ExternalCall& call) {
  const char* value = std::getenv(call.text(0).c_str());
  call.outputs[2] = string_value(value != nullptr ? value : "");
  call.outputs[3] = call.truth(value != nullptr);
}

/// To the terminal, or behind what the file has.
void print(ExternalCall& call) {
  const std::string& file = call.text(1);
  print_line(call.text(0), file.empty() ? file : resolved_file_name(call, file));
}

/// Files are closed whenever nothing is being written.
void close_file(ExternalCall&) {}

void error(ExternalCall& call) { fail(call.place, "M211", call.text(0)); }

}  // namespace

ExternalFunction find_system_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"ModelicaInternal_fullPathName", full_path_name},
      {"ModelicaInternal_stat", file_type},
      {"ModelicaInternal_countLines", count_lines},
      {"ModelicaInternal_readFile", read_file},
      {"ModelicaInternal_getNumberOfFiles", count_files},
      {"ModelicaInternal_readDirectory", read_folder},
      {"ModelicaInternal_readLine", read_line},
      {"ModelicaInternal_getcwd", current_folder},
      {"ModelicaInternal_getenv", environment},
      {"ModelicaInternal_print", print},
      {"ModelicaStreams_closeFile", close_file},
      {"ModelicaError", error},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
