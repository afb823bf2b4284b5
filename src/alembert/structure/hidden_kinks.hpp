// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What a long step may not see in equations: kinks and jumps that make no events,
// under noEvent and smooth and in abs, min and max; poles; narrow pulses. In: expressions in which
// modes stand already for what makes events. Out: functions of the model's variables, of which one
// changes its sign wherever such a place is passed. Linear in the size of the expressions.
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

/// What changes its sign where a smooth function may rise and fall again, or go to another level,
/// within a way as short as parameters make it: arguments of tanh, atan, cosh and of an exponential
/// in a denominator, and bases of even powers in exponentials and denominators. Where several
/// distances add up in a denominator, as of a field around a point, it is left out.
std::vector<symbolic::ExprId> narrow_places(symbolic::ExprPool& pool,
                                            std::span<const symbolic::ExprId> expressions,
                                            std::span<const symbolic::ExprId> varying);

}  // namespace alembert::structure
