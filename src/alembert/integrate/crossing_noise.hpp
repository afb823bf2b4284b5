// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. How much crossing functions answer to rounding. In: a time and the states. Out:
// for each crossing function how much it may change when both are disturbed in their last places,
// by some such disturbances. Where a function is no larger than that, as a small difference of
// large unknowns that an equation makes zero, its comparison is one of equals: its sign means
// nothing.
#pragma once

#include <span>
#include <vector>

#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class CrossingNoise {
 public:
  explicit CrossingNoise(ModelPoint& point) : point_(point) {}

  /// [n_crossings], valid until the next call. Leaves the point at (t, y).
  std::span<const double> measure(double t, std::span<const double> y);

 private:
  ModelPoint& point_;
  std::vector<double> here_, there_;  // [n_modes + n_crossings]
  std::vector<double> disturbed_;     // [n_states]
  std::vector<double> noise_;         // [n_crossings]
};

}  // namespace alembert::integrate
