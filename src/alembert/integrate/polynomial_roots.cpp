// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/polynomial_roots.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

namespace {

/// Intervals are halved this often at most; what is then left is a cluster within rounding.
constexpr std::size_t deepest = 46;

int sign_changes(std::span<const double> values) {
  int changes = 0;
  double last = 0;
  for (const double value : values) {
    if (value == 0 || std::isnan(value)) continue;
    if (last != 0 && (value > 0) != (last > 0)) ++changes;
    last = value;
  }
  return changes;
}

}  // namespace

double polynomial_value(std::span<const double> coefficients, double x) {
  double value = 0;
  for (std::size_t k = coefficients.size(); k-- > 0;) value = value * x + coefficients[k];
  return value;
}

PolynomialRoots::PolynomialRoots(std::size_t most_coefficients)
    : n_(most_coefficients), stack_((deepest + 2) * most_coefficients), work_(most_coefficients) {
  ends_.reserve(2 * most_coefficients);
}

void PolynomialRoots::separate(std::span<const double> coefficients, double length,
                               std::vector<double>& ends) {
  const std::size_t n = coefficients.size();
  if (n < 2) return;
  // b_i = sum over k <= i of C(i, k) / C(n - 1, k) times a_k, by differences.
  double power = 1;
  double weight = 1;  // 1 / C(n - 1, k)
  for (std::size_t k = 0; k < n; ++k) {
    work_[k] = coefficients[k] * power * weight;
    power *= length;
    weight *= double(k + 1) / double(n - 1 - k > 0 ? n - 1 - k : 1);
  }
  for (std::size_t round = 1; round < n; ++round)
    for (std::size_t k = n - 1; k >= round; --k) work_[k] += work_[k - 1];
  // After these sums work_[i] is the i-th Bernstein coefficient.
  struct Interval {
    double begin, width;
    std::size_t depth;
  };
  Interval stack[deepest + 2];
  std::size_t top = 0;
  stack[0] = {0, length, 0};
  std::copy_n(work_.begin(), n, stack_.begin());
  for (++top; top > 0;) {
    const Interval interval = stack[--top];
    double* b = stack_.data() + top * n_;
    const int changes = sign_changes({b, n});
    if (changes == 0 && b[n - 1] != 0) continue;
    if (changes <= 1 || interval.depth == deepest) {
      if (changes > 0 || b[n - 1] == 0) ends.push_back(interval.begin + interval.width);
      continue;
    }
    // De Casteljau: the right half stays in place, the left half comes on top of it.
    double* left = stack_.data() + (top + 1) * n_;
    for (std::size_t round = 0; round < n; ++round) {
      left[round] = b[0];
      for (std::size_t i = 0; i + 1 < n - round; ++i) b[i] = 0.5 * (b[i] + b[i + 1]);
    }
    // b now holds, from the end, the coefficients of the right half.
    const double half = 0.5 * interval.width;
    stack[top++] = {interval.begin + half, half, interval.depth + 1};
    stack[top++] = {interval.begin, half, interval.depth + 1};
  }
}

std::optional<double> PolynomialRoots::first_change(std::span<const double> coefficients,
                                                    double length, double sign) {
  ends_.clear();
  separate(coefficients, length, ends_);
  double before = 0;
  for (const double end : ends_) {
    double after = end;
    if (polynomial_value(coefficients, after) * sign >= 0) {
      before = after;
      continue;
    }
    double left = before;
    while (after - left > 4 * eps * after) {
      const double middle = 0.5 * (left + after);
      if (middle <= left || middle >= after) break;
      (polynomial_value(coefficients, middle) * sign < 0 ? after : left) = middle;
    }
    return after;
  }
  return std::nullopt;
}

}  // namespace alembert::integrate
