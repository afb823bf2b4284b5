// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Rosenbrock-Wanner methods for stiff systems and M y' = f with singular M (index
// 1). In: a tableau type (tableaus/rodas5p.hpp, rodas6p.hpp); the Jacobian, dense or sparse. Out: a
// Stepper with one LU factorisation an attempt. Hairer and Wanner, Solving ODEs II, Sections IV.7,
// VI.4.
#pragma once

#include <vector>

#include "alembert/integrate/iteration_matrix.hpp"
#include "alembert/integrate/jacobian_source.hpp"
#include "alembert/integrate/one_step.hpp"
#include "alembert/integrate/tableaus/rodas5p.hpp"
#include "alembert/integrate/tableaus/rodas6p.hpp"

namespace alembert::integrate {

template <class Tableau>
class Rosenbrock final : public OneStepOfSystem {
 public:
  static constexpr MethodInfo info = {.name = Tableau::name,
                                      .order = Tableau::order,
                                      .error_order = Tableau::error_order,
                                      .dense_order = Tableau::dense_order,
                                      .takes_mass = true,
                                      .uses_jacobian = true};

  explicit Rosenbrock(const OdeSystem& system);

  const MethodInfo& method() const override { return info; }
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  std::span<const double> f() const override {
    return f_known_ ? std::span<const double>(f0_) : std::span<const double>();
  }
  void exchange(Archive& archive) override;

  /// A bound on the eigenvalues of the Jacobian of the last attempt (its largest column sum).
  double jacobian_norm() const;

 private:
  bool evaluate_jacobian(double h, const Tolerances& tolerances);
  bool factorise(double h);
  bool solve_stages(std::uint32_t first, std::uint32_t end, double t, const double* y, double h);
  /// The stages that dense output alone needs, of the step from (t, y).
  bool prepare_dense(double t, const double* y);
  /// Of the dense output, before the step is accepted; nan where f has no value.
  ErrorNorm dense_error(double h, const Tolerances& tolerances);
  double* stage(std::uint32_t i) { return u_.data() + std::size_t{i} * counted_.system.n; }

  MassMatrix mass_;
  JacobianSource jacobian_source_;
  IterationMatrix<double> matrix_;
  double h_ = 0;
  bool f_known_ = false;         // f0_ = f(t, y)
  bool f_new_known_ = false;     // f_new_ = f(t + h, y_new)
  bool jacobian_known_ = false;  // jacobian_ and dfdt_ belong to (t, y)
  bool accepted_ = false;
  bool dense_ready_ = false;  // the stages for dense output only are there
  std::vector<double> jacobian_;
  std::vector<double> u_;  // [n_dense_stages][n]
  std::vector<double> f0_, f_new_, dfdt_, y_stage_, sum_,
      residual_;  // each [n]
};

using Rodas5p = Rosenbrock<tableaus::Rodas5p>;
using Rodas6p = Rosenbrock<tableaus::Rodas6p>;

extern template class Rosenbrock<tableaus::Rodas5p>;
extern template class Rosenbrock<tableaus::Rodas6p>;

}  // namespace alembert::integrate
