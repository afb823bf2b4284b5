// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/short_text.hpp"

#include <algorithm>

namespace alembert::flat {

symbolic::IsTruth is_boolean_of(const FlatSystem& system) {
  return [&system](ExprId symbol) {
    const auto is_it = [&](const auto& quantity) {
      return quantity.symbol == symbol && quantity.type == ValueType::boolean;
    };
    const auto ticks = [&](const SampleClock& clock) { return clock.symbol == symbol; };
    return symbol == system.initial_symbol || std::ranges::any_of(system.samples, ticks) ||
           std::ranges::any_of(system.discrete_variables, is_it) ||
           std::ranges::any_of(system.parameters, is_it);
  };
}

std::string short_text(const FlatSystem& system, ExprId expression, std::size_t max_length) {
  return symbolic::to_short_text(*system.pool, expression, is_boolean_of(system), max_length);
}

std::string short_text(const FlatSystem& system, const FlatEquation& equation,
                       std::size_t max_length) {
  return short_text(system, equation.left, max_length) + " = " +
         short_text(system, equation.right, max_length);
}

}  // namespace alembert::flat
