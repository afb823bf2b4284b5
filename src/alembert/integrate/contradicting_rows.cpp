// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/contradicting_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alembert::integrate {

std::vector<std::size_t> contradicting_rows(std::span<const double> jacobian,
                                            std::span<const double> residuals) {
  constexpr double rounding = 1e-10, clear = 1e-6;
  const std::size_t n_rows = residuals.size();
  const std::size_t n = n_rows == 0 ? 0 : jacobian.size() / n_rows;
  // Each row with its residual, and as which combination of the equations it came about.
  struct Row {
    std::vector<double> slopes, parts;
    double residual;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < n_rows; ++i) {
    Row row{std::vector<double>(n), std::vector<double>(n_rows, 0.0), residuals[i]};
    double largest = 0;
    for (std::size_t j = 0; j < n; ++j) {
      row.slopes[j] = jacobian[j * n_rows + i];
      largest = std::max(largest, std::abs(row.slopes[j]));
    }
    const double scale = largest > 0 ? 1 / largest : 1;
    for (double& slope : row.slopes) slope *= scale;
    row.residual *= scale;
    row.parts[i] = 1;
    rows.push_back(std::move(row));
  }
  std::size_t n_done = 0;
  for (; n_done < n_rows; ++n_done) {
    std::size_t pivot_row = n_done, pivot = 0;
    double largest = 0;
    for (std::size_t i = n_done; i < n_rows; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (std::abs(rows[i].slopes[j]) > largest) {
          largest = std::abs(rows[i].slopes[j]);
          pivot_row = i;
          pivot = j;
        }
    if (largest <= rounding) break;
    std::swap(rows[n_done], rows[pivot_row]);
    const Row& by = rows[n_done];
    for (std::size_t i = n_done + 1; i < n_rows; ++i) {
      const double factor = rows[i].slopes[pivot] / by.slopes[pivot];
      if (factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) rows[i].slopes[j] -= factor * by.slopes[j];
      for (std::size_t k = 0; k < n_rows; ++k) rows[i].parts[k] -= factor * by.parts[k];
      rows[i].residual -= factor * by.residual;
    }
  }
  // What is left has no unknowns any more.
  std::vector<std::size_t> fewest;
  for (std::size_t i = n_done; i < n_rows; ++i) {
    if (!(std::abs(rows[i].residual) > clear)) continue;
    std::vector<std::size_t> set;
    for (std::size_t k = 0; k < n_rows; ++k)
      if (std::abs(rows[i].parts[k]) > rounding) set.push_back(k);
    if (fewest.empty() || set.size() < fewest.size()) fewest = std::move(set);
  }
  return fewest;
}

}  // namespace alembert::integrate
