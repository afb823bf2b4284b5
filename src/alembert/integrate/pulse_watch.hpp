// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Steps that go over a narrow pulse of the slopes, as that of
// der(y) = exp(-((x - 70)/0.03)^2) is where x passes 70: none of the stages of a long step need be
// in it, and then its estimate of the error does not see it. In: an accepted step. Out: how long it
// should have been, so that it ends in the middle of the pulse; the error of that step shows it.
#pragma once

#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/isolate_change.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class PulseWatch {
 public:
  /// places: as CompiledModel::narrow_places.
  PulseWatch(ModelPoint& point, const compile::Kernel& places);

  /// At the beginning of a leg, with the point complete there.
  void begin();
  /// Puts the point, complete, to a time of the step; false where it has no values there.
  using Complete = FunctionRef<bool(double t)>;
  /// After a step: the length with which it is to be repeated; 0 if it stays. The variables of the
  /// point stay as they were.
  double judge(const AcceptedStep& step, const Tolerances& tolerances, Complete complete);
  void exchange(Archive& archive) { archive(begin_.t, begin_.values, harmless_, n_retries_); }

 private:
  bool look(double t, Complete complete, Sample& sample);
  bool crosses(const Sample& before, const Sample& after, double length) const;
  double decide(const AcceptedStep& step, const Tolerances& tolerances, Complete complete);
  void find_misfit(const AcceptedStep& step, double t, std::vector<double>& misfit);
  bool misses(const AcceptedStep& step, double t, const Tolerances& tolerances);

  ModelPoint& point_;
  const compile::Kernel& places_;
  compile::AlignedDoubles work_;
  // Values of samples: [n places].
  Sample begin_, end_, before_, after_, middle_;
  std::vector<double> harmless_;  // [n places]: the longest step that was right to pass it
  int n_retries_ = 0;             // of this step
  std::vector<double> held_;      // [n variables]: those of the point, to be put back
  // [n states], work; NaN where there are no values.
  std::vector<double> state_, slopes_, ahead_;
  std::vector<double> misfit_, misfit_before_, misfit_after_;
};

}  // namespace alembert::integrate
