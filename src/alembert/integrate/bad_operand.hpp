// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Why an expression has no value. In: the expression, and values of its symbols.
// Out: the operation that fails first, in words.
#pragma once

#include <string>

#include "alembert/symbolic/evaluate.hpp"

namespace alembert::integrate {

/// "it divides by 'p', which is 0"; empty where no operation fails, or a value is not known.
std::string bad_operand(const symbolic::ExprPool& pool, symbolic::ExprId expression,
                        const symbolic::Values& values);

/// The same for an equation that has to be solved for this unknown, in which it is linear, if its
/// factor is zero; empty else. residual: left side minus right side.
std::string vanishing_factor(symbolic::ExprPool& pool, symbolic::ExprId residual,
                             symbolic::ExprId unknown, const symbolic::Values& values);

}  // namespace alembert::integrate
