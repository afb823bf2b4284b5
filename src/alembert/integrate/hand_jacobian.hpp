// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for solve.cpp. The Jacobian of equations by hand, held against differences of
// f: one far from them holds an implicit step where it began, and its error estimate with it. In:
// the problem, a point. Out: Error I011, or a sentence with the place of what is wrong.
#pragma once

#include <span>
#include <string>

#include "alembert/integrate/solve.hpp"

namespace alembert::integrate {

/// Error I011 where a row at the start is far from what differences say. All unknowns are moved at
/// once, so that a good one costs two calls of f. Nothing is said where differences tell nothing:
/// beside kinks and jumps, in noise, where f has no value.
void check_jacobian(const HandProblem& problem, const Tolerances& tolerances,
                    std::span<const double> start);

/// What is wrong with the Jacobian at (t, u), as far as differences tell, entry by entry; empty if
/// nothing is.
std::string doubt_jacobian(const HandProblem& problem, double t, std::span<const double> u);

}  // namespace alembert::integrate
