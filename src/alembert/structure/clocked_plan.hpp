// SPDX-License-Identifier: Apache-2.0
// Stage: structure. How clocked equations are solved at a tick. In: the clocked part of a
// FlatSystem. Out: its equations as blocks in solve order, over all clocks together, since a value
// may go from clock to clock and back; blocks of one clock that follow each other are a segment.
// Errors S014 (too many or too few equations for the variables of a clock), S015 (a loop that
// cannot be solved: over Booleans or Integers, or over several clocks).
#pragma once

#include <vector>

#include "alembert/flat/clocked_part.hpp"
#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

struct ClockedSegment {
  std::uint32_t clock = 0;
  std::vector<Block> blocks;  // unknowns are places in the variables of the clocked part
};

struct ClockedPlan {
  DifferentiatedSystem system;           // symbols of the variables; residuals
  std::vector<ClockedSegment> segments;  // in solve order
};

/// flat.clocked must be there, without derivatives (discretise_clocks.hpp).
ClockedPlan plan_clocked(const flat::FlatSystem& flat);

}  // namespace alembert::structure
