// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Where in an accepted step a mode changes first. In: a step with dense output,
// the modes held. Out: the first time at which a mode would have another value, to a few units in
// the last place; just before it none has. Modes are looked at inside the step too, and at the
// vertex of a parabola through three values of a crossing function that could touch zero between
// them, so that a pair of changes in one step is not missed. Isolation by the Illinois method, with
// bisection where it is slow (Dowell and Jarratt, BIT 11, 1971), on all crossing functions at once.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class ModeChange {
 public:
  explicit ModeChange(ModelPoint& point);

  /// True if there is anything to look for: modes whose time of change is not known ahead.
  bool any() const { return !searched_.empty(); }
  /// Changes of these are no events until it is called again.
  void ignore(std::span<const std::uint32_t> modes);
  /// To be called where a new leg begins, with the point there.
  void begin(double t, std::span<const double> y);
  /// The time, and the state there in state().
  std::optional<double> find(const AcceptedStep& step);
  /// The same where it is known how often to look: at times in the step, ascending, its end the
  /// last, between which every crossing function changes its sign once at most.
  std::optional<double> find(const AcceptedStep& step, std::span<const double> looks);
  /// True if the change that was found leads against the derivatives there, by more than rounding:
  /// what made it is the error of the step. Such an event would take a ball for falling that rises.
  bool contradicts_slopes(const AcceptedStep& step);
  /// True if a mode is another at t, be it by rounding alone; then all as if `find` had found it.
  bool differs_at(const AcceptedStep& step, double t);
  std::span<const double> state() const { return state_; }
  /// Modes that are another at the time found.
  const std::vector<std::uint32_t>& changed() const { return changed_; }
  void exchange(Archive& archive) {
    archive(samples_[0].t, samples_[0].values, decided_at_, state_);
  }

 private:
  struct Sample {
    double t = 0;
    std::vector<double> values;  // [n_modes + n_crossings]
  };

  bool look(const AcceptedStep& step, double t, Sample& sample);
  bool changes(std::uint32_t mode, const Sample& sample) const;
  bool differs(const Sample& sample) const;
  void measure();
  void measure_terms(const Sample& begin);
  void note_begin(const Sample& begin);
  void note_decided();
  std::optional<double> near_touch() const;
  std::optional<double> near_corner(const AcceptedStep& step);
  double isolate(const AcceptedStep& step);
  double secant(double weight_before, double weight_after) const;

  static constexpr std::size_t n_looks = 4;  // in each step, its end included

  ModelPoint& point_;
  std::size_t n_modes_;
  std::size_t first_mode_;                   // in the constants
  std::vector<std::uint32_t> searched_;      // modes
  std::array<Sample, n_looks + 1> samples_;  // the first is the start of the step
  Sample before_, after_, middle_;
  std::vector<double> noise_;           // [n_crossings]: below this a crossing function is zero
  std::vector<double> terms_;           // [n_crossings], work
  std::vector<char> was_beyond_noise_;  // [n_crossings]: at the begin of the step
  std::vector<double> decided_at_;      // [n_crossings]: see note_decided
  std::vector<double> state_;           // as long as the stepper's
  std::vector<double> slopes_, ahead_;  // the same, work
  std::vector<std::uint32_t> changed_;
};

}  // namespace alembert::integrate
