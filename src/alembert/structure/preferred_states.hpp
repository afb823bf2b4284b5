// SPDX-License-Identifier: Apache-2.0
// Stage: structure. States that a model prefers but does not differentiate. A volume, for example,
// is written as der(U) = H_flow with U = m * u(p, T), and p and T are to be its states; or a spring
// gives its length and v_rel = der(s_rel), and both are to be states in place of the position and
// speed of a mass. In: a simplified system and its plan. Out: a plan in which the equations between
// the two are differentiated as well, so that a chart may take p and T in place of U and m. The
// number of states does not change.
//
// A preferred unknown is admitted if, by structure, it can replace a state of lower priority, and
// if the states it replaces then follow from it one by one, without iteration (`settle_choices`).
// Those that follow from the fewest equations are tried first. It is not admitted if it depends on
// time, or on something else that could make it jump while the states it replaces do not, nor if a
// function without a derivative is in between. Case distinctions that depend on the unknown itself,
// such as the phase of a fluid that follows from p and h, do no harm.
#pragma once

#include <span>

#include "alembert/structure/hybrid_system.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/structure/simplify.hpp"

namespace alembert::structure {

/// An unknown that depends on more equations than this is the result of a whole network rather than
/// another way to write down a state.
inline constexpr std::size_t most_preferred_equations = 500;

/// Replaces the plan if there are such unknowns. modes: the comparisons of `given`, if there are
/// any.
void admit_preferred_states(const flat::FlatSystem& given, std::span<const Mode> modes,
                            const SimplifiedSystem& simplified, StructuralPlan& plan);

}  // namespace alembert::structure
