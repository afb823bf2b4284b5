// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. When a mode first changes in an accepted step. In: a step with dense output,
// the modes held. Out: the first time at which a mode would have another value, to a few units in
// the last place; just before it none has (isolate_change). To find pairs of changes in one step
// too, modes are also looked at inside the step, and where a crossing function seems to touch zero
// between two looks: at the vertex of a parabola through three values, or at a corner. Where a
// crossing function is known to have corners, as |x - a| - b has at x = a, they are isolated.
#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/crossing_noise.hpp"
#include "alembert/integrate/isolate_change.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class ModeChange {
 public:
  explicit ModeChange(ModelPoint& point);

  /// True if there is anything to look for: modes whose time of change is not known ahead.
  bool any() const { return !searched_.empty(); }
  /// Changes of these modes make no events until this is called again.
  void ignore(std::span<const std::uint32_t> modes);
  /// To be called when a new leg begins, with the point there.
  void begin(double t, std::span<const double> y);
  /// The time, and the state there in state().
  std::optional<double> find(const AcceptedStep& step);
  /// The same if it is known when to look: at ascending times, the last of them the end of the
  /// step, between which every crossing function changes its sign at most once.
  std::optional<double> find(const AcceptedStep& step, std::span<const double> looks);
  /// True if the change that was found contradicts the derivatives there, by more than rounding, so
  /// that the error of the step made it. Such an event would take a rising ball for a falling one.
  bool contradicts_slopes(const AcceptedStep& step);
  /// True if a mode has another value at t, even if by rounding alone. Then everything is as if
  /// `find` had found it.
  bool differs_at(const AcceptedStep& step, double t);
  /// To be asked where events chatter, after `find`: true if that was a change by rounding. From
  /// now on the mode stays until its crossing functions are larger than that.
  bool was_rounding() { return learn_noise({&before_, &after_}); }
  std::span<const double> state() const { return state_; }
  /// How large each crossing function has been in the steps so far.
  std::span<const double> sizes() const { return sizes_; }
  /// Modes that have another value at the time found.
  const std::vector<std::uint32_t>& changed() const { return changed_; }
  void exchange(Archive& archive) {
    archive(samples_[0].t, samples_[0].values, begin_of_leg_.t, begin_of_leg_.values, decided_at_,
            measured_noise_, state_, sizes_);
  }

 private:
  bool look(const AcceptedStep& step, double t, Sample& sample);
  bool changes(std::uint32_t mode, const Sample& sample) const;
  bool differs(const Sample& sample) const;
  void enlarge_noise(const Sample& sample);
  bool differs_by_terms(const Sample& sample, const Sample& begin);
  void note_begin(const Sample& begin);
  void note_decided();
  std::optional<double> search(const AcceptedStep& step);
  std::optional<double> search_panel(const AcceptedStep& step, double end);
  double panels_for_angles(const AcceptedStep& step);
  double note_size(std::size_t crossing, const Sample& sample);
  bool read_angles(double t, std::span<const double> y, std::vector<double>& angles);
  std::optional<double> search(const AcceptedStep& step, std::span<const double> looks);
  template <class Search>
  std::optional<double> first_of_leg(const AcceptedStep& step, Search search);
  bool learn_noise(std::initializer_list<const Sample*> samples);
  std::optional<double> near_touch() const;
  std::optional<double> near_corner(const AcceptedStep& step);
  std::optional<double> at_corner(const AcceptedStep& step);
  std::optional<double> at_corner(const AcceptedStep& step, const Sample& begin, const Sample& end,
                                  int depth);
  double before_corner(const AcceptedStep& step, const Sample& begin, double found);
  void look_here(double t, std::span<const double> y, Sample& sample);
  double isolate(const AcceptedStep& step);
  double secant(double weight_before, double weight_after) const;

  static constexpr std::size_t n_looks = 4;  // in each panel of a step, its end included

  ModelPoint& point_;
  CrossingNoise rounding_;
  std::size_t n_modes_;
  std::size_t first_mode_;  // in the constants
  std::size_t n_corners_;
  std::vector<std::uint32_t> searched_;  // modes
  // Values of samples: [n_modes + n_crossings + n_corners].
  std::array<Sample, n_looks + 1> samples_;  // the first is the start of the panel
  Sample before_, after_, middle_;
  Sample begin_of_leg_;                 // of its time NaN behind the first step
  std::vector<double> noise_;           // [n_crossings]: below this a crossing function is zero
  std::vector<double> measured_noise_;  // [n_crossings]: the least that noise_ is
  std::vector<double> sizes_;           // [n_crossings]
  std::vector<double> terms_;           // [n_crossings + n_corners], work
  std::vector<char> was_beyond_noise_;  // [n_crossings]: at the start of the panel
  std::vector<double> decided_at_;      // [n_crossings]: see note_decided
  std::vector<double> state_;           // as long as the stepper's
  std::vector<double> slopes_, ahead_;  // the same, work
  std::vector<double> held_;            // [n_variables], work
  std::vector<double> angles_, angles_before_;  // [n angles]: at angles_at_, and before that, work
  double angles_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::uint32_t> changed_;
};

}  // namespace alembert::integrate
