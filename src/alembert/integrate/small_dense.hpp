// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for its own files. Small dense systems in arrays that are there already.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

namespace alembert::integrate {

inline bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

/// A x = b in place, by elimination with row exchanges; false where A is singular.
inline bool solve_dense(std::span<double> a, std::span<double> b) {
  const std::size_t n = b.size();
  if (n == 1) {
    b[0] /= a[0];
    return std::abs(a[0]) > 0;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (!(std::abs(a[pivot * n + k]) > 0)) return false;
    if (pivot != k) {
      std::swap_ranges(a.begin() + static_cast<std::ptrdiff_t>(k * n),
                       a.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                       a.begin() + static_cast<std::ptrdiff_t>(pivot * n));
      std::swap(b[k], b[pivot]);
    }
    const double inverse = 1 / a[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] * inverse;
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return true;
}

}  // namespace alembert::integrate
