// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. A small parser for expressions in text, with the grammar of Modelica expressions (and `^`, `der`,
// `if then else`, `and or not`, comparisons). In: text and a pool. Out: an expression, or Error P0xx with the
// position, what was found and what was expected. No recursion over nesting depth.
#pragma once

#include <string_view>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

struct ParseOptions {
  /// What a name that the pool does not know becomes: an error (P003), or a new unknown.
  enum class UnknownName { error, make_unknown } unknown_name = UnknownName::error;
};

ExprId parse_id(ExprPool& pool, std::string_view text, const ParseOptions& options = {});
Expr parse(ExprPool& pool, std::string_view text, const ParseOptions& options = {});
/// "left = right".
Equation parse_equation(ExprPool& pool, std::string_view text, const ParseOptions& options = {});

}  // namespace alembert::symbolic
