// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Steps that lead over a pole: where a denominator changes its sign and the
// slopes grow beyond all bounds, as those of der(x) = -1/x at x = 0, the solution ends. The error
// estimate of a long step need not see it, and what lies beyond is no solution. In: an accepted
// step. Out: how long it should have been, so that steps become shorter and shorter towards the
// end.
#pragma once

#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/isolate_change.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class PoleWatch {
 public:
  /// denominators: as CompiledModel::denominators.
  PoleWatch(ModelPoint& point, const compile::Kernel& denominators);

  /// At the beginning of a leg, with the point complete there.
  void begin();
  /// Puts the point, complete, to a time of the step; false where it has no values there.
  using Complete = FunctionRef<bool(double t)>;
  /// After a step: the length with which it is to be repeated; 0 if it stays. The variables of the
  /// point stay as they were.
  double judge(const AcceptedStep& step, Complete complete);
  /// How long the step after it may be, where a step like it was taken back before.
  double next_step_limit() const { return next_step_limit_; }
  /// After `judge` has asked for a shorter step: the state with the steepest slope before the pole.
  std::uint32_t steepest() const { return steepest_; }
  void exchange(Archive& archive) {
    archive(begin_.t, begin_.values, closing_in_, next_step_limit_);
  }

 private:
  bool look(double t, Complete complete, Sample& sample);
  bool crosses(const Sample& before, const Sample& after) const;
  double decide(const AcceptedStep& step, Complete complete);
  void limit_next(const AcceptedStep& step);
  bool grows(const AcceptedStep& step, double zero, Complete complete);

  ModelPoint& point_;
  const compile::Kernel& denominators_;
  compile::AlignedDoubles work_;
  // Values of samples: [n denominators].
  Sample begin_, end_, before_, after_, middle_;
  bool closing_in_ = false;  // a pole lies ahead
  double next_step_limit_ = infinity;
  std::uint32_t steepest_ = 0;
  std::vector<double> held_;            // [n variables]: those of the point, to be put back
  std::vector<double> state_, slopes_;  // [n states], work
};

}  // namespace alembert::integrate
