// SPDX-License-Identifier: Apache-2.0
#include "library_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "alembert/frontend/modelica/own_library.hpp"

namespace alembert::library_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".mo" && entry.path().stem() != "package")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> packages() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(modelica::own_library_folder() / "Alembert"))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

SourceComponent component(const std::string& name, const std::string& description,
                          const std::string& body) {
  // parameter TYPE NAME[sizes](modifiers) = VALUE "DESCRIPTION";
  static const std::regex parameter(
      "\n *parameter ([\\w.]+) (\\w+)([^;\"]*)(?:\"([^\"]*)\")?[^;\"]*;");
  SourceComponent result{name, description, {}};
  const std::string open = body.substr(0, body.find("\nprotected"));
  for (const std::smatch& found : matches(open, parameter))
    result.parameters.push_back({found[1], found[2], found[4]});
  return result;
}

}  // namespace

std::vector<SourceComponent> components() {
  static const std::regex head("\n *(?:model|block) (\\w+)(?: \"([^\"]*)\")?\n");
  static const std::set<std::string> no_components = {"Interfaces", "Internal", "Functions"};
  std::vector<SourceComponent> result;
  for (const fs::path& package : packages())
    for (const fs::path& file : files_of(package)) {
      if (no_components.contains(file.stem())) continue;
      const std::string text = text_of(file);
      const bool nested = text.find("\npackage ") != std::string::npos;
      for (const std::smatch& found : matches(text, head)) {
        std::string name = package.filename().string() + ".";
        if (nested) name += file.stem().string() + ".";
        const std::string class_name = found[1];
        const auto begin = static_cast<std::size_t>(found.position(0) + found.length(0)) - 1;
        const auto end = text.find("end " + class_name + ";", begin);
        result.push_back(component(name + class_name, found[2], text.substr(begin, end - begin)));
      }
    }
  return result;
}

std::vector<SourceExample> examples() {
  static const std::regex plot("plot = \\{([^}]*)\\}");
  static const std::regex name("[\\w.\\[\\]]+");
  std::vector<SourceExample> result;
  for (const fs::path& package : packages())
    for (const fs::path& file : files_of(package / "Examples")) {
      SourceExample example{
          package.filename().string() + ".Examples." + file.stem().string(), text_of(file), {}};
      std::smatch found;
      if (std::regex_search(example.text, found, plot)) {
        const std::string names = found[1];
        for (const std::smatch& one : matches(names, name)) example.plot.push_back(one[0]);
      }
      result.push_back(std::move(example));
    }
  return result;
}

std::vector<std::string> assertion_messages() {
  static const std::regex assertion("\n *assert\\([^;]*, \"([^\"]*)\"\\);");
  std::vector<std::string> result;
  for (const fs::path& package : packages())
    for (const fs::path& file : files_of(package)) {
      const std::string text = text_of(file);
      for (const std::smatch& found : matches(text, assertion)) result.push_back(found[1]);
    }
  return result;
}

}  // namespace alembert::library_test
