// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Derivatives that only events and assertions ask for, such as a velocity that is
// sampled where the equations have angles. In: a FlatSystem. Out: the same with an unknown for each
// of them and the equation `unknown = derivative`, so that Pantelides differentiates what
// determines it.
#pragma once

#include "alembert/flat/flat_system.hpp"

namespace alembert::structure {

void add_event_derivatives(flat::FlatSystem& flat);

}  // namespace alembert::structure
