// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Expressions as text. In: an id. Out: plain text that `parse` reads back to the
// same id, Modelica, LaTeX, or C99. Linear in what is printed; no recursion.
//
// Plain text is Modelica's expression grammar with these conventions: whole numbers and fractions
// are exact (2, x/3, x^(1/2)), a number with a point or an exponent is a double (0.5, 1e300),
// infinity is `inf` and not-a-number `nan`. Small sums show higher degrees first and start with a
// positive term.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

enum class Notation { plain, modelica, latex, c };

std::string to_text(const ExprPool& pool, ExprId id, Notation notation = Notation::plain);
std::string to_text(const Expr& expression, Notation notation = Notation::plain);
/// "left = right".
std::string to_text(const Equation& equation, Notation notation = Notation::plain);

/// Plain text for messages: cut off with "..." when it gets longer than that, however large the
/// expression.
std::string to_short_text(const ExprPool& pool, ExprId id, std::size_t max_length = 80);

/// What C text relies on beyond <math.h>: alembert_sign, alembert_mod and alembert_semi_linear, as
/// static functions. min and max are written fmin and fmax: of a number and a NaN they give the
/// number.
std::string_view c_prelude();

}  // namespace alembert::symbolic
