// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Longer chains of derivatives than the equations have: for unknowns that are to
// be differentiated although no equation asks for it.
#pragma once

#include <span>

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// Appends derivatives until each unknown has at least those up to orders[unknown], [n_unknowns].
void lengthen_chains(Structure& structure, std::span<const Index> orders);

}  // namespace alembert::structure
