// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Rosenbrock-Wanner methods for stiff systems and M y' = f with singular M (index
// 1). In: a tableau type (tableaus/rodas5p.hpp); a dense Jacobian, from the system or by
// differences. Out: a Stepper with one LU factorisation an attempt. Hairer and Wanner, Solving ODEs
// II, Sections IV.7, VI.4.
#pragma once

#include <memory>

#include "alembert/integrate/stepper.hpp"
#include "alembert/integrate/tableaus/rodas5p.hpp"

namespace alembert::integrate {

template <class Tableau>
class Rosenbrock final : public Stepper {
 public:
  explicit Rosenbrock(const OdeSystem& system);
  ~Rosenbrock() override;

  const MethodInfo& method() const override;
  const OdeSystem& system() const override;
  bool start(double t, std::span<const double> y) override;
  Attempt attempt(double h, const Tolerances& tolerances) override;
  void accept(double t_new) override;
  bool interpolate(double theta, std::span<double> y) override;

  double t() const override;
  std::span<const double> y() const override;
  std::span<double> mutable_y() override;
  std::span<const double> y_old() const override;
  std::span<const double> f() const override;
  const WorkCounts& work() const override;

 private:
  struct Work;  // keeps Eigen out of the header
  std::unique_ptr<Work> work_;
};

using Rodas5p = Rosenbrock<tableaus::Rodas5p>;

extern template class Rosenbrock<tableaus::Rodas5p>;

}  // namespace alembert::integrate
