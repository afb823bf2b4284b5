// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/dense_solve.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "alembert/base/constants.hpp"

namespace alembert::compile {
namespace {

bool scale_columns(std::size_t n, double* matrix, double* column_scale) {
  // Row by row, as the matrix lies in memory.
  for (std::size_t j = 0; j < n; ++j) column_scale[j] = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double size = std::fabs(matrix[i * n + j]);
      if (size > column_scale[j]) column_scale[j] = size;
    }
  for (std::size_t j = 0; j < n; ++j) {
    column_scale[j] = scale_to_one(column_scale[j]);
    if (column_scale[j] == 0.0) return false;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] *= column_scale[j];
  return true;
}

// Below which rows the first columns are zero: long chains and networks have narrow matrices, and
// to look at all of their zeros would cost more than to eliminate what is there.
class RowBounds {
 public:
  RowBounds(std::size_t n, const double* matrix) : n_(n), known_(n >= fewest && n <= most) {
    if (!known_) return;
    for (std::size_t j = 0; j < n; ++j) end_[j] = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (matrix[i * n + j] != 0.0) end_[j] = static_cast<std::uint16_t>(i + 1);
    // What is filled in by elimination and by exchanging rows stays above the bound of an earlier
    // column.
    for (std::size_t j = 1; j < n; ++j) end_[j] = end_[j] < end_[j - 1] ? end_[j - 1] : end_[j];
  }

  std::size_t end(std::size_t column) const { return known_ ? end_[column] : n_; }

 private:
  static constexpr std::size_t fewest = 16;  // unknowns; for fewer, looking for bounds costs more
  static constexpr std::size_t most = 1024;  // unknowns; the bounds are kept on the stack

  std::size_t n_;
  bool known_;
  std::uint16_t end_[most];
};

// Row k becomes the one with the largest entry in column k, of those not used yet; the first of
// equals.
void choose_pivot(std::size_t n, std::size_t k, std::size_t end, double* matrix, double* rhs) {
  std::size_t best = k;
  for (std::size_t i = k + 1; i < end; ++i)
    if (std::fabs(matrix[i * n + k]) > std::fabs(matrix[best * n + k])) best = i;
  if (best == k) return;
  for (std::size_t j = k; j < n; ++j) std::swap(matrix[k * n + j], matrix[best * n + j]);
  std::swap(rhs[k], rhs[best]);
}

std::size_t end_of_row(const double* row, std::size_t begin, std::size_t n) {
  while (n > begin && row[n - 1] == 0.0) --n;
  return n;
}

}  // namespace

double scale_to_one(double largest) {
  constexpr std::uint64_t exponent_bits = 0x7ff0000000000000u;
  const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(largest) & exponent_bits);
  return power == 0.0 ? 0.0 : 1.0 / power;
}

bool scale_rows(std::size_t n, double* matrix, double* row_scale) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = matrix + i * n;
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double size = std::fabs(row[j]);
      if (size > largest) largest = size;
    }
    row_scale[i] = scale_to_one(largest);
    if (row_scale[i] == 0.0) return false;
    for (std::size_t j = 0; j < n; ++j) row[j] *= row_scale[i];
  }
  return true;
}

bool solve_dense(std::size_t n, double* matrix, double* rhs, double* column_scale) {
  if (!scale_columns(n, matrix, column_scale)) return false;
  const RowBounds bounds(n, matrix);
  const double smallest_pivot = static_cast<double>(n) * eps;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t end = bounds.end(k);
    choose_pivot(n, k, end, matrix, rhs);
    const double* pivot_row = matrix + k * n;
    if (!(std::fabs(pivot_row[k]) >= smallest_pivot)) return false;
    const std::size_t row_end = end_of_row(pivot_row, k + 1, n);
    for (std::size_t i = k + 1; i < end; ++i) {
      double* row = matrix + i * n;
      if (row[k] == 0.0) continue;
      const double factor = row[k] / pivot_row[k];
      for (std::size_t j = k + 1; j < row_end; ++j) row[j] -= factor * pivot_row[j];
      rhs[i] -= factor * rhs[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    const double* row = matrix + k * n;
    const std::size_t row_end = end_of_row(row, k + 1, n);
    for (std::size_t j = k + 1; j < row_end; ++j) rhs[k] -= row[j] * rhs[j];
    rhs[k] /= row[k];
  }
  for (std::size_t j = 0; j < n; ++j) rhs[j] *= column_scale[j];
  return true;
}

}  // namespace alembert::compile
