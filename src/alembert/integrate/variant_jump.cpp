// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/variant_jump.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "alembert/compile/model/mode_variant.hpp"

namespace alembert::integrate {

namespace {

/// Below this, beside the value itself and a part of the largest state, states are where they were.
constexpr double negligible = 1e-9;
constexpr double part_of_largest = 1e-4;
/// The step, beside the time, or the run where that is short: what happens in it apart from
/// impulses is lost in rounding.
constexpr double instant = 1e-12;
constexpr int most_iterations = 20;

/// One implicit Euler step of length h from `before`, by Newton's method on all unknowns.
bool step_over(ModelPoint& point, const compile::JumpSystem& jump,
               const std::vector<double>& before, double h) {
  const auto n = static_cast<Eigen::Index>(jump.unknowns.size());
  if (n == 0 || !jump.jacobian) return false;
  Eigen::MatrixXd matrix(n, n);
  Eigen::VectorXd residuals(n), scale(n);
  std::vector<double> values(jump.residuals.shape().n_outputs);
  std::vector<double> entries(jump.jacobian.shape().n_outputs);
  compile::AlignedDoubles work(
      std::max(jump.residuals.shape().workspace_size, jump.jacobian.shape().workspace_size));
  const std::uint32_t nowhere = point.model().n_variables();
  const auto fill = [&](std::size_t column, Eigen::Index j, double factor) {
    for (auto e = jump.sparsity.column_start[column]; e < jump.sparsity.column_start[column + 1];
         ++e)
      matrix(jump.sparsity.row[e], j) += factor * entries[e];
  };
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t j = 0; j < jump.unknowns.size(); ++j)
      if (const std::uint32_t slope = jump.slopes[j]; slope < nowhere)
        point.variables()[slope] =
            (point.variables()[jump.unknowns[j]] - before[jump.unknowns[j]]) / h;
    point.run(jump.residuals, values, work);
    point.run(jump.jacobian, entries, work);
    matrix.setZero();
    std::size_t slope_column = jump.unknowns.size();
    for (Eigen::Index j = 0; j < n; ++j) {
      fill(static_cast<std::size_t>(j), j, 1.0);
      if (jump.slopes[static_cast<std::size_t>(j)] < nowhere) fill(slope_column++, j, 1 / h);
      residuals[j] = values[static_cast<std::size_t>(j)];
    }
    if (!matrix.allFinite() || !residuals.allFinite()) return false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double largest = matrix.row(i).cwiseAbs().maxCoeff();
      if (largest == 0) return false;
      matrix.row(i) /= largest;
      residuals[i] /= largest;
    }
    // Columns too: those of impulses have the size of the step.
    for (Eigen::Index j = 0; j < n; ++j) {
      scale[j] = matrix.col(j).cwiseAbs().maxCoeff();
      if (scale[j] == 0) return false;
      matrix.col(j) /= scale[j];
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> decomposition(matrix);
    if (!decomposition.isInvertible()) return false;
    const Eigen::VectorXd change = decomposition.solve(-residuals).cwiseQuotient(scale);
    if (!change.allFinite()) return false;
    bool small = true;
    for (Eigen::Index j = 0; j < n; ++j) {
      double& value = point.variables()[jump.unknowns[static_cast<std::size_t>(j)]];
      value += change[j];
      small = small && std::abs(change[j]) <= 1e-10 * std::max(1.0, std::abs(value));
    }
    if (small) return true;
  }
  return false;
}

/// Modes as the point would have them, but for those that time decides.
bool modes_hold(ModelPoint& point) {
  const auto& modes = point.model().hybrid().modes;
  const compile::Kernel& kernel = point.model().events().modes;
  std::vector<double> values(kernel ? kernel.shape().n_outputs : 0);
  point.run(kernel, values);
  const auto held = point.constants().subspan(point.model().constants().modes, modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (!modes[k].change_time.valid() && values[k] != held[k]) return false;
  return true;
}

}  // namespace

bool enter_variant(ModelPoint& point, const compile::CompiledChart& chart, double span,
                   bool& jumped) {
  const std::vector<double> before(point.variables().begin(), point.variables().end());
  const std::vector<std::uint32_t> states = point.chart().states;
  point.use(chart);
  jumped = false;
  if (!point.complete()) return false;
  double largest = 0;
  for (const std::uint32_t state : states) largest = std::max(largest, std::abs(before[state]));
  const double least = largest > 0 ? part_of_largest * largest : 1.0;
  for (const std::uint32_t state : states)
    jumped = jumped || std::abs(point.variables()[state] - before[state]) >
                           negligible * std::max(least, std::abs(before[state]));
  if (!jumped) return true;
  std::copy(before.begin(), before.end(), point.variables().begin());
  const double h = instant * std::max(std::min(1.0, span), std::abs(point.time()));
  return step_over(point, chart.variant->jump, before, h) && modes_hold(point) && point.complete();
}

}  // namespace alembert::integrate
