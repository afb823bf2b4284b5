// SPDX-License-Identifier: Apache-2.0
// Stage: structure. States that are wanted but not differentiated: a volume is written as
// der(U) = H_flow with U = m * u(p, T), and p and T shall be its states. In: a simplified system
// and its plan. Out: the plan in which the equations between them are differentiated too, so that a
// chart may take p and T in place of U and m; or a spring tells its length and v_rel = der(s_rel),
// and both shall be states in place of position and speed of a mass. The number of states stays
// what it was. An unknown is taken where structure lets it replace a state of lower priority, what
// follows from the fewest equations first, and the others follow from it one by one
// (`settle_choices`), so that nothing need be iterated for; not where it would follow from time or
// something else by which it may jump while the states it replaces do not, or from a function that
// has no derivative.
// Cases that it tells itself, such as a phase that follows from p and h, are none of these.
#pragma once

#include <span>

#include "alembert/structure/hybrid_system.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/structure/simplify.hpp"

namespace alembert::structure {

/// What follows from more equations is a matter of a whole network, and no other way to write down
/// a state.
inline constexpr std::size_t most_preferred_equations = 500;

/// Makes the plan anew if there are any. modes: what comparisons of `given` became, if anything.
void admit_preferred_states(const flat::FlatSystem& given, std::span<const Mode> modes,
                            const SimplifiedSystem& simplified, StructuralPlan& plan);

/// Chains at least as long as these, [n_unknowns], whether an equation has the derivatives or not.
void lengthen_chains(Structure& structure, std::span<const Index> orders);

}  // namespace alembert::structure
