// SPDX-License-Identifier: Apache-2.0
// Stage: structure. An equation as an expression that is zero on a solution. In: an equation of a
// FlatSystem. Out: left - right, without the derivatives that only seem to occur in it, as der(x)
// in C*(der(x) - v) + C*(w - der(x)): one that counted would hide a constraint from Pantelides.
#pragma once

#include "alembert/flat/flat_system.hpp"

namespace alembert::structure {

symbolic::ExprId residual(symbolic::ExprPool& pool, symbolic::ExprId left, symbolic::ExprId right);
symbolic::ExprId residual(symbolic::ExprPool& pool, const flat::FlatEquation& equation);

}  // namespace alembert::structure
