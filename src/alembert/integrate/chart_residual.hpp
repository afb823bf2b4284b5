// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A compiled chart as r(t, y, y') = 0 in the layout of an OdeSystem. In: a model
// and the chart in use, which may change while a run goes on. Out: r and dr/dy + factor dr/dy'.
#pragma once

#include <span>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/ode_system.hpp"

namespace alembert::integrate {

class ChartResidualCaller {
 public:
  /// False where the chart has no such form.
  bool use(const compile::CompiledModel& model, const compile::CompiledChart& chart);

  /// Of the sum, for OdeSystem::residual_pattern; until the next `use`.
  ColumnPattern pattern() const { return {column_start_, row_}; }

  /// inputs: [time, variables...], in which slopes [n] are entered; r: [n].
  void operator()(double* inputs, const double* parameters, const double* slope, double* r);
  /// entries: of the pattern, or [n * n] column-major where `dense`. False where a value is not
  /// finite.
  bool jacobian(double* inputs, const double* parameters, const double* slope, double factor,
                bool dense, double* entries);
  /// All variables, with the slopes that were entered last.
  void variables(const double* inputs, const double* parameters, double* out);

 private:
  void enter(double* inputs, const double* slope) const;
  void plan_places();

  const compile::ChartResidual* residual_ = nullptr;
  std::uint32_t n_ = 0;
  std::vector<std::uint32_t> column_start_, row_;  // of the sum
  /// Where the kernel's entries and the diagonal of rows that are no equations go.
  struct Places {
    std::vector<std::size_t> of_entries, of_diagonal;
  };
  Places sparse_, dense_;
  std::vector<double> entries_;
  compile::AlignedDoubles workspace_;
};

}  // namespace alembert::integrate
