// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What watches of kinks, poles and narrow pulses have in common: functions that
// change their sign where a step passes something that its estimate of the error may not see. In:
// accepted steps, one after the other. Out: samples around what changes first in a step.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/isolate_change.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class SignWatch {
 public:
  /// Puts the point to a time of the step, with what functions are made of; false where it has no
  /// values there.
  using Complete = FunctionRef<bool(double t)>;
  /// Slopes [n states] by the equations, at a time and states of the step; false where there are
  /// none. Those that equations do not tell are no number.
  using Slopes =
      FunctionRef<bool(double t, const std::vector<double>& y, std::vector<double>& slopes)>;

  const compile::WatchedFunctions& functions() const { return functions_; }
  /// At the beginning of a leg, with the point complete there.
  void begin();

 protected:
  /// functions: of inputs [time, variables...].
  SignWatch(ModelPoint& point, const compile::WatchedFunctions& functions);

  std::size_t n_functions() const { return noise_.size(); }
  /// The variables of the point are afterwards as they were.
  template <class Decide>
  double undisturbed(Decide decide) {
    hold();
    const double result = decide();
    put_back();
    return result;
  }
  void hold();
  void put_back();
  /// Values at a time of the step, from the variables that are held.
  bool look(double t, Complete complete, Sample& sample);
  /// The end of a step is the begin of the next one.
  void go_on();

  /// True if nothing changes its sign between the ends of the step, nor bends so much that it could
  /// have done so: there is nothing to look for.
  bool is_quiet() const;
  /// Below the rounding error of what a function is in the step, a value has no sign.
  void measure_noise();
  bool changes(std::uint32_t k, const Sample& before, const Sample& after) const {
    const double a = before.values[k], b = after.values[k];
    return a * b < 0 && std::abs(b) > noise_[k] && !is_off_[k];
  }
  bool crosses(const Sample& before, const Sample& after) const;
  /// After the end of the step was looked at: looks at one place inside of it, if there is reason
  /// to: in the middle, or where a function seems to turn near zero. False if the ends show all.
  bool look_inside(const AcceptedStep& step, Complete complete);
  /// Puts what has changed its sign first between before_ and after_ between the same two, as close
  /// as `finest`, or as rounding allows. False if a look between them failed; then at `failed`,
  /// where that is asked for.
  bool isolate(Complete complete, FunctionRef<bool(const Sample&)> is_after, double finest = 0,
               double* failed = nullptr);

  /// True if the slopes at a time of the step are others than those of its interpolation by more
  /// than its error allows, at this place and not all around it: it has missed something there.
  bool misses(const AcceptedStep& step, double t, const Tolerances& tolerances, Slopes slopes);

  void exchange(Archive& archive) { archive(begin_.t, begin_.values, last_change_, last_length_); }

  ModelPoint& point_;
  Sample begin_, inside_, end_;  // of the step
  Sample before_, after_;        // around a change
  std::vector<char> is_off_;     // [n functions]: their signs do not matter
  std::vector<double> noise_;    // [n functions]

 private:
  void leave_begin(const AcceptedStep& step, Complete complete);
  bool may_cross_inside() const;
  double turn_near_zero(const Sample& before, const Sample& between, const Sample& after,
                        double near) const;
  void look_at_turns(Complete complete);
  void find_misfit(const AcceptedStep& step, double t, Slopes slopes, std::vector<double>& misfit);

  const compile::WatchedFunctions& functions_;
  compile::AlignedDoubles work_;
  Sample middle_;
  std::array<Sample, 4> turns_;
  std::vector<double> held_;         // [n variables]: those of the point, to be put back
  std::vector<double> last_change_;  // [n functions]: over the previous step
  // [n states], work; NaN where there are no values.
  std::vector<double> state_, slopes_, ahead_;
  std::vector<double> misfit_, misfit_before_, misfit_after_;
  double last_length_ = 0;  // of it; 0 at the begin of a leg
};

}  // namespace alembert::integrate
