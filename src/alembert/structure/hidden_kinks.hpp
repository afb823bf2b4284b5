// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Where equations have kinks or jumps that make no events: under noEvent and
// smooth, and in abs, min and max. In: expressions in which modes stand already for what makes
// events. Out: functions of the model's variables, of which one changes its sign wherever a kink is
// passed. Linear in the size of the expressions.
#pragma once

#include <span>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::structure {

/// varying: symbols of the kind discrete that vary all the same, such as delayed quantities.
std::vector<symbolic::ExprId> hidden_kinks(symbolic::ExprPool& pool,
                                           std::span<const symbolic::ExprId> expressions,
                                           std::span<const symbolic::ExprId> varying);

/// What is divided by, where that changes: bases of negative powers, and the cosine of a tangent.
std::vector<symbolic::ExprId> denominators(symbolic::ExprPool& pool,
                                           std::span<const symbolic::ExprId> expressions,
                                           std::span<const symbolic::ExprId> varying);

}  // namespace alembert::structure
