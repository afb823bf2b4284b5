// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Radau IIA, order 5, for stiff systems and M y' = f with singular M. Simplified
// Newton iterations on the three stages at once, as one real and one complex system; Jacobian and
// factorisations are kept while they serve. Dense output is the collocation polynomial. Hairer and
// Wanner, Solving ODEs II, Section IV.8.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "alembert/integrate/iteration_matrix.hpp"
#include "alembert/integrate/jacobian_source.hpp"
#include "alembert/integrate/one_step.hpp"
#include "alembert/integrate/tableaus/radau5.hpp"

namespace alembert::integrate {

class Radau5 final : public OneStepOfSystem {
 public:
  static constexpr MethodInfo info = {.name = tableaus::Radau5::name,
                                      .order = tableaus::Radau5::order,
                                      .error_order = tableaus::Radau5::error_order,
                                      .dense_order = tableaus::Radau5::dense_order,
                                      .takes_mass = true,
                                      .uses_jacobian = true,
                                      .least_growth = 1.2};

  explicit Radau5(const OdeSystem& system);

  const MethodInfo& method() const override { return info; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  std::span<const double> f() const override {
    return f_known_ ? std::span<const double>(f0_) : std::span<const double>();
  }
  void exchange(Archive& archive) override;

 private:
  enum class Newton { converged, too_slow, no_value };

  bool prepare(double h, const Tolerances& tolerances);
  void guess_stages(double h);
  Newton iterate(double h, const Tolerances& tolerances);
  double iterate_once(double h, const Tolerances& tolerances);
  Attempt judge(double h, const Tolerances& tolerances);
  void estimate_error(double h, const double* f);
  bool defect_inside(double h);
  double tolerance_factor(const Tolerances& tolerances) const;

  MassMatrix mass_;
  JacobianSource jacobian_source_;
  IterationMatrix<double> real_;
  IterationMatrix<std::complex<double>> complex_;
  double h_ = 0;
  double h_old_ = 0;           // of the step accepted last, whose polynomial z_old_ holds; 0: none
  double factorised_for_ = 0;  // the h in the factorisations; 0: none
  double theta_ = 0;  // rate of the last iteration: tells whether the Jacobian still serves
  bool f_known_ = false, f_new_known_ = false;
  bool jacobian_known_ = false;  // there is one, of this step or an earlier one
  bool jacobian_here_ = false;   // it belongs to (t, y)
  bool just_started_ = true, just_rejected_ = false, accepted_ = false;
  std::vector<double> jacobian_;
  std::array<std::vector<double>, 3> z_, z_old_, w_, f_stage_;  // each [n]
  std::vector<std::complex<double>> pair_;                      // [n]
  std::vector<double> f0_, f_new_, y_stage_, sum_, error_;      // each [n]
};

}  // namespace alembert::integrate
