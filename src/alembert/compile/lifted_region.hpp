// SPDX-License-Identifier: Apache-2.0
// Stage: compile. A region whose exponentials are unknowns of their own, for Newton's method where
// it does not get along with them: in: a SolveRegion. Out: one with unknowns [u..., s...].
// Each exp(a(u)) becomes w(s) with one more equation, alpha(s) = a(u), where (alpha, w) goes along
// the curve w = exp(alpha) so that neither of them is ever steep in s: alpha = s below 0, w = 1 + s
// above. A diode is then given by its voltage where it blocks and by its current where it conducts,
// and a step overshoots neither. (Lifting: Albersmeyer and Diehl, SIAM J. Optim. 20, 2010, 1655.)
#pragma once

#include <functional>
#include <memory>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile {

struct LiftedRegion {
  SolveRegion region;  // its captured values are those of the region it was made of; no guesses
  Kernel body;
  Kernel exponents;  // [u..., captured...] -> a for each exponential, in the order of s
};

/// None for regions without exponentials of their unknowns, and where a derivative is not known.
/// `make_kernel` compiles a body for one lane.
std::shared_ptr<const LiftedRegion> lift_exponentials(
    const SolveRegion& region, const std::function<Kernel(const Tape&)>& make_kernel);

/// Where on the curve to begin for the exponent a; 0 where that has no value.
double lifted_place(double exponent);

}  // namespace alembert::compile
