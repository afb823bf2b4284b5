// SPDX-License-Identifier: Apache-2.0
// Stage: result. How far two trajectories are apart. In: two results with some names in common, on
// time grids of their own. Out: for each common name the largest difference, in the units of the
// variable and as a share of its range, and where it is. Values between rows are interpolated; at
// an event each side is compared with its own, also where its time differs in the last digits: then
// rows between the two times are left out. An event that only one has, or that is not clearly the
// same one, shows as the jump it makes.
#pragma once

#include <string>
#include <vector>

#include "alembert/result/trajectory.hpp"

namespace alembert::result {

struct Difference {
  std::string name;
  double largest = 0;   ///< |a - b|; NaN where only one has a number, or no time is in common
  double relative = 0;  ///< largest, over the range of `a`, or its size where it does not vary
  double time = 0;      ///< of the largest
};

struct Comparison {
  std::vector<Difference> differences;  // of the names in both, in the order of `a`
  std::vector<std::string> only_in_a;
  std::vector<std::string> only_in_b;
  std::size_t n_times = 0;  ///< that were compared; 0 where the two have none in common

  double events_apart = 0;  ///< the longest time between the two sights of one event

  /// The one with the largest share; null if nothing is in common.
  const Difference* worst() const;
};

/// At the times of both that lie in the span of both.
Comparison compare(const Trajectory& a, const Trajectory& b);

}  // namespace alembert::result
