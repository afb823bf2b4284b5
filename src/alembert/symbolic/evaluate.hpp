// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Questions to an expression: its value, its symbols, its size; and substitution.
// In: ids. Out: numbers, lists of symbols, new ids. The value is computed with the C library's
// functions; fast and repeated evaluation is the job of compile/.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// Values of symbols, looked up by id.
using Values = std::unordered_map<ExprId, double>;

/// The expression's value; Error E006 names a symbol that has none. Conditions give 1 or 0.
double evaluate(const ExprPool& pool, ExprId expression, const Values& values = {});
std::vector<double> evaluate(const ExprPool& pool, std::span<const ExprId> expressions,
                             const Values& values);

/// The value of an expression without symbols.
double evaluate_constant(const ExprPool& pool, ExprId expression);

/// Symbols in the expressions, in canonical order.
std::vector<ExprId> free_symbols(const ExprPool& pool, std::span<const ExprId> expressions);
std::vector<ExprId> free_symbols(const ExprPool& pool, ExprId expression);
bool depends_on(const ExprPool& pool, ExprId expression, ExprId symbol);

/// Additions, multiplications, powers, functions and choices; shared parts count once.
std::size_t operation_count(const ExprPool& pool, std::span<const ExprId> expressions);
std::size_t operation_count(const ExprPool& pool, ExprId expression);

/// What stands for what; keys are symbols or whole subexpressions. All replacements happen at once,
/// and what is put in is not searched again. A derivative der(x) is a symbol of its own: replacing
/// x leaves it alone.
using Replacements = std::unordered_map<ExprId, ExprId>;

ExprId substitute(ExprPool& pool, ExprId expression, const Replacements& replacements);
std::vector<ExprId> substitute(ExprPool& pool, std::span<const ExprId> expressions,
                               const Replacements& replacements);
Expr substitute(const Expr& expression, const Expr& what, const Expr& by);

}  // namespace alembert::symbolic
