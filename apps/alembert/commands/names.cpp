// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

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

}  // namespace alembert::commands
