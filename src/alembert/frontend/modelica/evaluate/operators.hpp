// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The operators of the language on Values of basic types:
// elementwise, matrix products and powers, comparisons, logic, strings. In: the operands. Out: the
// result, or Error M202/M203 at the place of the operator. Operator records (Complex) are not seen
// here: their operators are functions.
#pragma once

#include "alembert/frontend/modelica/evaluate/scalars.hpp"
#include "alembert/frontend/modelica/evaluate/value.hpp"

namespace alembert::modelica {

Value unary(Scalars& scalars, Operator op, const Value& a, Place place);
Value binary(Scalars& scalars, Operator op, const Value& a, const Value& b, Place place);

/// `if condition then a else b` of two texts.
Text chosen_text(Scalars& scalars, ExprId condition, const Text& a, const Text& b);

/// `if condition then a else b` of two values of one type and size, scalar by scalar.
Value choice(Scalars& scalars, ExprId condition, const Value& a, const Value& b, Place place);

/// Numbers as Real.
Value as_real(Value value);

/// [n, m] times [m, k].
Value matrix_product(Scalars& scalars, const Value& a, const Value& b, Place place);

}  // namespace alembert::modelica
