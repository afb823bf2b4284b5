// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Derivatives that only events, assertions, delays, clocks and observed quantities
// ask for, such as a velocity that is sampled, or compared to zero, where the equations have angles.
// In: a HybridSystem. Out: the same with an unknown for each of them and the equation `unknown =
// derivative`, so that Pantelides differentiates what determines it.
#pragma once

#include "alembert/structure/hybrid_system.hpp"

namespace alembert::structure {

void add_asked_derivatives(HybridSystem& system);

}  // namespace alembert::structure
