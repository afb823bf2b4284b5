// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The functions of LAPACK that models call before and during a
// run: elimination with row exchanges, and what is solved with it. Matrices are row-major here;
// pivots count from 1.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"

namespace alembert::modelica {

namespace {

struct Elimination {
  std::vector<double> entries;  // [n_rows * n_columns]: L below the diagonal, U on and above it
  std::vector<std::int64_t> pivots;
  std::int64_t first_zero = 0;  // 0: none; else the number of the first pivot that vanished
};

Elimination eliminated(std::vector<double> a, std::size_t n_rows, std::size_t n_columns) {
  Elimination result;
  const std::size_t n = std::min(n_rows, n_columns);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n_rows; ++i)
      if (std::abs(a[i * n_columns + k]) > std::abs(a[best * n_columns + k])) best = i;
    result.pivots.push_back(static_cast<std::int64_t>(best) + 1);
    if (best != k)
      for (std::size_t j = 0; j < n_columns; ++j)
        std::swap(a[k * n_columns + j], a[best * n_columns + j]);
    const double pivot = a[k * n_columns + k];
    if (pivot == 0) {
      if (result.first_zero == 0) result.first_zero = static_cast<std::int64_t>(k) + 1;
      continue;
    }
    for (std::size_t i = k + 1; i < n_rows; ++i) {
      const double factor = a[i * n_columns + k] / pivot;
      a[i * n_columns + k] = factor;
      for (std::size_t j = k + 1; j < n_columns; ++j)
        a[i * n_columns + j] -= factor * a[k * n_columns + j];
    }
  }
  result.entries = std::move(a);
  return result;
}

/// Solves L U X = P B in place; B is [n, n_right].
void solve(const std::vector<double>& lu, const std::vector<std::int64_t>& pivots, std::size_t n,
           std::vector<double>& b, std::size_t n_right) {
  for (std::size_t k = 0; k < n; ++k) {
    const auto other = static_cast<std::size_t>(pivots[k] - 1);
    if (other != k)
      for (std::size_t j = 0; j < n_right; ++j)
        std::swap(b[k * n_right + j], b[other * n_right + j]);
  }
  for (std::size_t j = 0; j < n_right; ++j) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) b[i * n_right + j] -= lu[i * n + k] * b[k * n_right + j];
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k)
        b[i * n_right + j] -= lu[i * n + k] * b[k * n_right + j];
      b[i * n_right + j] /= lu[i * n + i];
    }
  }
}

std::size_t rows_of(const ExternalCall& call, std::size_t k) {
  return call.argument(k).dims.empty() ? 1 : static_cast<std::size_t>(call.argument(k).dims[0]);
}

std::size_t columns_of(const ExternalCall& call, std::size_t k) {
  return call.argument(k).dims.size() < 2 ? 1 : static_cast<std::size_t>(call.argument(k).dims[1]);
}

std::vector<std::int64_t> pivots_of(const ExternalCall& call, std::size_t k) {
  std::vector<std::int64_t> pivots;
  for (const double pivot : call.numbers(k)) pivots.push_back(static_cast<std::int64_t>(pivot));
  return pivots;
}

/// dgesv(n, nrhs, A, lda, ipiv, B, ldb, info)
void dgesv(ExternalCall& call) {
  const std::size_t n = rows_of(call, 2);
  Elimination lu = eliminated(call.numbers(2), n, n);
  std::vector<double> b = call.numbers(5);
  if (lu.first_zero == 0) solve(lu.entries, lu.pivots, n, b, columns_of(call, 5));
  call.outputs[4] = call.integers_like(4, lu.pivots);
  call.outputs[5] = call.reals_like(5, b);
  call.outputs[7] = call.integer_value(lu.first_zero);
}

/// dgetrf(m, n, A, lda, ipiv, info)
void dgetrf(ExternalCall& call) {
  const Elimination lu = eliminated(call.numbers(2), rows_of(call, 2), columns_of(call, 2));
  call.outputs[2] = call.reals_like(2, lu.entries);
  call.outputs[4] = call.integers_like(4, lu.pivots);
  call.outputs[5] = call.integer_value(lu.first_zero);
}

/// dgetrs(trans, n, nrhs, LU, lda, ipiv, B, ldb, info)
void dgetrs(ExternalCall& call) {
  std::vector<double> b = call.numbers(6);
  solve(call.numbers(3), pivots_of(call, 5), rows_of(call, 3), b, columns_of(call, 6));
  call.outputs[6] = call.reals_like(6, b);
  call.outputs[8] = call.integer_value(0);
}

/// dgetri(n, LU, lda, ipiv, work, lwork, info)
void dgetri(ExternalCall& call) {
  const std::size_t n = rows_of(call, 1);
  std::vector<double> inverse(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  solve(call.numbers(1), pivots_of(call, 3), n, inverse, n);
  call.outputs[1] = call.reals_like(1, inverse);
  call.outputs[6] = call.integer_value(0);
}

}  // namespace

ExternalFunction find_matrix_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"dgesv", dgesv},
      {"dgetrf", dgetrf},
      {"dgetrs", dgetrs},
      {"dgetri", dgetri},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
