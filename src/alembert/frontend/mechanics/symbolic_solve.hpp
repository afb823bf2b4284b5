// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Small linear systems of expressions, as they come with kinematical
// equations and constraints. In: A and B. Out: X with A X = B. A is taken apart into blocks that
// share nothing; blocks of up to four rows are solved by determinants, which divide by nothing that
// is not zero only where the block is singular itself; larger ones by elimination with the pivots
// that are largest at `values`. Nothing is expanded. Mass matrices are not solved here but by
// numbers, in the model.
#pragma once

#include "alembert/frontend/mechanics/elimination.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::mechanics {

/// A: [n x n], regular at `values`; B: [n x k].
symbolic::Matrix solve_symbolic(symbolic::ExprPool& pool, const symbolic::Matrix& a,
                                const symbolic::Matrix& b, const symbolic::Values& values);

}  // namespace alembert::mechanics
