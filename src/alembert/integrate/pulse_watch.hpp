// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Steps that go over a narrow pulse of the slopes, as that of
// der(y) = exp(-((x - 70)/0.03)^2) is where x passes 70: none of the stages of a long step need be
// in it, and then its estimate of the error does not see it. In: an accepted step. Out: how long it
// should have been, so that it ends in the middle of the pulse; the error of that step shows it.
#pragma once

#include <vector>

#include "alembert/integrate/sign_watch.hpp"

namespace alembert::integrate {

class PulseWatch : public SignWatch {
 public:
  /// places: as CompiledModel::narrow_places.
  PulseWatch(ModelPoint& point, const compile::WatchedFunctions& places);

  /// At the beginning of a leg, with the point complete there.
  void begin();
  /// After a step: the length with which it is to be repeated; 0 if it stays. The variables of the
  /// point stay as they were.
  double judge(const AcceptedStep& step, const Tolerances& tolerances, Complete complete,
               Slopes slopes);
  void exchange(Archive& archive) {
    SignWatch::exchange(archive);
    archive(harmless_, n_retries_);
  }

 private:
  double pass(const AcceptedStep& step, const Sample& from, const Sample& to,
              const Tolerances& tolerances, Complete complete, Slopes slopes);
  double decide(const AcceptedStep& step, const Tolerances& tolerances, Complete complete,
                Slopes slopes);

  Sample start_;                  // of what is still to be looked through
  std::vector<double> harmless_;  // [n places]: the longest step that was right to pass it
  int n_retries_ = 0;             // of this step
};

}  // namespace alembert::integrate
