// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Rank and null vectors of small matrices of expressions. In: entries. Out:
// whether the matrix is singular whatever the values of its symbols, or of those that have no value
// yet, by elimination in numbers at two points without a pattern; and expressions u, not all zero,
// with u * matrix = 0 identically.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/structure/judged_numbers.hpp"

namespace alembert::structure {

using ExprMatrix = std::vector<std::vector<ExprId>>;  // [n][n], row by row

/// With zeros in place of entries that are rounding. Here and below, symbols that are `known` have
/// their values.
ExprMatrix without_vanishing(symbolic::ExprPool& pool, ExprMatrix matrix,
                             const symbolic::Values* known = nullptr);

/// Rows that are dependent whatever the values of the symbols, none of them needless. Empty if
/// there are none such, also where an entry has no value at the points tried.
std::vector<std::size_t> dependent_rows_of(const symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                           const symbolic::Values* known = nullptr);

struct NullVector {
  std::vector<ExprId> factors;  // [n rows]
  /// [n rows]: how large the sum of sizes is that a factor was made of, beside it.
  std::vector<double> doubts;
};

/// The vector divided by its k-th entry; nothing if that divided by something more than before that
/// varies, and so could vanish.
std::optional<std::vector<ExprId>> divided_by(symbolic::ExprPool& pool,
                                              std::span<const ExprId> vector, std::size_t k);

struct ExprEntry {
  graph::Index column;
  ExprId value;
};

/// Columns that have entries, and of which the rows, each as doubtful as this, sum up to rounding.
std::vector<graph::Index> vanishing_columns(const symbolic::ExprPool& pool,
                                            std::span<const std::vector<ExprEntry>> rows,
                                            graph::Index n_columns, std::span<const double> doubts,
                                            const symbolic::Values* known = nullptr);

/// The same by whole numbers, of those rows alone that have no other entries; sparse, of any size.
/// Nothing if they are independent.
std::optional<NullVector> integer_combination(symbolic::ExprPool& pool,
                                              std::span<const std::vector<ExprEntry>> rows,
                                              graph::Index n_columns);

/// The same of these rows by formulas, zero for all others. Nothing if they are independent, or too
/// many for formulas.
std::optional<NullVector> null_combination(symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                           std::span<const std::size_t> rows,
                                           const symbolic::Values* known = nullptr);

/// The same by numbers, of any size; nothing where no numbers do at all points.
std::optional<NullVector> number_combination(symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                             std::span<const std::size_t> rows,
                                             const symbolic::Values* known = nullptr);

/// Small whole numbers in the proportion of these, which are so exact; empty if there are none.
std::vector<std::int64_t> whole_numbers(std::span<const double> values, double exactness);

}  // namespace alembert::structure
