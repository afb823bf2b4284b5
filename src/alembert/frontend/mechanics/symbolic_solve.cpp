// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/symbolic_solve.hpp"

#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/frontend/mechanics/components.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/symbolic/simplify.hpp"

namespace alembert::mechanics {

using symbolic::Matrix;

namespace {

constexpr std::size_t largest_by_determinants = 4;

struct Block {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};

/// Rows and columns that hang together by entries that are not zero.
std::vector<Block> connected_blocks(const Matrix& a) {
  const std::size_t n = a.rows();
  std::vector<std::size_t> leader(2 * n);  // rows, then columns
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](std::size_t k) {
    while (leader[k] != k) k = leader[k] = leader[leader[k]];
    return k;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (!is_zero(a(i, j))) leader[find(i)] = find(n + j);
  std::vector<Block> blocks;
  std::vector<std::size_t> block_of(2 * n, 2 * n);
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const std::size_t top = find(k);
    if (block_of[top] == 2 * n) {
      block_of[top] = blocks.size();
      blocks.emplace_back();
    }
    Block& block = blocks[block_of[top]];
    if (k < n)
      block.rows.push_back(k);
    else
      block.columns.push_back(k - n);
  }
  return blocks;
}

Matrix part_of(const Matrix& a, const Block& block) {
  Matrix part(block.rows.size(), block.columns.size());
  for (std::size_t i = 0; i < block.rows.size(); ++i)
    for (std::size_t j = 0; j < block.columns.size(); ++j)
      part(i, j) = a(block.rows[i], block.columns[j]);
  return part;
}

void solve_by_determinants(const Matrix& a, const Matrix& b, const Block& block, Matrix& x) {
  const Matrix part = part_of(a, block);
  const std::size_t n = part.rows();
  const Expr whole = symbolic::simplify(determinant(part));
  // Column j of the adjugate's numbers, used for every right side.
  Matrix cofactors(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Matrix minor(n - 1, n - 1);
      for (std::size_t k = 0; k + 1 < n; ++k)
        for (std::size_t l = 0; l + 1 < n; ++l)
          minor(k, l) = part(k < i ? k : k + 1, l < j ? l : l + 1);
      const Expr value = n == 1 ? Expr(1) : symbolic::simplify(determinant(minor));
      cofactors(i, j) = (i + j) % 2 == 0 ? value : -value;
    }
  for (std::size_t c = 0; c < b.columns(); ++c)
    for (std::size_t j = 0; j < n; ++j) {
      Expr total = 0;
      for (std::size_t i = 0; i < n; ++i) total += cofactors(i, j) * b(block.rows[i], c);
      x(block.columns[j], c) = total / whole;
    }
}

void solve_by_elimination(const Matrix& a, const Matrix& b, const NumberMatrix& numbers,
                          const Block& block, Matrix& x) {
  const std::size_t n = block.rows.size();
  Matrix left = part_of(a, block);
  Matrix right(n, b.columns());
  NumberMatrix size(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < b.columns(); ++c) right(i, c) = b(block.rows[i], c);
    for (std::size_t j = 0; j < n; ++j) size[i][j] = numbers[block.rows[i]][block.columns[j]];
  }
  const Elimination order = eliminate(size);
  ensure(order.pivots.size() == n, "the system is regular at the given values");
  std::vector<char> done(n, 0);
  for (const auto& pivot : order.pivots) {
    done[pivot.row] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (done[i] || is_zero(left(i, pivot.column))) continue;
      const Expr factor = left(i, pivot.column) / left(pivot.row, pivot.column);
      for (std::size_t j = 0; j < n; ++j)
        if (!is_zero(left(pivot.row, j)))
          left(i, j) = j == pivot.column ? Expr(0) : left(i, j) - factor * left(pivot.row, j);
      for (std::size_t c = 0; c < b.columns(); ++c) right(i, c) -= factor * right(pivot.row, c);
    }
  }
  for (auto pivot = order.pivots.rbegin(); pivot != order.pivots.rend(); ++pivot)
    for (std::size_t c = 0; c < b.columns(); ++c) {
      Expr total = right(pivot->row, c);
      for (auto known = order.pivots.rbegin(); known != pivot; ++known)
        total -= left(pivot->row, known->column) * x(block.columns[known->column], c);
      x(block.columns[pivot->column], c) = total / left(pivot->row, pivot->column);
    }
}

}  // namespace

Matrix solve_symbolic(symbolic::ExprPool& pool, const Matrix& a, const Matrix& b,
                      const symbolic::Values& values) {
  Matrix x(a.columns(), b.columns());
  const NumberMatrix numbers = evaluate_matrix(pool, a, values, 1.0);
  for (const Block& block : connected_blocks(a)) {
    ensure(block.rows.size() == block.columns.size(), "a regular matrix has square blocks");
    if (block.rows.size() <= largest_by_determinants)
      solve_by_determinants(a, b, block, x);
    else
      solve_by_elimination(a, b, numbers, block, x);
  }
  return x;
}

}  // namespace alembert::mechanics
