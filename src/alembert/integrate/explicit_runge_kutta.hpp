// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Explicit Runge-Kutta methods whose last stage is the first of the next step.
// In: a tableau type (tableaus/), known at compile time, so that zeros cost nothing and the sums
// unroll. Out: a Stepper. Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I,
// II.4 to II.6.
#pragma once

#include <array>
#include <vector>

#include "alembert/integrate/counted_system.hpp"
#include "alembert/integrate/stepper.hpp"
#include "alembert/integrate/tableaus/dop853.hpp"
#include "alembert/integrate/tableaus/tsit5.hpp"

namespace alembert::integrate {

template <class Tableau>
class ExplicitRungeKutta final : public Stepper {
 public:
  static constexpr MethodInfo info = {.name = Tableau::name,
                                      .order = Tableau::order,
                                      .error_order = Tableau::error_order,
                                      .dense_order = Tableau::dense_order};

  static constexpr bool has_more_dense_stages = Tableau::n_dense_stages > Tableau::n_stages;

  explicit ExplicitRungeKutta(const OdeSystem& system);

  const MethodInfo& method() const override { return info; }
  const OdeSystem& system() const override { return counted_.system; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  double t() const override { return t_; }
  std::span<const double> y() const override { return {y_, counted_.system.n}; }
  std::span<double> mutable_y() override { return {y_, counted_.system.n}; }
  std::span<const double> y_old() const override { return {y_old_, counted_.system.n}; }
  std::span<const double> y_attempted() const override { return {y_new_, counted_.system.n}; }
  std::span<const double> f() const override {
    return {k_[accepted_ ? last : 0], counted_.system.n};
  }
  const WorkCounts& work() const override { return counted_.work; }
  void exchange(Archive& archive) override;

  /// |h| times an estimate of the largest eigenvalue, by the last attempt that had values.
  double stiffness() const requires(has_more_dense_stages) { return stiffness_; }
  /// By how much its error counts more than that of the step, for the dense output.
  double dense_share() const requires(has_more_dense_stages) { return dense_share_; }
  /// How far the last attempt went: the largest change of a component, in units of its tolerance.
  double distance(const Tolerances& tolerances) const;

 private:
  static constexpr std::uint32_t last = Tableau::n_stages - 1;

  template <std::uint32_t stage>
  bool evaluate_stage(double t, const double* y, double h);
  template <std::uint32_t first, std::uint32_t end>
  bool evaluate_stages(double t, const double* y, double h);
  void note_failure(double t, double h);
  Attempt judge(double h, const Tolerances& tolerances);
  /// From the last two stages, both at the end of the step: costs nothing but the sums. Hairer and
  /// Wanner II, IV.2.
  double stiffness_estimate(const Tolerances& tolerances) const;
  double stiffness_of_rest(const Tolerances& tolerances);
  std::array<double, Tableau::n_dense_stages> dense_weights(double theta) const;

  CountedSystem counted_;
  double t_ = 0, t_old_ = 0, h_ = 0;
  double stiffness_ = 0, dense_share_ = 1;
  bool accepted_ = false;          // k_ belongs to a step that ended at y_; k_[last] is f there
  bool dense_ready_ = false;       // the stages for dense output only are there
  std::uint32_t n_evaluated_ = 0;  // stages of the last attempt
  bool last_known_ = false;        // what the last of them returned
  std::vector<double> storage_;
  std::array<double*, Tableau::n_dense_stages> k_;  // each [n]
  double *y_, *y_old_, *y_new_, *y_stage_;          // each [n]
};

using Tsit5 = ExplicitRungeKutta<tableaus::Tsit5>;
using Dop853 = ExplicitRungeKutta<tableaus::Dop853>;

extern template class ExplicitRungeKutta<tableaus::Tsit5>;
extern template class ExplicitRungeKutta<tableaus::Dop853>;

}  // namespace alembert::integrate
