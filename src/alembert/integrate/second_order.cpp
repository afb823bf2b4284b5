// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/second_order.hpp"

namespace alembert::integrate {

namespace {

/// der(q) = v, as an equation between a derivative and a variable: [n_variables], n_variables where
/// a variable has no such value.
std::vector<std::uint32_t> other_names(const compile::CompiledModel& model,
                                       const compile::CompiledChart& chart) {
  std::vector<std::uint32_t> name(model.n_variables(), model.n_variables());
  for (const structure::Block& block : chart.reduced.blocks)
    for (const structure::Assignment& assignment : block.assignments)
      name[model.variable_of_structure(assignment.unknown)] = model.variable_of(assignment.value);
  return name;
}

}  // namespace

SecondOrderStructure second_order_structure(const compile::CompiledModel& model,
                                            const compile::CompiledChart& chart) {
  const auto n = static_cast<std::uint32_t>(chart.states.size());
  std::vector<std::uint32_t> state_of(model.n_variables(), n);
  for (std::uint32_t i = 0; i < n; ++i) state_of[chart.states[i]] = i;
  SecondOrderStructure result;
  result.velocity_of.assign(n, n);
  std::vector<char> is_velocity(n, 0), is_position(n, 0);
  const std::vector<std::uint32_t> other_name = other_names(model, chart);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t derivative = model.derivative_of(chart.states[i]);
    if (derivative < model.n_variables() && state_of[derivative] == n)
      derivative = other_name[derivative];
    if (derivative >= model.n_variables() || state_of[derivative] == n) continue;
    result.velocity_of[i] = state_of[derivative];
    is_position[i] = 1;
    is_velocity[state_of[derivative]] = 1;
  }
  result.complete = n > 0;
  for (std::uint32_t i = 0; i < n; ++i)
    if (is_position[i] == is_velocity[i]) result.complete = false;
  for (const structure::Part part : model.separable_parts(chart))
    result.is_momentum.push_back(part == structure::Part::momentum ? 1 : 0);
  return result;
}

}  // namespace alembert::integrate
