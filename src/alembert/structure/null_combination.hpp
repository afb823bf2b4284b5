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
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

using symbolic::ExprId;
using ExprMatrix = std::vector<std::vector<ExprId>>;  // [n][n], row by row

/// Made-up values by the names of symbols: the same in every run, whatever the order of a model.
symbolic::Values generic_point(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                               unsigned number);

/// Under which something is zero.
struct Assumption {
  const symbolic::Values* known = nullptr;  ///< others have made-up values
  double zero = 1e-10;                      ///< beside what a number is the difference of
};

/// With zeros in place of entries that vanish, each beside the sizes of its terms.
ExprMatrix without_vanishing(symbolic::ExprPool& pool, ExprMatrix matrix,
                             const Assumption& assumption);

/// Rows that are dependent whatever the values of the symbols, none of them needless. Empty if
/// there are none such, also where an entry has no value at the points tried.
std::vector<std::size_t> dependent_rows_of(const symbolic::ExprPool& pool, const ExprMatrix& matrix,
                                           const Assumption& assumption = {});

/// The vector divided by its k-th entry; nothing if that divided by something more than before that
/// varies, and so could vanish.
std::optional<std::vector<ExprId>> divided_by(symbolic::ExprPool& pool,
                                              std::span<const ExprId> vector, std::size_t k);

struct ExprEntry {
  graph::Index column;
  ExprId value;
};

/// The same by whole numbers, of those rows alone that have no other entries; sparse, of any size.
/// Nothing if they are independent.
std::optional<std::vector<ExprId>> integer_combination(symbolic::ExprPool& pool,
                                                       std::span<const std::vector<ExprEntry>> rows,
                                                       graph::Index n_columns);

/// The same of these rows by formulas, zero for all others. Nothing if they are independent, or too
/// many for formulas.
std::optional<std::vector<ExprId>> null_combination(symbolic::ExprPool& pool,
                                                    const ExprMatrix& matrix,
                                                    std::span<const std::size_t> rows,
                                                    const Assumption& assumption = {});

/// The same by numbers, of any size; nothing where no numbers do at all points.
std::optional<std::vector<ExprId>> number_combination(symbolic::ExprPool& pool,
                                                      const ExprMatrix& matrix,
                                                      std::span<const std::size_t> rows,
                                                      const Assumption& assumption = {});

/// Small whole numbers in the proportion of these; empty if there are none.
std::vector<std::int64_t> whole_numbers(std::span<const double> values);

}  // namespace alembert::structure
