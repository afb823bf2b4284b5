// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <fnmatch.h>

#include "alembert/result/trajectory.hpp"

namespace alembert::commands {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

std::vector<std::string> matching_names(const std::vector<std::string>& names,
                                        const std::string& patterns) {
  if (patterns.empty()) return names;
  std::vector<char> chosen(names.size(), 0);
  for (const std::string& pattern : split_names(patterns)) {
    bool matches = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      // A name may hold brackets, which a pattern would read as a set of letters.
      if (names[i] != pattern && ::fnmatch(pattern.c_str(), names[i].c_str(), FNM_NOESCAPE) != 0)
        continue;
      matches = true;
      chosen[i] = 1;
    }
    if (!matches) result::Trajectory(names).column(pattern);  // tells of the nearest names
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (chosen[i]) result.push_back(names[i]);
  return result;
}

}  // namespace alembert::commands
