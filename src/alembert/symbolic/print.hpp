// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Expressions as text. In: an id. Out: plain text that `parse` reads back to the same id,
// Modelica, LaTeX, or C99. Linear in what is printed; no recursion.
#pragma once

#include <string>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

enum class Notation { plain, modelica, latex, c };

std::string to_text(const ExprPool& pool, ExprId id, Notation notation = Notation::plain);
std::string to_text(const Expr& expression, Notation notation = Notation::plain);
/// "left = right".
std::string to_text(const Equation& equation, Notation notation = Notation::plain);

}  // namespace alembert::symbolic
