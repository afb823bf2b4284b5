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

/// One implicit Euler step of length h from `before`, for all unknowns at once. The point keeps its
/// time, and what constraints have of time moves.
class JumpStep {
 public:
  JumpStep(const ModelPoint& point, const compile::JumpSystem& jump,
           const std::vector<double>& before, double h)
      : point_(point),
        jump_(jump),
        before_(before),
        h_(h),
        nowhere_(point.model().n_variables()),
        n_(static_cast<Eigen::Index>(jump.unknowns.size())) {
    if (!can_be_made()) return;
    matrix_.resize(n_, n_);
    residuals_.resize(n_);
    scale_.resize(n_);
    values_.resize(jump.residuals.shape().n_outputs);
    entries_.resize(jump.jacobian.shape().n_outputs);
    work_ = compile::AlignedDoubles(
        std::max(jump.residuals.shape().workspace_size, jump.jacobian.shape().workspace_size));
  }

  /// True if it leads to where the point is: nothing impels the states. An impulse would be of the
  /// size of a jump over h.
  bool ends_at_point() {
    constexpr double no_impulse = 1e-10;
    if (!can_be_made()) return false;
    start_from(point_);
    return linearise() && residuals_.cwiseAbs().maxCoeff() <= no_impulse;
  }

  /// By Newton's method from the point, whose variables are then those of the end. False if it does
  /// not arrive.
  bool solve(ModelPoint& point) {
    if (!can_be_made()) return false;
    start_from(point);
    bool solved = false;
    for (int iteration = 0; iteration < most_iterations && !solved; ++iteration) {
      if (!linearise()) return false;
      const Eigen::FullPivLU<Eigen::MatrixXd> decomposition(matrix_);
      if (!decomposition.isInvertible()) return false;
      const Eigen::VectorXd change = decomposition.solve(-residuals_).cwiseQuotient(scale_);
      if (!change.allFinite()) return false;
      solved = true;
      for (Eigen::Index j = 0; j < n_; ++j) {
        double& value = inputs_[1 + jump_.unknowns[static_cast<std::size_t>(j)]];
        value += change[j];
        solved = solved && std::abs(change[j]) <= 1e-10 * std::max(1.0, std::abs(value));
      }
    }
    std::copy_n(inputs_.begin() + 1, nowhere_, point.variables().begin());
    return solved;
  }

 private:
  bool can_be_made() const {
    return n_ > 0 && jump_.jacobian && jump_.unknowns.size() <= most_unknowns;
  }

  void start_from(const ModelPoint& point) {
    inputs_.assign(1, point.time() + h_);  // then variables, and those without a place
    inputs_.insert(inputs_.end(), point.variables().begin(), point.variables().end());
    inputs_.resize(inputs_.size() + jump_.n_added, 0.0);
  }

  void fill(std::size_t column, Eigen::Index j, double factor) {
    for (auto e = jump_.sparsity.column_start[column]; e < jump_.sparsity.column_start[column + 1];
         ++e)
      matrix_(jump_.sparsity.row[e], j) += factor * entries_[e];
  }

  /// Residuals and their matrix, of rows and columns whose largest entry is 1. False where they have
  /// no values, or a row or a column is zero.
  bool linearise() {
    for (std::size_t j = 0; j < jump_.unknowns.size(); ++j)
      if (const std::uint32_t slope = jump_.slopes[j]; slope < nowhere_)
        inputs_[1 + slope] = (inputs_[1 + jump_.unknowns[j]] - before_[jump_.unknowns[j]]) / h_;
    jump_.residuals(inputs_.data(), point_.constants().data(), values_.data(), work_.data());
    jump_.jacobian(inputs_.data(), point_.constants().data(), entries_.data(), work_.data());
    matrix_.setZero();
    std::size_t slope_column = jump_.unknowns.size();
    for (Eigen::Index j = 0; j < n_; ++j) {
      fill(static_cast<std::size_t>(j), j, 1.0);
      if (jump_.slopes[static_cast<std::size_t>(j)] < nowhere_) fill(slope_column++, j, 1 / h_);
      residuals_[j] = values_[static_cast<std::size_t>(j)];
    }
    if (!matrix_.allFinite() || !residuals_.allFinite()) return false;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double largest = matrix_.row(i).cwiseAbs().maxCoeff();
      if (largest == 0) return false;
      matrix_.row(i) /= largest;
      residuals_[i] /= largest;
    }
    // Columns too: those of impulses have the size of the step.
    for (Eigen::Index j = 0; j < n_; ++j) {
      scale_[j] = matrix_.col(j).cwiseAbs().maxCoeff();
      if (scale_[j] == 0) return false;
      matrix_.col(j) /= scale_[j];
    }
    return true;
  }

  const ModelPoint& point_;
  const compile::JumpSystem& jump_;
  const std::vector<double>& before_;
  double h_;
  std::uint32_t nowhere_;
  Eigen::Index n_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd residuals_, scale_;
  std::vector<double> inputs_, values_, entries_;
  compile::AlignedDoubles work_;
};

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
  const double h = instant * std::max(std::min(1.0, span), std::abs(point_.time()));
  JumpStep step(point_, model.jump_system(*chart_), before_, h);
  if (step.ends_at_point()) return End::none;
  take(before_);
  const bool found = step.solve(point_);
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
  return JumpStep(point, chart.variant->jump, before, h).solve(point) && modes_hold(point) &&
         point.complete();
}

}  // namespace alembert::integrate
