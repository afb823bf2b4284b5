// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/undetermined.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "alembert/structure/elimination.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/system_jacobian.hpp"

namespace alembert::structure {

namespace {

/// Of a matrix whose rows and columns have entries of size 1. What modes take out leaves rounding.
constexpr double least_pivot = 1e-13;
/// Rows that are to be pivots behind the others are as small as this beside them.
constexpr double behind = 1e-3;

/// Rows and columns in turn, so that units do not matter (Ruiz 2001).
void balance(const graph::IndexLists& rows, std::size_t n_columns, std::vector<double>& numbers) {
  constexpr int rounds = 8;
  std::vector<double> of_columns(n_columns);
  for (int round = 0; round < rounds; ++round) {
    std::ranges::fill(of_columns, 0.0);
    for (Index i = 0; i < rows.size(); ++i) {
      double largest = 0;
      for (Index k = rows.begin[i]; k < rows.begin[i + 1]; ++k)
        largest = std::max(largest, std::abs(numbers[k]));
      for (Index k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
        if (largest > 0) numbers[k] /= largest;
        double& column = of_columns[rows.items[k]];
        column = std::max(column, std::abs(numbers[k]));
      }
    }
    for (std::size_t k = 0; k < rows.items.size(); ++k)
      if (const double size = of_columns[rows.items[k]]; size > 0) numbers[k] /= size;
  }
}

}  // namespace

BlockDiagonal block_diagonal(const SimplifiedSystem& simplified, const StructuralPlan& plan) {
  BlockDiagonal matrix;
  SystemJacobian jacobian(simplified.flat, simplified.residuals, plan);
  for (const JacobianBlock& block : jacobian_blocks(plan, 1, most_unknowns_held_among)) {
    matrix.equations.insert(matrix.equations.end(), block.equations.begin(), block.equations.end());
    for (const std::vector<ExprEntry>& row : jacobian.sparse(block)) {
      for (const ExprEntry& entry : row) {
        matrix.incidence.items.push_back(block.unknowns[entry.column]);
        matrix.entries.push_back(entry.value);
      }
      matrix.incidence.end_list();
    }
  }
  return matrix;
}

std::vector<Undetermined> find_undetermined(const SimplifiedSystem& simplified,
                                            const StructuralPlan& plan, const BlockDiagonal& matrix,
                                            std::vector<double> numbers) {
  const std::size_t n = plan.highest_order.size();
  if (matrix.equations.size() != n) return {};  // a block was too large
  // A slope without a value is a slope.
  std::ranges::replace_if(
      numbers, [](double v) { return !std::isfinite(v); }, 1.0);
  balance(matrix.incidence, n, numbers);
  const symbolic::ExprPool& pool = *simplified.flat.pool;
  std::vector<Index> rows(n), all(n), algebraic;
  std::iota(rows.begin(), rows.end(), Index{0});
  std::iota(all.begin(), all.end(), Index{0});
  std::ranges::stable_sort(all, {},
                           [&](Index j) { return pool.hash(simplified.flat.unknowns[j].symbol); });
  std::ranges::copy_if(all, std::back_inserter(algebraic),
                       [&](Index j) { return plan.highest_order[j] == 0; });
  // Of equations that repeat each other one is left out that was not differentiated: the others
  // come first.
  std::vector<double> row_sizes(n, 0.0);
  for (const Index i : rows)
    if (plan.differentiations[matrix.equations[i]] == 0)
      row_sizes[i] =
          Elimination::length_of({numbers.data() + matrix.incidence.begin[i],
                                  matrix.incidence.begin[i + 1] - matrix.incidence.begin[i]}) /
          behind;
  Elimination elimination(matrix.incidence, static_cast<Index>(n), numbers, row_sizes);
  const std::vector<Index> repeated = elimination.left_over(rows, all, least_pivot).rows;
  // Directions in which algebraic unknowns alone can move.
  const std::vector<Index> free = elimination.left_over(rows, algebraic, least_pivot).columns;
  if (repeated.empty() || free.size() != repeated.size()) return {};
  std::vector<Undetermined> found;
  for (std::size_t k = 0; k < repeated.size(); ++k) {
    const Index equation = matrix.equations[repeated[k]];
    if (plan.differentiations[equation] > 0) return {};
    found.push_back({equation, free[k]});
  }
  return found;
}

std::vector<HeldUnknown> hold(const flat::FlatSystem& given, SimplifiedSystem& simplified,
                              std::span<const Undetermined> undetermined) {
  symbolic::ExprPool& pool = *simplified.flat.pool;
  std::vector<HeldUnknown> held;
  for (const Undetermined& one : undetermined) {
    held.push_back(
        {one, simplified.residuals[one.equation], text_as_given(given, simplified, one.equation)});
    flat::FlatEquation& replaced = simplified.flat.equations[one.equation];
    replaced.left = pool.derivative_symbol(simplified.flat.unknowns[one.unknown].symbol);
    replaced.right = pool.number(0);
    replaced.origin.derived_from = "nothing determines it";
    simplified.residuals[one.equation] = residual(pool, replaced.left, replaced.right);
  }
  return held;
}

}  // namespace alembert::structure
