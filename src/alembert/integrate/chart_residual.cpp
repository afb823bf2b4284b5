// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/chart_residual.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {

bool ChartResidualCaller::use(const compile::CompiledModel& model,
                              const compile::CompiledChart& chart) {
  residual_ = model.residual(chart);
  if (residual_ == nullptr) return false;
  n_ = static_cast<std::uint32_t>(chart.states.size());
  entries_.resize(residual_->sparsity.row.size());
  plan_places();
  const std::size_t size =
      std::max({residual_->rows.shape().workspace_size, residual_->jacobian.shape().workspace_size,
                residual_->variables.shape().workspace_size});
  if (workspace_.size() < size) workspace_ = compile::AlignedDoubles(size);
  return true;
}

void ChartResidualCaller::plan_places() {
  const compile::ColumnSparsity& sparsity = residual_->sparsity;
  std::vector<std::uint32_t> slope_column(n_, 0);  // of the kernel's entries; 0: it has none
  for (std::uint32_t k = 0; k < residual_->open_states.size(); ++k)
    slope_column[residual_->open_states[k]] = n_ + k;
  sparse_.of_entries.resize(entries_.size());
  dense_.of_entries.resize(entries_.size());
  sparse_.of_diagonal.clear();
  dense_.of_diagonal.clear();
  column_start_ = {0};
  row_.clear();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t j = 0; j < n_; ++j) {
    rows.clear();
    const auto add_column = [&](std::uint32_t c) {
      rows.insert(rows.end(), sparsity.row.begin() + sparsity.column_start[c],
                  sparsity.row.begin() + sparsity.column_start[c + 1]);
    };
    add_column(j);
    if (slope_column[j] != 0) add_column(slope_column[j]);
    if (residual_->is_equation[j] == 0) rows.push_back(j);
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const auto place = [&](std::uint32_t row) {
      return row_.size() +
             static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin());
    };
    const std::size_t column = std::size_t{j} * n_;
    const auto place_column = [&](std::uint32_t c) {
      for (auto e = sparsity.column_start[c]; e < sparsity.column_start[c + 1]; ++e) {
        sparse_.of_entries[e] = place(sparsity.row[e]);
        dense_.of_entries[e] = column + sparsity.row[e];
      }
    };
    place_column(j);
    if (slope_column[j] != 0) place_column(slope_column[j]);
    if (residual_->is_equation[j] == 0) {
      sparse_.of_diagonal.push_back(place(j));
      dense_.of_diagonal.push_back(column + j);
    }
    row_.insert(row_.end(), rows.begin(), rows.end());
    column_start_.push_back(static_cast<std::uint32_t>(row_.size()));
  }
}

void ChartResidualCaller::enter(double* inputs, const double* slope) const {
  for (std::size_t k = 0; k < residual_->open_states.size(); ++k)
    inputs[1 + residual_->open_slopes[k]] = slope[residual_->open_states[k]];
}

void ChartResidualCaller::operator()(double* inputs, const double* parameters, const double* slope,
                                     double* r) {
  enter(inputs, slope);
  residual_->rows(inputs, parameters, r, workspace_.data());
  for (std::uint32_t i = 0; i < n_; ++i)
    if (residual_->is_equation[i] == 0) r[i] = slope[i] - r[i];
}

void ChartResidualCaller::variables(const double* inputs, const double* parameters, double* out) {
  residual_->variables(inputs, parameters, out, workspace_.data());
}

bool ChartResidualCaller::jacobian(double* inputs, const double* parameters, const double* slope,
                                   double factor, bool dense, double* entries) {
  enter(inputs, slope);
  residual_->jacobian(inputs, parameters, entries_.data(), workspace_.data());
  const Places& places = dense ? dense_ : sparse_;
  std::fill_n(entries, dense ? std::size_t{n_} * n_ : row_.size(), 0.0);
  const compile::ColumnSparsity& sparsity = residual_->sparsity;
  const std::uint32_t n_of_states = sparsity.column_start[n_];
  for (std::uint32_t e = 0; e < entries_.size(); ++e) {
    const double value = e < n_of_states ? entries_[e] : factor * entries_[e];
    entries[places.of_entries[e]] += residual_->is_equation[sparsity.row[e]] != 0 ? value : -value;
  }
  for (const std::size_t place : places.of_diagonal) entries[place] += factor;
  return std::all_of(entries_.begin(), entries_.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace alembert::integrate
