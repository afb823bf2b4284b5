// SPDX-License-Identifier: Apache-2.0
// Stage: compile. What a mode is on the two sides of a surface where a crossing function is zero.
// In: the mode, one of its crossing functions, and the value it is held at. Out: its value where
// that function is a little above zero, or below. A comparison has its two truth values there, sign
// has -1 and 1, floor and its kind the two whole numbers of the step.
#pragma once

#include "alembert/structure/hybrid_system.hpp"

namespace alembert::compile {

/// crossing: of system.crossings, one of the mode's own.
double value_beside(const structure::HybridSystem& system, const structure::Mode& mode,
                    structure::Index crossing, double held, bool above);

/// The mode's own crossing function that is zero where this one is; none: it does not change there.
structure::Index crossing_at(const structure::HybridSystem& system, const structure::Mode& mode,
                             structure::Index crossing);

}  // namespace alembert::compile
