// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Steps that go over a kink or a jump of the slopes that makes no event. In: an
// accepted step. Out: how long it should have been, so that it ends just before the kink and the
// next step ends just beyond it. The error estimate of a method compares formulas that all assume
// smooth slopes; where these happen to agree, it does not see the kink. The error that a kink
// really causes follows from how much the slopes and their derivatives jump there. If that is
// negligible, the step stays as it is.
#pragma once

#include <optional>
#include <vector>

#include "alembert/integrate/sign_watch.hpp"

namespace alembert::integrate {

class KinkWatch : public SignWatch {
 public:
  /// kinks: as CompiledModel::kinks.
  KinkWatch(ModelPoint& point, const compile::WatchedFunctions& kinks);

  /// At the beginning of a leg, with the point complete there.
  void begin();
  /// After a step: the length with which it is to be repeated; 0 if it stays. The variables of the
  /// point stay as they were. Methods with a memory see by themselves that slopes at the end of the
  /// step are not those foreseen, and are dear to start anew: for them a kink counts only where
  /// another follows in the step, so that the end may not show it, or in the middle of a pulse.
  /// told_by_states: kinks are functions of states and the time alone.
  double judge(const AcceptedStep& step, const Tolerances& tolerances, bool told_by_states,
               Complete complete);
  /// The length of the next step from t, if the last one was cut for a kink: first to just before
  /// the kink, then to just beyond it. 0 if there is no such kink ahead.
  double way_on(double t) const;
  /// After an attempt whose error was too large: about how far it is to the first kink on its way;
  /// 0 if there is none, or if this was asked too often for one step.
  double foresee(double t_attempted, Complete complete);
  void exchange(Archive& archive) {
    SignWatch::exchange(archive);
    archive(is_weak_, n_retries_, n_foreseen_, edge_, target_, patience_, usual_step_);
  }

 private:
  /// How much slopes and their derivatives jump at a kink, in units of the tolerance.
  struct Strength {
    double of_slopes = 0, of_derivatives = 0;
  };

  bool is_beyond(const Sample& sample) const;
  bool bracket(const AcceptedStep& step, Complete complete);
  bool slopes_at(const AcceptedStep& step, double t, std::vector<double>& slopes);
  std::optional<Strength> strength(const AcceptedStep& step, const Tolerances& tolerances);
  double decide(const AcceptedStep& step, const Tolerances& tolerances, bool told_by_states,
                Complete complete);
  double find_ahead(double t_attempted, Complete complete);
  void note_strength(const Strength& strength);
  double accept();

  bool are_smooth_;
  std::vector<double> state_;           // [n states], work
  std::vector<double> slopes_[6];       // [n states] each: three on either side of a kink
  int n_retries_ = 0, n_foreseen_ = 0;  // of this step
  std::vector<char> is_weak_;           // [n kinks]: negligible when it was met last
  double patience_ = 0;                 // how many steps may still be repeated
  double usual_step_ = 0;               // the longest of late
  double edge_ = 0, target_ = 0;        // just before the last kink that was found, and beyond it
};

}  // namespace alembert::integrate
