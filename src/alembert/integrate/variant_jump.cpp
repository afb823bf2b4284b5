// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/variant_jump.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "alembert/compile/model/compiled_model.hpp"
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
/// Matrices are dense here.
constexpr std::size_t most_unknowns = 500;

/// One implicit Euler step of length h from `before`, by Newton's method on all unknowns. The point
/// keeps its time, and what constraints have of time moves. Its variables are those of the end.
bool step_over(ModelPoint& point, const compile::JumpSystem& jump,
               const std::vector<double>& before, double h) {
  const auto n = static_cast<Eigen::Index>(jump.unknowns.size());
  if (n == 0 || !jump.jacobian || jump.unknowns.size() > most_unknowns) return false;
  Eigen::MatrixXd matrix(n, n);
  Eigen::VectorXd residuals(n), scale(n);
  std::vector<double> values(jump.residuals.shape().n_outputs);
  std::vector<double> entries(jump.jacobian.shape().n_outputs);
  compile::AlignedDoubles work(
      std::max(jump.residuals.shape().workspace_size, jump.jacobian.shape().workspace_size));
  const std::uint32_t nowhere = point.model().n_variables();
  std::vector<double> inputs{point.time() + h};  // then variables, and those without a place
  inputs.insert(inputs.end(), point.variables().begin(), point.variables().end());
  inputs.resize(inputs.size() + jump.n_added, 0.0);
  const auto fill = [&](std::size_t column, Eigen::Index j, double factor) {
    for (auto e = jump.sparsity.column_start[column]; e < jump.sparsity.column_start[column + 1];
         ++e)
      matrix(jump.sparsity.row[e], j) += factor * entries[e];
  };
  bool solved = false;
  for (int iteration = 0; iteration < most_iterations && !solved; ++iteration) {
    for (std::size_t j = 0; j < jump.unknowns.size(); ++j)
      if (const std::uint32_t slope = jump.slopes[j]; slope < nowhere)
        inputs[1 + slope] = (inputs[1 + jump.unknowns[j]] - before[jump.unknowns[j]]) / h;
    jump.residuals(inputs.data(), point.constants().data(), values.data(), work.data());
    jump.jacobian(inputs.data(), point.constants().data(), entries.data(), work.data());
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
    solved = true;
    for (Eigen::Index j = 0; j < n; ++j) {
      double& value = inputs[1 + jump.unknowns[static_cast<std::size_t>(j)]];
      value += change[j];
      solved = solved && std::abs(change[j]) <= 1e-10 * std::max(1.0, std::abs(value));
    }
  }
  std::copy_n(inputs.begin() + 1, nowhere, point.variables().begin());
  return solved;
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

ConstraintJump::ConstraintJump(ModelPoint& point) : point_(point) {
  const compile::CompiledModel& model = point.model();
  const auto& states = point.chart().states;
  if (model.plan().selection_rows.empty() && point.chart().variant == nullptr) return;
  for (std::uint32_t v = 0; v < model.n_variables(); ++v)
    if (model.derivative_of(v) < model.n_variables() &&
        std::find(states.begin(), states.end(), v) == states.end())
      dependent_.push_back(v);
  if (dependent_.empty() || !point.complete()) return;
  chart_ = &point.chart();
  before_.assign(point.variables().begin(), point.variables().end());
  double largest = 0;
  for (const std::uint32_t state : states) largest = std::max(largest, std::abs(before_[state]));
  if (largest > 0) least_ = part_of_largest * largest;
}

bool ConstraintJump::differs(std::uint32_t variable) const {
  constexpr double visible = 1e-6;  // beyond what blocks are solved to
  return std::abs(point_.variables()[variable] - before_[variable]) >
         visible * std::max(least_, std::abs(before_[variable]));
}

ConstraintJump::End ConstraintJump::follow(double span) {
  if (chart_ == nullptr || &point_.chart() != chart_) return End::none;
  const compile::CompiledModel& model = point_.model();
  const auto is_same = [&](std::uint32_t v) { return point_.variables()[v] == before_[v]; };
  if (!std::ranges::all_of(chart_->states, is_same)) return End::none;  // given by reinit
  std::vector<std::uint32_t> jumped;
  std::ranges::copy_if(dependent_, std::back_inserter(jumped),
                       [&](std::uint32_t v) { return differs(v); });
  if (jumped.empty()) return End::none;
  variable_ = jumped.front();
  for (const std::uint32_t v : jumped)
    if (model.derivative_of(model.derivative_of(v)) < model.n_variables()) {
      variable_ = v;
      return End::too_high;
    }
  const std::vector<double> after(point_.variables().begin(), point_.variables().end());
  const auto take = [&](const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), point_.variables().begin());
  };
  take(before_);
  const double h = instant * std::max(std::min(1.0, span), std::abs(point_.time()));
  const bool found = step_over(point_, model.jump_system(*chart_), before_, h);
  const bool moves =
      found && std::ranges::any_of(chart_->states, [&](std::uint32_t v) { return differs(v); });
  if (moves && point_.complete()) return End::states;
  take(after);
  return found && !moves ? End::none : End::no_solution;
}

const structure::HeldUnknown* broken_equation(const ModelPoint& point) {
  const compile::ModeVariant* const variant = point.chart().variant;
  return variant == nullptr
             ? nullptr
             : variant->broken(point.time(), point.variables().data(), point.constants().data());
}

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
