// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The delayed quantities of a run. In: points of accepted steps. Out: what the
// point's delayed values are taken from, how long a step may be, and when jumps and kinks arrive.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/delay_history.hpp"
#include "alembert/integrate/delay_parts.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class DelayLine {
 public:
  DelayLine(ModelPoint& point, double tolerance, SourceWatch::Range range);

  bool any() const { return parts_.has_value(); }
  /// From the start of a run of this length on. Error I009 where a delay is negative.
  void begin(double length);
  /// After a checkpoint was read.
  void go_on();
  /// From t on nothing discrete changes.
  void begin_leg(double t);
  /// The step from t_old to t; `complete` brings the point to a time in it. False where it cannot.
  bool remember(double t_old, double t, FunctionRef<bool(double)> complete);
  /// To be told each event, before anything else: what jumps then, jumps.
  void pass_jumps();
  /// To be told each event, behind it: a jump of what is delayed arrives later, as an event.
  void note_arrivals();
  /// The first jump to arrive after the point's time; infinite if none is under way.
  double next_arrival();
  /// Steps may be no longer: what they ask for lies behind them then.
  double shortest() const { return shortest_; }
  /// The same of delays that vary, for the next step: they go on as in the last one.
  double next_step_limit() const { return next_limit_; }
  /// How long the step from t may be by what arrives in it and drives the model: as what drives it
  /// from outside, which a step could go over.
  double limit_by_past(double t) const;
  /// True if something delayed was too fast for its past to be kept.
  bool gave_up() const { return any() && parts_->gave_up(); }
  /// The shortest period of a sine in what is delayed that was not followed, as it turns too often
  /// in the run; infinite where there is none.
  double shortest_left_out() const { return any() ? parts_->shortest_left_out() : infinity; }
  /// How far it is to where a kink of the past arrives, as that of the start: a step should end
  /// there. Each time it is delayed it is smoother by one order.
  double way_to_break(double t);
  /// What is wrong with a delay as it is now: negative, or longer than was told; else empty.
  std::string fault() const;
  void exchange(Archive& archive);

 private:
  void limit_next_step(double last_step);
  void note_break(double t, int level);
  bool has_jumped(std::size_t k, double value) const;
  void note_jump(std::size_t k, double delay);
  void show_past(std::size_t k);

  ModelPoint& point_;
  DelayHistory history_{{}};
  std::optional<DelayParts> parts_;  // unless nothing is delayed
  double least_ = 0;                 // a delay below it is looked up in the continued last step
  std::vector<char> varies_;         // [n_delays]
  std::vector<char> is_constant_;    // [n_delays]: made of numbers and parameters
  std::vector<double> longest_;      // [n_delays]: as told
  std::vector<double> now_, was_;    // [n_delays]: at the end of the last step, and where it began
  double shortest_ = infinity;
  double next_limit_ = infinity;
  std::vector<double> sent_;  // [n_delays]: what was last noted to arrive later
  struct Jump {
    double sent, arrives;
  };
  std::vector<std::vector<Jump>> jumps_;     // [n_delays]: under way, where the delay is constant
  std::vector<double> passed_;               // [n_delays]: when the last jump that arrived was sent
  std::set<double> arrivals_;                // of jumps by delays that vary
  std::set<std::pair<double, int>> breaks_;  // times of kinks, and how often they were delayed
};

}  // namespace alembert::integrate
