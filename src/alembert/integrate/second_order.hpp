// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Whether the states of a chart are positions and their velocities, and whether
// the accelerations know the velocities. In: a chart of a compiled model. Out: what OdeSystem and
// the symplectic methods need.
#pragma once

#include <vector>

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {

struct SecondOrderStructure {
  /// [n_states]: for a position the place of its velocity, n_states for every other state.
  std::vector<std::uint32_t> velocity_of;
  bool complete = false;   ///< every state is a position or a velocity, and none is both
  bool separable = false;  ///< complete, and no acceleration depends on a velocity: q'' = a(t, q)
};

SecondOrderStructure second_order_structure(const compile::CompiledModel& model,
                                            const compile::CompiledChart& chart);

}  // namespace alembert::integrate
