// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Clocks of clocked equations. Periodic ones tick at times known ahead, exactly
// first + k * step intervals after the start; those whose interval varies tell at each tick when
// the next one is; event clocks tick where a discrete variable has counted on. At a tick the
// clocked equations are solved once, in solve order over all clocks that tick, from the left limits
// that `look` took, and every pre(v) of theirs becomes v.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class ClockTicks {
 public:
  /// Error I007 for an interval that is not positive.
  ClockTicks(ModelPoint& point, double start);

  bool any() const { return !clocks_.empty(); }
  /// The next tick after the present time of a clock that is no event clock.
  double next() const;
  /// Whether events of event clocks have happened at which nobody has ticked yet.
  bool has_events() const;
  /// Takes the values that are sampled at the next tick: the point is at a left limit.
  void look();
  /// Solves the equations of clocks that were to tick at the present time; true if there are any.
  bool tick_timed();
  /// The same for event clocks whose events have just happened. Those that happen in consequence
  /// see values as they are now.
  bool tick_events();
  /// What is wrong after the last tick; empty if nothing is.
  std::string explain() const;
  void exchange(Archive& archive);

 private:
  struct Clock {
    std::uint64_t base = 0;
    double next_time = 0;   // if it is periodic
    double next_count = 0;  // else: at which tick of its base
    double n_ticks = 0;     // so far
    double last_time = 0;   // of the last tick
    double waited = 0;      // intervals of a base that varies since then
  };

  /// A base clock whose interval varies.
  struct VaryingBase {
    std::uint64_t base = 0;
    double next_time = 0;
    double n_ticks = 0;  // so far
    double elapsed = 0;  // since the start, at the next tick: with what rounding left out
    double rest = 0;
  };

  void count_varying();
  /// As they are now; empty where no base whose interval varies is due.
  std::vector<double> varying_intervals();
  void plan_varying(std::span<const double> before);

  double time_of_tick(std::size_t clock, double k) const;
  void take_samples();
  void solve();

  ModelPoint& point_;
  double start_;
  std::vector<Clock> clocks_;  // [n_clocks]
  std::vector<VaryingBase> varying_;
  std::vector<double> intervals_;       // [n_bases]: where they vary, up to the next tick
  std::vector<double> counts_;          // [n_bases]: of event clocks, as last seen
  std::vector<double> samples_;         // [n_samples]: as last looked
  std::vector<double> values_;          // work
  std::vector<char> ticking_;           // [n_clocks], work
  std::vector<std::uint32_t> missing_;  // discrete variables without a value
  std::optional<double> bad_interval_;  // of a base that varies: not positive
  int n_rounds_ = 0;                    // of event clocks at this instant
  compile::AlignedDoubles work_;
};

}  // namespace alembert::integrate
