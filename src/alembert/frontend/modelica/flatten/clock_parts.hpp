// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Which variables and equations share a clock (Modelica 3.6,
// section 16.7). In: the flat equations and what was said about clocks. Out: the clocked parts of
// the model. All that stands in one equation is in one part; sample, hold and the operators from
// clock to clock stand between parts. Error M350 (clocked and continuous at once).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/frontend/modelica/flatten/clock_records.hpp"

namespace alembert::modelica {

/// Of what is not clocked.
constexpr std::uint32_t no_clock = 0xffffffffu;

/// Parts have numbers, in the order of their first symbols; no_clock where there is none.
struct ClockParts {
  struct Part {
    ExprId symbol;                   // one of its variables if it has any, else one of its clocks
    const Origin* origin = nullptr;  // where something says that it is clocked
    bool has_quantities = false;     // not clocks alone
  };
  std::vector<Part> parts;

  std::vector<std::uint32_t> of_equation;           // [n equations]
  std::vector<std::uint32_t> of_discrete_equation;  // [n discrete equations]
  std::vector<std::uint32_t> of_operator;           // [n operators]: of the result
  /// [n operators]: of what it looks at; no_clock for sample, which looks at what is continuous.
  std::vector<std::uint32_t> of_argument;
  std::vector<std::uint32_t> of_definition;  // [n definitions]
  // Operators and clocks that no equation sees came about while something was tried, and say
  // nothing.
  std::vector<char> is_operator_used;    // [n operators]
  std::vector<char> is_definition_used;  // [n definitions]
  // Looked up, never iterated.
  std::unordered_map<ExprId, std::uint32_t> of_symbol;  // variables and results of operators
  std::unordered_set<ExprId> clock_symbols;             // those that stand for clocks
};

/// Not of numbers and parameters alone: it is looked at in each tick.
bool interval_varies(const symbolic::ExprPool& pool, const ClockDefinition& definition);

ClockParts find_clock_parts(const flat::FlatSystem& system, const ClockRecords& records);

}  // namespace alembert::modelica
