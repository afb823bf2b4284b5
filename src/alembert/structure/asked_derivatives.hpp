// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Derivatives that no equation has and something beside the equations asks for: a
// velocity that is sampled, or compared to zero, where the equations have angles; the acceleration
// of a flange in an initial equation of a model that has velocities. In: a system. Out: the same
// with an unknown for each of them and the equation `unknown = derivative`, so that Pantelides
// differentiates what determines it.
#pragma once

#include "alembert/structure/hybrid_system.hpp"

namespace alembert::structure {

/// What events, assertions, delays, clocks and observed quantities ask for.
void add_asked_derivatives(HybridSystem& system);

/// What initial equations ask for, once aliases are known: many ask for what is there under another
/// name. False if there was nothing to add.
bool add_initial_derivatives(flat::FlatSystem& flat, const flat::FlatSystem& without_aliases);

}  // namespace alembert::structure
