// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Whether the states of a chart are positions and their velocities, and whether
// it is separable. In: a chart of a compiled model. Out: what OdeSystem and the symplectic methods
// need.
#pragma once

#include <vector>

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {

struct SecondOrderStructure {
  /// [n_states]: for a position the place of its velocity, n_states for every other state.
  std::vector<std::uint32_t> velocity_of;
  bool complete = false;  ///< every state is a position or a velocity, and none is both
  /// [n_states]: 1 for momenta, velocities among them, 0 for positions; empty where the chart is
  /// not separable (structure/separable.hpp).
  std::vector<char> is_momentum;

  bool separable() const { return !is_momentum.empty(); }
};

SecondOrderStructure second_order_structure(const compile::CompiledModel& model,
                                            const compile::CompiledChart& chart);

}  // namespace alembert::integrate
