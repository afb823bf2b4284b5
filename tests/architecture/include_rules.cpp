// SPDX-License-Identifier: Apache-2.0
#include "architecture/include_rules.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace alembert::architecture {
namespace {

namespace fs = std::filesystem;

const std::string tree_prefix = "alembert/";

std::vector<std::string> read_lines(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> result;
  for (std::string word; in >> word;) result.insert(word);
  return result;
}

// The files below <root>/<top> with one of the endings, in a fixed order.
std::vector<fs::path> files_below(const fs::path& root, const std::string& top,
                                  const std::set<std::string>& endings) {
  std::vector<fs::path> files;
  if (!fs::exists(root / top)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
    if (!entry.is_regular_file()) continue;
    const fs::path& path = entry.path();
    if (endings.contains(path.extension().string()) || path.filename() == "CMakeLists.txt") {
      files.push_back(path);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The text between the quotes or brackets of an #include line.
std::optional<std::string> included_file(const std::string& line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#') return std::nullopt;
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 7, "include") != 0) return std::nullopt;
  const std::size_t open = line.find_first_of("<\"", at + 7);
  if (open == std::string::npos) return std::nullopt;
  const std::size_t close = line.find_first_of(">\"", open + 1);
  return line.substr(open + 1, close - open - 1);
}

bool is_inside(const std::string& folder, const std::string& parent) {
  return folder == parent || folder.starts_with(parent + "/");
}

struct Source {
  bool is_application = false;
  bool is_umbrella = false;  // directly in src/alembert: gathers stages for users
  std::string stage;
};

// What is wrong with a source of the given place including `header`; empty when it is allowed.
std::string objection(const IncludeRules& rules, const Source& source, const std::string& header) {
  for (const auto& [prefix, homes] : rules.outside_prefix_to_homes) {
    if (header.starts_with(prefix) && !homes.contains(source.stage)) {
      return "only " + *homes.begin() + " may include it";
    }
  }
  if (source.is_application || source.is_umbrella) return "";
  if (!header.starts_with(tree_prefix)) {
    const bool relative =
        header.find(".hpp") != std::string::npos && header.find('/') == std::string::npos;
    return relative || header.starts_with(".") ? "write the path from src/: \"alembert/...\"" : "";
  }
  const std::string folder = fs::path(header.substr(tree_prefix.size())).parent_path().string();
  if (folder.empty()) return "a stage may not include the header that gathers all stages";
  const std::string target = stage_of(rules, folder);
  if (target.empty()) return "folder '" + folder + "' is not in the table";
  if (is_inside(source.stage, target)) return "";  // its own, or a folder above it
  if (rules.stage_to_allowed.at(source.stage).contains(target)) return "";
  return "edge " + source.stage + " -> " + target + " is not in the table";
}

}  // namespace

IncludeRules parse_rules(std::string_view text) {
  IncludeRules rules;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) throw std::runtime_error("not a rule: " + line);
    std::string left = line.substr(0, colon);
    const std::set<std::string> right = words(line.substr(colon + 1));
    if (left.starts_with('<')) {
      const std::size_t end = left.find(" only in");
      if (end == std::string::npos || right.empty())
        throw std::runtime_error("not a rule: " + line);
      rules.outside_prefix_to_homes[left.substr(1, end - 1)] = right;
    } else {
      rules.stage_to_allowed[left] = right;
    }
  }
  for (const auto* table : {&rules.stage_to_allowed, &rules.outside_prefix_to_homes}) {
    for (const auto& [left, stages] : *table) {
      for (const std::string& stage : stages) {
        if (!rules.stage_to_allowed.contains(stage)) {
          throw std::runtime_error("no stage '" + stage + "', named by the rule of '" + left + "'");
        }
      }
    }
  }
  return rules;
}

std::string stage_of(const IncludeRules& rules, std::string folder) {
  while (!folder.empty() && !rules.stage_to_allowed.contains(folder)) {
    folder = fs::path(folder).parent_path().string();
  }
  return folder;
}

std::vector<std::string> include_violations(const IncludeRules& rules, const fs::path& root) {
  std::vector<std::string> violations;
  for (const std::string top : {"src", "apps"}) {
    for (const fs::path& file : files_below(root, top, {".hpp", ".cpp", ".h", ".inc"})) {
      if (file.filename() == "CMakeLists.txt") continue;
      const std::string name = fs::relative(file, root).generic_string();
      Source source;
      source.is_application = top == "apps";
      if (!source.is_application) {
        const fs::path inside = fs::relative(file, root / "src" / "alembert");
        source.is_umbrella = !inside.has_parent_path();
        source.stage = stage_of(rules, inside.parent_path().generic_string());
        if (!source.is_umbrella && source.stage.empty()) {
          violations.push_back(name + ": its folder is not in the table");
          continue;
        }
      }
      const std::vector<std::string> lines = read_lines(file);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto header = included_file(lines[i]);
        if (!header) continue;
        const std::string what = objection(rules, source, *header);
        if (!what.empty()) {
          violations.push_back(name + ":" + std::to_string(i + 1) + ": includes " + *header + ": " +
                               what);
        }
      }
    }
  }
  return violations;
}

std::vector<std::string> header_violations(const fs::path& root) {
  std::vector<std::string> violations;
  const std::string licence = "SPDX-License-Identifier: Apache-2.0";
  for (const std::string top : {"src", "apps", "cmake", "tools", "tests", "benchmarks", "examples",
                                "python", "viewer/src"}) {
    for (const fs::path& file : files_below(
             root, top, {".hpp", ".cpp", ".h", ".inc", ".cmake", ".sh", ".awk", ".py", ".ts"})) {
      const std::string name = fs::relative(file, root).generic_string();
      const std::vector<std::string> lines = read_lines(file);
      const auto opening = lines.begin() + std::min<std::ptrdiff_t>(3, std::ssize(lines));
      if (std::none_of(lines.begin(), opening, [&](const std::string& line) {
            return line.find(licence) != std::string::npos;
          })) {
        violations.push_back(name + ": no line '" + licence + "' at the top");
      }
      if (file.extension() == ".hpp" &&
          std::find(lines.begin(), lines.end(), "#pragma once") == lines.end()) {
        violations.push_back(name + ": no '#pragma once'");
      }
    }
  }
  return violations;
}

}  // namespace alembert::architecture
