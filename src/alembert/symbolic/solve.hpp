// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Linear forms and solving one equation for one unknown. In: ids. Out: ids, or
// nothing where the form is not linear or the solution not unique. Divisors that could vanish are
// named, never hidden.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// expression = slope * symbol + offset, with slope and offset free of the symbol.
struct LinearForm {
  ExprId slope;
  ExprId offset;
};

std::optional<LinearForm> linear_form(ExprPool& pool, ExprId expression, ExprId symbol);

/// expression = sum of slopes[k] * symbols[k] + offset, with slopes and offset free of all the
/// symbols.
struct LinearCombination {
  std::vector<ExprId> slopes;  // [n_symbols]
  ExprId offset;
};

std::optional<LinearCombination> linear_combination(ExprPool& pool, ExprId expression,
                                                    std::span<const ExprId> symbols);

struct Solution {
  ExprId value;                  ///< symbol = value
  std::vector<ExprId> divisors;  ///< what `value` divides by and could vanish; numbers are left out
};

/// Solves left = right for a symbol: linear equations, and nestings of one-to-one functions
/// (exp, log, log10, sinh, asinh, tanh, atanh, odd powers, a^u for a constant a, user functions
/// that have an inverse) around linear ones. Nothing where the symbol is absent, the solution is
/// not unique, or no rule applies.
std::optional<Solution> solve_for(ExprPool& pool, ExprId left, ExprId right, ExprId symbol);
/// The solution of an equation; Error E007 where there is none of the kind above.
Expr solve_for(const Equation& equation, const Expr& symbol);

}  // namespace alembert::symbolic
