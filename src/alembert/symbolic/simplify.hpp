// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Rewriting beyond the canonical form. In: an id. Out: an id of equal value
// wherever the original had one. Always ends: each pass is one loop over the nodes, and a pass
// counts only if it saves operations.
#pragma once

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// sin^2 + cos^2 = 1 and its kin, sqrt(x^2) = |x|, nested choices on one condition, products
/// multiplied out where that cancels terms.
ExprId simplify(ExprPool& pool, ExprId expression);
Expr simplify(const Expr& expression);

/// Products of sums and whole powers of sums multiplied out; a product that would grow beyond
/// `max_terms` terms is left as it is.
ExprId expand(ExprPool& pool, ExprId expression, std::size_t max_terms = 1000);
Expr expand(const Expr& expression, std::size_t max_terms = 1000);

}  // namespace alembert::symbolic
