// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for implicit steppers with a fixed step. When a simplified Newton iteration is
// near enough: the error left, from the rate of its changes, lies far below the tolerance.
#pragma once

#include <algorithm>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

class NewtonRate {
 public:
  static constexpr int most_iterations = 12;

  explicit NewtonRate(double relative_tolerance)
      : goal_(std::max(1e-5, 100 * eps / relative_tolerance)) {}

  enum class Verdict { go_on, converged, diverges };
  /// `change` is the size of the iteration's last change, in units of the tolerance.
  Verdict after(double change) {
    const double rate = last_ > 0 ? change / last_ : 0.5;
    const bool first = last_ == 0;
    last_ = change;
    if (!(change < infinity)) return Verdict::diverges;
    if (change <= goal_ || (!first && rate < 1 && change * rate / (1 - rate) <= goal_))
      return Verdict::converged;
    return !first && rate > 2 ? Verdict::diverges : Verdict::go_on;
  }

 private:
  double goal_;
  double last_ = 0;
};

}  // namespace alembert::integrate
