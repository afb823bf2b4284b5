// SPDX-License-Identifier: Apache-2.0
// Reads the table of allowed edges (edges.txt) and checks the sources of a checkout against it.
// In: a table as text, the root folder of a checkout. Out: one sentence for each violation.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace alembert::architecture {

struct IncludeRules {
  std::map<std::string, std::set<std::string>> stage_to_allowed;  // "symbolic" -> {"base"}
  std::map<std::string, std::set<std::string>>
      outside_prefix_to_homes;  // "asmjit/" -> {"compile/native"}
};

// Throws std::runtime_error on a line that is neither a comment nor a rule, and on an unknown
// stage.
IncludeRules parse_rules(std::string_view text);

// The listed stage that a folder below src/alembert belongs to; empty when there is none.
std::string stage_of(const IncludeRules& rules, std::string folder);

// Checks every #include under <root>/src and <root>/apps.
std::vector<std::string> include_violations(const IncludeRules& rules,
                                            const std::filesystem::path& root);

// Checks that sources open with the licence line, and headers have #pragma once.
std::vector<std::string> header_violations(const std::filesystem::path& root);

}  // namespace alembert::architecture
