// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Real roots of a polynomial on an interval that begins at 0. In: coefficients of
// powers, as a Taylor series gives them. Out: intervals with one root each, or the first root. By
// Bernstein coefficients and halving: their changes of sign bound the number of roots (Descartes),
// so that none is missed, not even a pair (Lane and Riesenfeld, BIT 21, 1981).
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace alembert::integrate {

class PolynomialRoots {
 public:
  explicit PolynomialRoots(std::size_t most_coefficients);

  /// Appends, ascending, the ends in (0, length] of intervals that hold one root each; roots closer
  /// than rounding are one.
  void separate(std::span<const double> coefficients, double length, std::vector<double>& ends);
  /// The first root in (0, length] behind which the polynomial is not of the given sign any more.
  /// A root at the start that leads to this sign is none.
  std::optional<double> first_change(std::span<const double> coefficients, double length,
                                     double sign);

 private:
  std::size_t n_;
  std::vector<double> stack_;  // [depth][n_]: Bernstein coefficients
  std::vector<double> work_;   // [n_]
  std::vector<double> ends_;
};

/// Horner's rule.
double polynomial_value(std::span<const double> coefficients, double x);

}  // namespace alembert::integrate
