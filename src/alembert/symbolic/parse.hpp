// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. A small parser for expressions in text, with the grammar of Modelica expressions
// (and `^`, `der`, `if then else`, `and or not`, comparisons). In: text and a pool. Out: an
// expression, or Error P0xx with the position, what was found and what was expected. No recursion
// over nesting depth.
//
// Beyond Modelica: x^y^z is x^(y^z), a sign may follow an operator (2*-x, x^-2), `inf` and `nan`
// are numbers, letters may be any beyond ASCII. What stands in parentheses is an expression of its
// own.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

struct ParseOptions {
  /// What a name that the pool does not know becomes: an error (P003), or a new unknown.
  enum class UnknownName { error, make_unknown } unknown_name = UnknownName::error;
  /// What a name stands for that is no symbol of the pool; none where it stands for nothing either.
  std::function<ExprId(std::string_view name)> meaning = {};
  /// Where the text is from, for messages.
  std::string file = "text";
};

ExprId parse_id(ExprPool& pool, std::string_view text, const ParseOptions& options = {});
Expr parse(ExprPool& pool, std::string_view text, const ParseOptions& options = {});
/// "left = right".
Equation parse_equation(ExprPool& pool, std::string_view text, const ParseOptions& options = {});

}  // namespace alembert::symbolic
