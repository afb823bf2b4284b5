// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Derivatives that only initial equations ask for, such as the acceleration of a
// flange in a model that has velocities. In: the system, and the same without aliases. Out: the
// system with an unknown for each of them and the equation `unknown = derivative`, so that
// Pantelides differentiates what determines it.
#pragma once

#include "alembert/flat/flat_system.hpp"

namespace alembert::structure {

/// False if there was nothing to add.
bool add_initial_derivatives(flat::FlatSystem& flat, const flat::FlatSystem& without_aliases);

}  // namespace alembert::structure
