// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Explicit Runge-Kutta methods whose last stage is the first of the next step.
// In: a tableau type (tableaus/), known at compile time, so that zeros cost nothing and the sums
// unroll. Out: a Stepper. Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I,
// II.4 to II.6.
#pragma once

#include <array>
#include <vector>

#include "alembert/integrate/stepper.hpp"
#include "alembert/integrate/tableaus/dop853.hpp"
#include "alembert/integrate/tableaus/tsit5.hpp"

namespace alembert::integrate {

template <class Tableau>
class ExplicitRungeKutta final : public Stepper {
 public:
  explicit ExplicitRungeKutta(const OdeSystem& system);

  const MethodInfo& method() const override;
  const OdeSystem& system() const override { return system_; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  double t() const override { return t_; }
  std::span<const double> y() const override { return {y_, system_.n}; }
  std::span<double> mutable_y() override { return {y_, system_.n}; }
  std::span<const double> y_old() const override { return {y_old_, system_.n}; }
  std::span<const double> f() const override { return {k_[accepted_ ? last : 0], system_.n}; }
  const WorkCounts& work() const override { return work_; }

 private:
  static constexpr std::uint32_t last = Tableau::n_stages - 1;

  template <std::uint32_t stage>
  bool evaluate_stage(double t, const double* y, double h);
  template <std::uint32_t first, std::uint32_t end>
  bool evaluate_stages(double t, const double* y, double h);
  double error_norm(double h, const Tolerances& tolerances) const;

  OdeSystem system_;
  double t_ = 0, t_old_ = 0, h_ = 0;
  bool accepted_ = false;     // k_ belongs to a step that ended at y_; k_[last] is f there
  bool dense_ready_ = false;  // the stages for dense output only are there
  WorkCounts work_;
  std::vector<double> storage_;
  std::array<double*, Tableau::n_dense_stages> k_;  // each [n]
  double *y_, *y_old_, *y_new_, *y_stage_;          // each [n]
};

using Tsit5 = ExplicitRungeKutta<tableaus::Tsit5>;
using Dop853 = ExplicitRungeKutta<tableaus::Dop853>;

extern template class ExplicitRungeKutta<tableaus::Tsit5>;
extern template class ExplicitRungeKutta<tableaus::Dop853>;

}  // namespace alembert::integrate
