// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A jump of what is no state. In: a consistent point, variables that follow from
// its states, and values they shall take. Out: the point with other states, from which they do.
// Velocities are changed rather than positions, and by as little as possible (in units of their
// nominal values, or of 1) where more than one change would do.
#pragma once

#include <cstdint>
#include <span>

#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

struct WantedValue {
  std::uint32_t variable;
  double value;
};

/// kept: states that must stay as they are. False, and the states as they were, if no change of
/// the others does it.
bool change_states_for(ModelPoint& point, std::span<const WantedValue> wanted,
                       std::span<const std::uint32_t> kept, SolveContinuous solve);

}  // namespace alembert::integrate
