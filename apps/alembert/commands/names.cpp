// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "alembert/result/trajectory.hpp"

namespace alembert::commands {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    if (quoted) {
      names.back() += c;
      continue;
    }
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

std::string last_name(const std::string& full_name) {
  const auto dot = full_name.rfind('.');
  return dot == std::string::npos ? full_name : full_name.substr(dot + 1);
}

namespace {

/// The pattern for fnmatch: * and ? stand for what they stand for, all else for itself. Brackets
/// are those of arrays, no set of letters.
std::string as_fnmatch(const std::string& pattern) {
  std::string escaped;
  for (const char c : pattern) {
    if (c == '[' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::vector<std::size_t> matching_columns(const std::vector<std::string>& names,
                                          const std::string& patterns) {
  std::vector<std::size_t> columns;
  if (patterns.empty()) {
    for (std::size_t c = 0; c < names.size(); ++c) columns.push_back(c);
    return columns;
  }
  for (const std::string& pattern : split_names(patterns)) {
    const std::string wanted = as_fnmatch(pattern);
    bool matches = false;
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (names[c] != pattern && ::fnmatch(wanted.c_str(), names[c].c_str(), 0) != 0) continue;
      matches = true;
      columns.push_back(c);
    }
    if (!matches) result::Trajectory(names).column(pattern);  // tells of the nearest names
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<std::string> matching_names(const std::vector<std::string>& names,
                                        const std::string& patterns) {
  std::vector<std::string> chosen;
  for (const std::size_t c : matching_columns(names, patterns)) chosen.push_back(names[c]);
  return chosen;
}

}  // namespace alembert::commands
