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

}  // namespace alembert::integrate
