// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Solves one SolveRegion for one lane; the same code for every back end.
// In: the region's numbers, a kernel of its body. Out: the unknowns, or NaN in all of them.
#pragma once

#include <cstddef>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/lifted_region.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile {

/// Doubles that solve_region needs in `work` (the body kernel's workspace included).
std::size_t region_workspace(const SolveRegion& region, const Kernel& body,
                             const LiftedRegion* lifted = nullptr);

/// captured [n_captured], guesses [n_unknowns] or null for linear, parameters [n_parameters],
/// unknowns [n_unknowns] out, work [region_workspace] aligned to 64 bytes; `unknowns` may not
/// overlap them. `body` is a kernel of one lane. A matrix counts as singular when, rows and columns
/// scaled, a pivot is below n eps. Newton takes at most 200 steps. Where there is a `lifted` form
/// of the region, that is iterated on once Newton on the region itself turns out to be slow.
void solve_region(const SolveRegion& region, const Kernel& body, const double* captured,
                  const double* guesses, const double* parameters, double* unknowns, double* work,
                  const LiftedRegion* lifted = nullptr);

}  // namespace alembert::compile
