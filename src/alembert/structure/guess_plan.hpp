// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Guesses for a block of the initial system. In: its rows and columns, and how
// much the start value of each column says. Out: which columns get a better guess than their own
// start value, and from which expression. Zero, the guess of all that nobody wrote a start value
// for, is where lengths, angles between directions and matrices of rotation have no slope; so what
// is known best is taken first, and everything that follows from it by an equation with one
// unknown left takes that value, before the next start value is trusted.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/initial_plan.hpp"

namespace alembert::structure {

struct StartAssignment {
  Index column;  // of the initial plan
  ExprId value;  // of columns outside the block, of start values, and of earlier assignments
};

std::vector<StartAssignment> plan_guesses(symbolic::ExprPool& pool, const InitialPlan& plan,
                                          std::span<const Index> rows,
                                          std::span<const Index> columns);

}  // namespace alembert::structure
