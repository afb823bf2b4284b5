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

std::string short_text(const FlatSystem& system, ExprId left, ExprId right,
                       std::size_t max_length) {
  const symbolic::IsTruth is_boolean = is_boolean_of(system);
  const auto reading = system.pool->is_symbol(left) && is_boolean(left) ? symbolic::Reading::truth
                                                                        : symbolic::Reading::plain;
  return symbolic::to_short_text(*system.pool, left, is_boolean, max_length) + " = " +
         symbolic::to_short_text(*system.pool, right, is_boolean, max_length, reading);
}

}  // namespace alembert::flat
