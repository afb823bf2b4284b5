// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Exact derivatives on the expression graph: forward mode (one direction, many
// outputs), reverse mode (one output, many inputs), and what follows from them. In: ids. Out: ids
// of the same pool, with shared subexpressions shared. Loops over ascending or descending ids; cost
// linear in the part of the graph reached. Where a function has a kink the derivative is that of
// one of its sides: abs'(0) = 0, min and max take the branch that their value takes; floor, ceil,
// sign, div have derivative 0.
#pragma once

#include <span>
#include <vector>

#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// Partial derivative by a symbol; other symbols, der(x) among them, are constants.
ExprId differentiate(ExprPool& pool, ExprId expression, ExprId symbol);
Expr differentiate(const Expr& expression, const Expr& symbol);

/// Total time derivative along the chains: time -> 1, x -> der(x), der(x) -> der(der(x)),
/// parameters -> 0.
ExprId time_derivative(ExprPool& pool, ExprId expression);
std::vector<ExprId> time_derivatives(ExprPool& pool, std::span<const ExprId> expressions);

/// Forward mode: the derivative of each output along `directions` (Jacobian times vector).
/// inputs, directions: [n_inputs]. Result: [n_outputs].
std::vector<ExprId> directional_derivatives(ExprPool& pool, std::span<const ExprId> outputs,
                                            std::span<const ExprId> inputs,
                                            std::span<const ExprId> directions);

/// Reverse mode: weights times Jacobian. weights: [n_outputs]. Result: [n_inputs].
std::vector<ExprId> weighted_gradient(ExprPool& pool, std::span<const ExprId> outputs,
                                      std::span<const ExprId> weights,
                                      std::span<const ExprId> inputs);

/// Reverse mode for one output. Result: [n_inputs].
std::vector<ExprId> gradient(ExprPool& pool, ExprId output, std::span<const ExprId> inputs);

/// Entries that are not identically zero, row by row.
struct SparseExprMatrix {
  std::uint32_t n_rows = 0;
  std::uint32_t n_columns = 0;
  std::vector<std::uint32_t> row_start;  // [n_rows + 1]
  std::vector<std::uint32_t> column;     // [n_entries], ascending in a row
  std::vector<ExprId> value;             // [n_entries]
};

/// Entry by entry: reverse mode for each row, so that a row costs what its equation costs.
SparseExprMatrix jacobian(ExprPool& pool, std::span<const ExprId> outputs,
                          std::span<const ExprId> inputs);

/// Second derivatives of one output; symmetric, both triangles stored.
SparseExprMatrix hessian(ExprPool& pool, ExprId output, std::span<const ExprId> inputs);

/// Which inputs each output depends on, before any derivative is formed (values unset).
SparseExprMatrix dependencies(const ExprPool& pool, std::span<const ExprId> outputs,
                              std::span<const ExprId> inputs);

}  // namespace alembert::symbolic
