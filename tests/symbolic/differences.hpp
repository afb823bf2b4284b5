// SPDX-License-Identifier: Apache-2.0
// Numerical derivatives as an oracle. In: a function and a point. Out: the derivative and how far
// it can be trusted.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::symbolic::testing {

struct Difference {
  double value;
  double error;  ///< an estimate from above: of rounding, and of truncation from two step sizes
};

/// Central difference of order 8.
template <class Function>
double difference_of_order_8(Function f, double x, double h, double& largest) {
  constexpr double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double total = 0;
  for (int k = 1; k <= 4; ++k) {
    const double right = f(x + k * h);
    const double left = f(x - k * h);
    largest = std::max({largest, std::abs(right), std::abs(left)});
    total += weights[k - 1] * (right - left);
  }
  return total / h;
}

template <class Function>
Difference central_difference(Function f, double x, double h = 0x1p-7) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double largest = 0;
  const double coarse = difference_of_order_8(f, x, 2 * h, largest);
  const double fine = difference_of_order_8(f, x, h, largest);
  // Truncation falls by 2^8 from coarse to fine; a rounding error of some eps a value is divided by
  // h.
  return {fine, std::abs(fine - coarse) / 16 + 100 * eps * (largest / h + std::abs(fine))};
}

}  // namespace alembert::symbolic::testing
