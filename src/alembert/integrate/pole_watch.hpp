// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Steps that lead over a pole: where a denominator changes its sign and the
// slopes grow beyond all bounds, as those of der(x) = -1/x at x = 0, the solution ends. The error
// estimate of a long step need not see it, and what lies beyond is no solution. In: an accepted
// step. Out: how long it should have been, so that steps become shorter and shorter towards the
// end.
#pragma once

#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/sign_watch.hpp"

namespace alembert::integrate {

class PoleWatch : public SignWatch {
 public:
  /// denominators: as CompiledModel::denominators.
  PoleWatch(ModelPoint& point, const compile::WatchedFunctions& denominators);

  /// At the beginning of a leg, with the point complete there.
  void begin();
  /// After a step: the length with which it is to be repeated; 0 if it stays. The variables of the
  /// point stay as they were.
  double judge(const AcceptedStep& step, Complete complete);
  /// How long the step after it may be, where a step like it was taken back before.
  double next_step_limit() const { return next_step_limit_; }
  /// After `judge` has asked for a shorter step: the state with the steepest slope before the pole.
  std::uint32_t steepest() const { return steepest_; }
  void exchange(Archive& archive) {
    SignWatch::exchange(archive);
    archive(closing_in_, next_step_limit_);
  }

 private:
  double decide(const AcceptedStep& step, Complete complete);
  void limit_next(const AcceptedStep& step);
  bool grows(const AcceptedStep& step, double zero, Complete complete);

  bool closing_in_ = false;  // a pole lies ahead
  double next_step_limit_ = infinity;
  std::uint32_t steepest_ = 0;
  std::vector<double> state_, slopes_;  // [n states], work
};

}  // namespace alembert::integrate
