// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/jacobian.hpp"

#include <string>

#include "alembert/compile/lower.hpp"
#include "alembert/graph/column_colouring.hpp"
#include "alembert/symbolic/derivative.hpp"

namespace alembert::compile {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::SparseExprMatrix;

namespace {

graph::Colouring colour(const SparseExprMatrix& pattern) {
  return graph::column_colouring(graph::BipartiteGraph(
      pattern.n_columns, graph::IndexLists{pattern.row_start, pattern.column}));
}

/// The entries of a Jacobian by one directional derivative a colour.
SparseExprMatrix by_colour(ExprPool& pool, std::span<const ExprId> outputs,
                           std::span<const ExprId> by, const SparseExprMatrix& pattern,
                           const graph::Colouring& colouring) {
  const ExprId zero = pool.number(0);
  const ExprId one = pool.number(1);
  std::vector<std::vector<ExprId>> compressed;  // [n_colours][n_outputs]
  for (graph::Index c = 0; c < colouring.n_colours; ++c) {
    std::vector<ExprId> direction(by.size(), zero);
    for (std::size_t j = 0; j < by.size(); ++j)
      if (colouring.colour[j] == c) direction[j] = one;
    compressed.push_back(directional_derivatives(pool, outputs, by, direction));
  }
  SparseExprMatrix matrix;
  matrix.n_rows = pattern.n_rows;
  matrix.n_columns = pattern.n_columns;
  matrix.row_start.push_back(0);
  for (std::uint32_t i = 0; i < pattern.n_rows; ++i) {
    for (std::uint32_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      const ExprId value = compressed[colouring.colour[pattern.column[k]]][i];
      if (value == zero) continue;
      matrix.column.push_back(pattern.column[k]);
      matrix.value.push_back(value);
    }
    matrix.row_start.push_back(static_cast<std::uint32_t>(matrix.column.size()));
  }
  return matrix;
}

JacobianTape to_tape(const ExprPool& pool, const SparseExprMatrix& matrix,
                     const Arguments& arguments, JacobianMethod method) {
  return {.tape = lower(pool, arguments.inputs, arguments.parameters, matrix.value),
          .pattern = {matrix.n_rows, matrix.n_columns, matrix.row_start, matrix.column},
          .method = method,
          .n_colours = 0};
}

}  // namespace

JacobianTape jacobian_tape(ExprPool& pool, std::span<const ExprId> outputs,
                           std::span<const ExprId> by, const Arguments& arguments,
                           JacobianMethod method) {
  const SparseExprMatrix pattern = dependencies(pool, outputs, by);
  const graph::Colouring colouring = colour(pattern);
  JacobianTape best;
  if (method != JacobianMethod::by_colour)
    best = to_tape(pool, jacobian(pool, outputs, by), arguments, JacobianMethod::by_entry);
  // Forward mode touches every output once a colour; with many colours it cannot win.
  const bool worth_trying = colouring.n_colours <= 64;
  if (method == JacobianMethod::by_colour ||
      (method == JacobianMethod::fewest_operations && worth_trying)) {
    JacobianTape other = to_tape(pool, by_colour(pool, outputs, by, pattern, colouring), arguments,
                                 JacobianMethod::by_colour);
    if (method == JacobianMethod::by_colour ||
        operation_count(other.tape) < operation_count(best.tape))
      best = std::move(other);
  }
  best.n_colours = colouring.n_colours;
  return best;
}

Tape gradient_tape(ExprPool& pool, ExprId output, std::span<const ExprId> by,
                   const Arguments& arguments) {
  return lower(pool, arguments.inputs, arguments.parameters, gradient(pool, output, by));
}

Tape jacobian_vector_tape(ExprPool& pool, std::span<const ExprId> outputs,
                          std::span<const ExprId> by, const Arguments& arguments) {
  std::vector<ExprId> inputs(arguments.inputs.begin(), arguments.inputs.end());
  std::vector<ExprId> directions;
  for (std::size_t j = 0; j < by.size(); ++j) {
    // Names that no model can have, so that they never meet a symbol of the user's.
    directions.push_back(pool.unknown("direction of " + pool.symbol_text(by[j])));
    inputs.push_back(directions.back());
  }
  return lower(pool, inputs, arguments.parameters,
               directional_derivatives(pool, outputs, by, directions));
}

}  // namespace alembert::compile
