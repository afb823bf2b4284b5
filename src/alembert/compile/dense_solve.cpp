// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/dense_solve.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace alembert::compile {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

bool scale_columns(std::size_t n, double* matrix, double* column_scale) {
  for (std::size_t j = 0; j < n; ++j) {
    double largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double size = std::fabs(matrix[i * n + j]);
      if (size > largest) largest = size;
    }
    column_scale[j] = scale_to_one(largest);
    if (column_scale[j] == 0.0) return false;
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + j] *= column_scale[j];
  }
  return true;
}

// Row k becomes the one with the largest entry in column k, of those not used yet; the first of
// equals.
void choose_pivot(std::size_t n, std::size_t k, double* matrix, double* rhs) {
  std::size_t best = k;
  for (std::size_t i = k + 1; i < n; ++i)
    if (std::fabs(matrix[i * n + k]) > std::fabs(matrix[best * n + k])) best = i;
  if (best == k) return;
  for (std::size_t j = k; j < n; ++j) std::swap(matrix[k * n + j], matrix[best * n + j]);
  std::swap(rhs[k], rhs[best]);
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
  const double smallest_pivot = static_cast<double>(n) * epsilon;
  for (std::size_t k = 0; k < n; ++k) {
    choose_pivot(n, k, matrix, rhs);
    const double* pivot_row = matrix + k * n;
    if (!(std::fabs(pivot_row[k]) >= smallest_pivot)) return false;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* row = matrix + i * n;
      if (row[k] == 0.0) continue;
      const double factor = row[k] / pivot_row[k];
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= factor * pivot_row[j];
      rhs[i] -= factor * rhs[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) rhs[k] -= matrix[k * n + j] * rhs[j];
    rhs[k] /= matrix[k * n + k];
  }
  for (std::size_t j = 0; j < n; ++j) rhs[j] *= column_scale[j];
  return true;
}

}  // namespace alembert::compile
