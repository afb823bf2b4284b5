// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Steps that go over a kink or a jump of the slopes that makes no event. In: an
// accepted step. Out: how long a step from its begin should be instead, so that it ends just before
// the kink, and the next just beyond it. An estimate of the error compares formulas that all take
// the slopes for smooth: where they differ by chance by little, a kink is not seen. What it leaves
// as an error is known by the jump of the slopes, and of their derivatives, there; where that is
// negligible the step stays.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class KinkWatch {
 public:
  /// kinks: as CompiledModel::kinks.
  KinkWatch(ModelPoint& point, const compile::Kernel& kinks);

  /// At the begin of a leg, with the point complete there.
  void begin();
  /// Puts the point, complete, to a time of the step; false where it has no values there.
  using Complete = FunctionRef<bool(double t)>;
  /// After a step: the length with which it is to be made again; 0 where it stays. The variables of
  /// the point stay as they were.
  double judge(const AcceptedStep& step, const Tolerances& tolerances, Complete complete);
  /// The way from t to just beyond a kink before which steps were to end; 0 where there is none.
  double way_on(double t) const;
  /// After an attempt whose error was too large: how far it is to the first kink on its way, about;
  /// 0 where there is none, or it was told before.
  double foresee(double t_attempted, Complete complete);
  void exchange(Archive& archive) {
    archive(begin_.t, begin_.values, last_change_, is_weak_, n_retries_, n_foreseen_, edge_,
            target_, patience_, usual_step_);
  }

 private:
  struct Sample {
    double t = 0;
    std::vector<double> values;  // [n kinks]
  };
  /// How much slopes and their derivatives jump at a kink, in units of the tolerance.
  struct Strength {
    double of_slopes = 0, of_derivatives = 0;
  };

  bool look(double t, Complete complete, Sample& sample);
  bool crosses(const Sample& before, const Sample& after) const;
  bool is_beyond(const Sample& sample) const;
  void measure();
  bool may_cross_inside() const;
  bool bracket(const AcceptedStep& step, Complete complete);
  void isolate(Complete complete);
  double secant(double weight_before, double weight_after) const;
  bool slopes_at(const AcceptedStep& step, double t, std::vector<double>& slopes);
  std::optional<Strength> strength(const AcceptedStep& step, const Tolerances& tolerances);
  double decide(const AcceptedStep& step, const Tolerances& tolerances, Complete complete);
  void note_strength(const Strength& strength);
  double accept();

  ModelPoint& point_;
  const compile::Kernel& kinks_;
  compile::AlignedDoubles work_;
  Sample begin_, end_;                  // of the step
  Sample before_, after_, middle_;      // around a kink
  std::vector<double> noise_;           // [n kinks]: below this a value has no sign
  std::vector<double> last_change_;     // [n kinks]: in the step before
  std::vector<double> held_;            // variables of the point
  std::vector<double> state_;           // [n], work
  std::vector<double> slopes_[6];       // the same
  int n_retries_ = 0, n_foreseen_ = 0;  // of this step
  std::vector<char> is_weak_;           // [n kinks]: negligible when it was met last
  double patience_ = 0;                 // steps that may still be made again
  double usual_step_ = 0;
  double edge_ = 0, target_ = 0;  // just before the last kink that was found, and beyond it
};

}  // namespace alembert::integrate
