// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alembert::mechanics {

namespace {

constexpr double negligible_share = 1e-9;  // of a row in the combination of others

double largest(const std::vector<double>& row) {
  double size = 0;
  for (const double entry : row) size = std::max(size, std::abs(entry));
  return size;
}

void subtract(std::vector<double>& row, double factor, const std::vector<double>& other) {
  for (std::size_t j = 0; j < row.size(); ++j) row[j] -= factor * other[j];
}

}  // namespace

Elimination eliminate(NumberMatrix matrix, double threshold) {
  const std::size_t n_rows = matrix.size();
  const std::size_t n_columns = n_rows == 0 ? 0 : matrix.front().size();
  for (auto& row : matrix) {
    const double size = largest(row);
    if (size > 0)
      for (double& entry : row) entry /= size;
  }
  // What was done to the rows, to tell what a row that vanishes was made of.
  NumberMatrix history(n_rows, std::vector<double>(n_rows, 0));
  for (std::size_t i = 0; i < n_rows; ++i) history[i][i] = 1;

  Elimination result;
  std::vector<char> row_done(n_rows, 0), column_done(n_columns, 0);
  std::vector<Elimination::Pivot> best_of(n_rows);  // of each row, among the columns left
  const auto look = [&](std::size_t i) {
    best_of[i] = {i, n_columns, 0};
    for (std::size_t j = 0; j < n_columns; ++j)
      if (!column_done[j] && std::abs(matrix[i][j]) > best_of[i].size)
        best_of[i] = {i, j, std::abs(matrix[i][j])};
  };
  for (std::size_t i = 0; i < n_rows; ++i) look(i);
  for (std::size_t step = 0; step < std::min(n_rows, n_columns); ++step) {
    Elimination::Pivot best{0, 0, 0};
    for (std::size_t i = 0; i < n_rows; ++i)
      if (!row_done[i] && best_of[i].size > best.size) best = best_of[i];
    if (!(best.size > threshold)) break;
    row_done[best.row] = column_done[best.column] = 1;
    result.pivots.push_back(best);
    for (std::size_t i = 0; i < n_rows; ++i) {
      if (row_done[i] || matrix[i][best.column] == 0) continue;
      const double factor = matrix[i][best.column] / matrix[best.row][best.column];
      subtract(matrix[i], factor, matrix[best.row]);
      subtract(history[i], factor, history[best.row]);
      look(i);
    }
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (row_done[i]) continue;
    Elimination::DependentRow row{i, {}};
    for (std::size_t k = 0; k < n_rows; ++k)
      if (k != i && std::abs(history[i][k]) > negligible_share) row.others.push_back(k);
    result.dependent.push_back(std::move(row));
  }
  return result;
}

bool solve_dense(NumberMatrix a, NumberMatrix& b) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (!(std::abs(a[pivot][k]) > 0)) return false;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i][k] == 0) continue;
      const double factor = a[i][k] / a[k][k];
      subtract(a[i], factor, a[k]);
      subtract(b[i], factor, b[k]);
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (double& entry : b[k]) entry /= a[k][k];
  return true;
}

}  // namespace alembert::mechanics
