// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Which equation and which variable belongs to which clock
// (Modelica 3.6, section 16.7). In: the flat equations and what was said about clocks. Out: a
// partition of them, and when each clock ticks. An operator between clocks relates two clocked
// parts (`clock_parts`) by exact ratios, which are followed from the clocks that are defined to all
// others. Errors M351 (no clock), M352 (clocks that contradict each other), M353 (ticks that a
// clock cannot have), and M350 of the parts.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alembert/flat/clocked_part.hpp"
#include "alembert/frontend/modelica/flatten/clock_parts.hpp"

namespace alembert::modelica {

struct ClockPartition {
  std::vector<flat::BaseClock> bases;  // `count` is left open
  std::vector<std::uint32_t>
      definition_of_base;                        // [n_bases]: of the records; the seconds have none
  std::vector<flat::Clock> clocks;               // without symbols
  std::vector<std::string> solver_methods;       // [n_clocks]: empty where none is given
  std::vector<std::uint32_t> clock_of_equation;  // [n equations]: no_clock where continuous
  std::vector<std::uint32_t> clock_of_discrete;  // [n discrete equations]
  std::vector<char> is_used;                     // [n operators]
  /// [n operators]: of what it looks at, where that is another part than its result.
  std::vector<std::uint32_t> clock_of_argument;
  // Looked up, never iterated.
  std::unordered_map<ExprId, std::uint32_t> clock_of_symbol;  // variables and results of operators
  std::unordered_set<ExprId> clock_symbols;                   // those that stand for clocks

  std::uint32_t clock_of(ExprId symbol) const {
    const auto found = clock_of_symbol.find(symbol);
    return found == clock_of_symbol.end() ? no_clock : found->second;
  }
};

ClockPartition infer_clocks(const flat::FlatSystem& system, const ClockRecords& records);

}  // namespace alembert::modelica
