// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Time derivatives of equations in which something is delayed. In: an expression,
// the delayed symbols of its model. Out: its total time derivative, in which the derivative of a
// delayed quantity is a symbol of its own, held by the run like the quantity itself: the slope of
// what was, at the time it was. Delays themselves are taken as constant, and so are velocities in
// second derivatives of what is carried.
#pragma once

#include <span>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::structure {

/// Beyond this order the derivative of a delayed quantity counts as 0.
inline constexpr graph::Index most_delay_derivatives = 2;

/// The order-th derivative of a delayed quantity; none if nobody asked for it yet.
symbolic::ExprId find_delay_derivative(const symbolic::ExprPool& pool, symbolic::ExprId delayed,
                                       graph::Index order);

symbolic::ExprId time_derivative(symbolic::ExprPool& pool, symbolic::ExprId expression,
                                 std::span<const symbolic::ExprId> delayed);

}  // namespace alembert::structure
