// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/chart_jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {

bool ChartJacobianCaller::use(const compile::CompiledModel& model,
                              const compile::CompiledChart& chart) {
  jacobian_ = &model.jacobian(chart);
  n_ = static_cast<std::uint32_t>(chart.states.size());
  entries_.resize(jacobian_->sparsity.row.size());
  if (!jacobian_->kernel) return false;
  const std::size_t size = jacobian_->kernel.shape().workspace_size;
  if (workspace_.size() < size) workspace_ = compile::AlignedDoubles(size);
  return true;
}

ColumnPattern ChartJacobianCaller::pattern() const {
  const compile::ColumnSparsity& sparsity = jacobian_->sparsity;
  return {.column_start = std::span(sparsity.column_start).first(n_ + 1),
          .row = std::span(sparsity.row).first(sparsity.column_start[n_])};
}

bool ChartJacobianCaller::operator()(const double* inputs, const double* parameters, bool dense,
                                     double* dfdy, double* dfdt) {
  const compile::ColumnSparsity& sparsity = jacobian_->sparsity;
  jacobian_->kernel(inputs, parameters, entries_.data(), workspace_.data());
  const std::uint32_t n_of_states = sparsity.column_start[n_];
  if (dense) {
    std::fill_n(dfdy, std::size_t{n_} * n_, 0.0);
    for (std::uint32_t j = 0; j < n_; ++j)
      for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
        dfdy[std::size_t{j} * n_ + sparsity.row[e]] = entries_[e];
  } else {
    std::copy_n(entries_.begin(), n_of_states, dfdy);
  }
  std::fill_n(dfdt, n_, 0.0);
  for (auto e = n_of_states; e < entries_.size(); ++e) dfdt[sparsity.row[e]] = entries_[e];
  return std::all_of(entries_.begin(), entries_.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace alembert::integrate
