// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. One list of constraints, sorted: which of them can be written without
// derivatives (holonomic), which cannot. In: constraints of q, t, and linear in der(q). Out: their
// places by kind. A set of forms w_i = a_i(q, t) dq + b_i dt is integrable if every dw_i vanishes
// on the directions that all of them allow (Frobenius). The largest such subset of the list is
// found by numbers at several points; the bracket terms are exact derivatives.
#pragma once

#include <source_location>
#include <vector>

#include "alembert/frontend/mechanics/kane.hpp"

namespace alembert::mechanics {

struct SortedConstraints {
  std::vector<Expr> holonomic;     ///< without derivatives, as given
  std::vector<Expr> integrable;    ///< with derivatives, and yet the derivative of a configuration
  std::vector<Expr> nonholonomic;  ///< the rest
};

/// q: coordinates whose derivatives may appear. Error K021 for a constraint that is not linear in
/// them.
SortedConstraints sort_constraints(const Model& model, const std::vector<Expr>& constraints,
                                   const std::vector<Expr>& q,
                                   std::source_location at = std::source_location::current());

}  // namespace alembert::mechanics
