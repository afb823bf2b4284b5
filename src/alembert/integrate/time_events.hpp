// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Events whose time is known ahead: comparisons linear in time, ticks of clocks.
// In: a ModelPoint after an event. Out: the next such time, which the steps then hit exactly. The
// n-th tick is start + n * interval, not a sum.
#pragma once

#include <vector>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class TimeEvents {
 public:
  /// Error I007 for a clock whose interval is not positive.
  TimeEvents(ModelPoint& point, double start, double stop);

  bool any() const { return !clocks_.empty() || !times_.empty(); }
  /// Within this of t is at t.
  double rounding(double t) const;
  /// The next time after that of the point; infinite if there is none. To be asked after each
  /// event.
  double next();
  /// Sets the symbols of the clocks that tick at time t to 1; true if there are any. A tick within
  /// the rounding of t counts.
  bool tick(double t);
  /// Sets all of them to 0.
  void silence();
  void exchange(Archive& archive) { archive(clocks_); }

 private:
  struct Clock {
    double start;
    double interval;
    double n = 0;  // of the next tick
    double time() const { return start + n * interval; }
  };

  double next_change(std::uint32_t mode, double candidate);

  ModelPoint& point_;
  double span_;                // of the run
  double stop_;                // its end
  std::vector<Clock> clocks_;  // [n_samples]
  std::vector<double> times_;  // [n timed modes]
  std::vector<double> modes_;  // [n_modes, n_crossings]
};

}  // namespace alembert::integrate
