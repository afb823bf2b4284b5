// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The exact Jacobian of a compiled chart in the layout of an OdeSystem. In: a
// model and the chart in use, which may change while a run goes on. Out: df/dy and df/dt.
#pragma once

#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/ode_system.hpp"

namespace alembert::integrate {

class ChartJacobianCaller {
 public:
  /// False where the chart has no exact Jacobian.
  bool use(const compile::CompiledModel& model, const compile::CompiledChart& chart);

  /// Of the states, for OdeSystem::jacobian_pattern; as long as the model lives.
  ColumnPattern pattern() const;

  /// inputs: [time, variables...]; dfdy: entries of the pattern, or [n * n] column-major where
  /// `dense`; dfdt: [n]. False where a value is not finite.
  bool operator()(const double* inputs, const double* parameters, bool dense, double* dfdy,
                  double* dfdt);

 private:
  const compile::ChartJacobian* jacobian_ = nullptr;
  std::uint32_t n_ = 0;
  std::vector<double> entries_;
  compile::AlignedDoubles workspace_;
};

}  // namespace alembert::integrate
