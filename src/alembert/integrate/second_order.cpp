// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/second_order.hpp"

#include <algorithm>

namespace alembert::integrate {

SecondOrderStructure second_order_structure(const compile::CompiledModel& model,
                                            const compile::CompiledChart& chart) {
  const auto n = static_cast<std::uint32_t>(chart.states.size());
  std::vector<std::uint32_t> state_of(model.n_variables(), n);
  for (std::uint32_t i = 0; i < n; ++i) state_of[chart.states[i]] = i;
  SecondOrderStructure result;
  result.velocity_of.assign(n, n);
  std::vector<char> is_velocity(n, 0), is_position(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t derivative = model.derivative_of(chart.states[i]);
    if (derivative >= model.n_variables() || state_of[derivative] == n) continue;
    result.velocity_of[i] = state_of[derivative];
    is_position[i] = 1;
    is_velocity[state_of[derivative]] = 1;
  }
  result.complete = n > 0;
  for (std::uint32_t i = 0; i < n; ++i)
    if (is_position[i] == is_velocity[i]) result.complete = false;
  if (!result.complete) return result;

  const compile::ColumnSparsity& sparsity = model.jacobian(chart).sparsity;
  result.separable = true;
  for (std::uint32_t j = 0; j < n; ++j) {
    if (!is_velocity[j]) continue;
    for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
      if (is_velocity[sparsity.row[e]]) result.separable = false;
  }
  return result;
}

}  // namespace alembert::integrate
