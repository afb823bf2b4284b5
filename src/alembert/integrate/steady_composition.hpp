// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Symplectic steps that keep a tolerance, for `auto`: two steps of a composition
// of order 8 one after the other, and one of their whole length beside them, whose distance tells
// the error. Only equal steps keep a neighbouring energy, so that once the step has settled it
// stays as it is while its error is good. Dense output is the polynomial through values and slopes
// at the ends and in the middle of this step and the one before. Hairer, Lubich and Wanner,
// Geometric Numerical Integration, V.3 and IX.
#pragma once

#include <array>
#include <vector>

#include "alembert/integrate/fixed_step.hpp"

namespace alembert::integrate {

class SteadyComposition final : public Stepper {
 public:
  /// While the step is looked for.
  static constexpr MethodInfo settling_info = {.name = "symplectic8",
                                               .order = 8,
                                               .error_order = 8,
                                               .dense_order = 8,
                                               .needs_velocities = true,
                                               .needs_separable = true};
  static constexpr MethodInfo settled_info = {.name = "symplectic8",
                                              .order = 8,
                                              .error_order = 8,
                                              .dense_order = 8,
                                              .needs_velocities = true,
                                              .needs_separable = true,
                                              .least_growth = 3,
                                              .keeps_step = true};

  explicit SteadyComposition(const OdeSystem& system);

  const MethodInfo& method() const override { return settled() ? settled_info : settling_info; }
  const OdeSystem& system() const override { return counted_.system; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  double t() const override { return nodes_[last_].t; }
  std::span<const double> y() const override { return nodes_[last_].y; }
  std::span<double> mutable_y() override { return nodes_[last_].y; }
  std::span<const double> y_old() const override { return nodes_[last_ - 2].y; }
  std::span<const double> f() const override { return nodes_[last_].f; }
  const WorkCounts& work() const override { return counted_.work; }
  void exchange(Archive& archive) override;

  /// True where steps of different lengths serve the motion better: the step had to change again
  /// and again, or values were missing.
  bool misfits() const { return misfits_; }

 private:
  struct Node {
    double t = 0;
    std::vector<double> y, f;  // each [n]
  };
  static constexpr std::size_t most_nodes = 5;
  static constexpr std::size_t n_coefficients = 2 * most_nodes;

  bool settled() const { return n_accepted_ >= steps_to_settle; }
  void note_change();
  double error_between(double h, const Tolerances& tolerances);
  void expand(std::size_t last);
  void interpolate_at(double t, std::size_t last, std::span<double> y) const;

  static constexpr std::uint64_t steps_to_settle = 12;

  CountedSystem counted_;
  KicksAndDrifts moves_;
  /// Ends and middles of the last two steps, by time, and two places for the next one: nodes_[0 ..
  /// last_] count.
  std::array<Node, most_nodes + 2> nodes_;
  std::size_t last_ = 0;
  std::vector<double> y_whole_, f_whole_;  // each [n]: by one step of the whole length
  double h_ = 0, h_accepted_ = 0;
  std::uint64_t n_accepted_ = 0, n_changes_ = 0;
  bool misfits_ = false;
  bool accepted_ = false;
  bool expanded_ = false;
  std::vector<double> differences_;  // [n][n_coefficients]: Newton's, of the interpolant
};

}  // namespace alembert::integrate
