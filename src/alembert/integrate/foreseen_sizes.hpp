// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. How large states become that start at zero, where the model gives them no
// nominal value: seconds, metres and amperes may be 1e-9 as well as 1. In: the point of the start.
// Out: of each such state how far its slope would lead in the whole run, or to where a slope turns
// around, as that of a capacitor at its voltage.
#pragma once

#include <vector>

#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// [n_states]; 0 where nothing can be told, as of a slope whose rounding is beyond the tolerance,
/// and of states that start elsewhere or have a nominal value. length: of the run.
std::vector<double> foresee_sizes(const ModelPoint& start, double length, double tolerance);

}  // namespace alembert::integrate
