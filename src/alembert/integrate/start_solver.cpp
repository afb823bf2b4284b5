// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/start_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::integrate {

using compile::InitialStage;
using compile::InitialSystem;

namespace {

/// The fallback for the whole system is dense.
constexpr std::size_t most_dense = 600;

bool is_value(double v) { return std::isfinite(v); }

std::size_t guess_size(const InitialStage& stage) {
  return stage.guess ? stage.guess.shape().workspace_size : 0;
}

}  // namespace

StartSolver::StartSolver(ModelPoint& point, const InitialSystem& system,
                         const compile::CompiledModel::StartPoint& start)
    : point_(point), system_(system), start_(start), z_(1 + system.plan.columns.size()) {
  std::size_t size = system.left_over.kernel ? system.left_over.kernel.shape().workspace_size : 0;
  for (const InitialStage& stage : system.stages)
    size = std::max({size, stage.kernel.shape().workspace_size, guess_size(stage)});
  workspace_ = compile::AlignedDoubles(size);
}

void StartSolver::load() {
  const std::size_t n = system_.variables.size();
  z_[0] = point_.time();
  for (std::size_t c = 0; c < n; ++c)
    if (is_variable(c)) z_[1 + c] = point_.variables()[system_.variables[c]];
  for (std::size_t i = 0; i < system_.constants.size(); ++i)
    z_[1 + n + i] = point_.constants()[system_.constants[i]];
}

void StartSolver::store() {
  const std::size_t n = system_.variables.size();
  for (std::size_t c = 0; c < n; ++c)
    if (is_variable(c)) point_.variables()[system_.variables[c]] = z_[1 + c];
  for (std::size_t i = 0; i < system_.constants.size(); ++i)
    point_.constants()[system_.constants[i]] = z_[1 + n + i];
}

std::string StartSolver::column_name(std::uint32_t column) const {
  if (is_variable(column)) return point_.model().variable_names()[system_.variables[column]];
  const std::size_t parameter = column - system_.variables.size();
  if (column < system_.variables.size() || parameter >= system_.plan.parameters.size())
    return point_.model().flat().pool->symbol_text(system_.plan.columns[column]);
  return point_.model().parameter_name(system_.plan.parameters[parameter]);
}

double StartSolver::scale_of(std::uint32_t column) const {
  const double nominal =
      is_variable(column) ? point_.model().nominal_of(system_.variables[column]) : 0.0;
  return nominal > 0 ? nominal : std::max(1.0, std::abs(z_[1 + column]));
}

bool StartSolver::solve() {
  load();
  const std::vector<double> guess = z_;
  // Of several solutions the author means the one that the simplified equations lead to, so this
  // way is gone first.
  if (system_.has_homotopy) {
    if (deform(guess)) return true;
    z_ = guess;
    store();
  }
  if (solve_once()) return true;
  if (system_.has_homotopy) failure_ += "; nor by way of the simplified equations of homotopy()";
  return false;
}

bool StartSolver::deform(const std::vector<double>& guess) {
  double& simplified = point_.constants()[point_.model().constants().homotopy];
  std::vector<double> reached = guess;
  const auto solve_with = [&](double share) {
    simplified = share;
    z_ = reached;
    store();
    if (!solve_once()) return false;
    reached = z_;
    return true;
  };
  bool found = solve_with(1);
  double share = 1;
  for (double step = 0.25; found && share > 0;) {
    const double next = std::max(0.0, share - step);
    if (solve_with(next)) {
      share = next;
      step = std::min(0.5, 2 * step);
    } else {
      step *= 0.4;
      found = step > 1e-4;
    }
  }
  simplified = 0;
  z_ = reached;
  store();
  return found;
}

bool StartSolver::solve_once() {
  attempts_.clear();
  failure_.clear();
  failed_stage_ = nullptr;
  load();
  const std::vector<double> guess = z_;
  for (const InitialStage& stage : system_.stages) {
    if (solve_stage(stage)) continue;
    // The order of blocks may rest on a matrix that is singular here: all at once, from the guess.
    const std::string failure = std::exchange(failure_, "");
    const std::string advice = advice_;
    const InitialStage* const failed = failed_stage_;
    const std::vector<double> from = failed_from_;
    std::vector<double> reached = std::exchange(z_, guess);
    if (solve_whole()) break;
    failure_ = failure;
    advice_ = advice;
    failed_stage_ = failed;
    failed_from_ = from;
    // What was found on the way tells more about branches than the guesses did.
    for (const std::uint32_t place : stage.unknowns)
      if (!stage.assigned || !std::isfinite(reached[place])) reached[place] = guess[place];
    z_ = std::move(reached);
    store();
    return false;
  }
  reconcile(guess);
  store();
  return true;
}

void StartSolver::reconcile(const std::vector<double>& guess) {
  const std::vector<structure::Index>& rows = system_.plan.overdetermined;
  if (rows.empty() || rows.size() > most_dense || extra_conditions_hold()) return;
  if (!overdetermined_) overdetermined_ = joint_stage(rows);
  if (overdetermined_->unknowns.empty()) return;  // all of it is fixed
  const std::vector<double> reached = z_;
  std::vector<char> is_behind(system_.plan.rows.size(), 0);
  for (const structure::Index r : rows) is_behind[r] = 1;
  const auto solve_all = [&] {
    for (const std::uint32_t c : fixed_columns()) z_[1 + c] = start_.values[system_.variables[c]];
    if (!solve_stage(*overdetermined_, Rung::levenberg_marquardt)) return false;
    for (const InitialStage& stage : system_.stages)
      if ((stage.assigned || !is_behind[stage.rows.front()]) && !solve_stage(stage)) return false;
    return extra_conditions_hold();
  };
  for (const std::vector<double>* const from : {&reached, &guess}) {
    z_ = *from;
    if (solve_all()) return;
  }
  z_ = reached;
  failure_.clear();
  failed_stage_ = nullptr;
}

bool StartSolver::is_as_fixed(std::uint32_t column) const {
  const double wanted = start_.values[system_.variables[column]];
  return std::abs(z_[1 + column] - wanted) <= 1e-6 * std::max(1.0, std::abs(wanted));
}

bool StartSolver::extra_conditions_hold() {
  const std::vector<double> differences = left_over_differences();
  return std::ranges::all_of(system_.plan.doubtful, [&](auto c) { return is_as_fixed(c); }) &&
         std::ranges::all_of(differences, [](double d) { return d == 0; });
}

std::vector<double> StartSolver::left_over_differences() {
  const InitialStage& stage = system_.left_over;
  const std::size_t n_rows = stage.rows.size();
  if (n_rows == 0) return {};
  take_inputs(stage);
  run(stage);
  // How large the terms of each are.
  std::vector<double> sizes(n_rows, 1.0);
  for (std::size_t k = 0; k < stage.jacobian_rows.size(); ++k) {
    const double term = std::abs(outputs_[n_rows + k] * inputs_[stage.jacobian_columns[k]]);
    double& size = sizes[stage.jacobian_rows[k]];
    if (term > size && std::isfinite(term)) size = term;
  }
  std::vector<double> differences(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i)
    differences[i] = std::abs(outputs_[i]) <= 1e-6 * sizes[i] ? 0 : outputs_[i];
  return differences;
}

void StartSolver::take_inputs(const InitialStage& stage) {
  inputs_.resize(stage.inputs.size());
  outputs_.resize(stage.kernel.shape().n_outputs);
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = z_[stage.inputs[i]];
}

void StartSolver::run(const InitialStage& stage) {
  stage.kernel(inputs_.data(), point_.constants().data(), outputs_.data(), workspace_.data());
}

bool StartSolver::assign(const InitialStage& stage) {
  take_inputs(stage);
  run(stage);
  for (std::size_t i = 0; i < stage.unknowns.size(); ++i) {
    z_[stage.unknowns[i]] = outputs_[i];
    if (!std::isfinite(outputs_[i]) && failure_.empty()) explain_assigned(stage.unknowns[i] - 1);
  }
  return std::ranges::all_of(outputs_, is_value);
}

bool StartSolver::solve_stage(const InitialStage& stage, Rung last) {
  if (stage.assigned) return assign(stage);
  take_inputs(stage);
  improve_guesses(stage);
  const std::size_t n_rows = stage.rows.size();
  const auto evaluate = [&](std::span<const double> x, std::span<double> residuals,
                            std::span<double> jacobian) {
    if (interrupt_ != nullptr && *interrupt_)
      throw Error("I016", "interrupted before a consistent start was found.");
    std::copy(x.begin(), x.end(), inputs_.begin());
    run(stage);
    if (!std::ranges::all_of(std::span(outputs_).first(n_rows), is_value)) return false;
    std::copy_n(outputs_.begin(), n_rows, residuals.begin());
    std::fill(jacobian.begin(), jacobian.end(), 0.0);
    for (std::size_t k = 0; k < stage.jacobian_rows.size(); ++k)
      jacobian[stage.jacobian_columns[k] * n_rows + stage.jacobian_rows[k]] = outputs_[n_rows + k];
    return std::ranges::all_of(outputs_, is_value) || take_differences(stage, residuals, jacobian);
  };
  std::vector<double> x, scale, lower, upper;
  StartAttempt attempt;
  for (const std::uint32_t place : stage.unknowns) {
    const std::uint32_t column = place - 1;
    const auto range = is_variable(column) ? point_.model().range_of(system_.variables[column])
                                           : compile::CompiledModel::Range{};
    x.push_back(z_[place]);
    scale.push_back(scale_of(column));
    lower.push_back(range.min);
    upper.push_back(range.max);
    attempt.unknowns.push_back(column_name(column));
  }
  const NonlinearBlock block{.n_rows = n_rows,
                             .n_unknowns = stage.unknowns.size(),
                             .evaluate = evaluate,
                             .scale = scale,
                             .lower = lower,
                             .upper = upper};
  const std::vector<double> guess = x;
  attempt.result = solve_block(block, x, Rung::newton);
  if (!attempt.result.solved) {
    x = guess;
    attempt.result = solve_torn(stage, block, x);
  }
  if (!attempt.result.solved) {
    x = guess;
    attempt.result = solve_block(block, x, last);
  }
  for (std::size_t i = 0; i < x.size(); ++i) z_[stage.unknowns[i]] = x[i];
  if (!attempt.result.solved) note_failure(stage, block, guess, x, attempt.result);
  attempts_.push_back(std::move(attempt));
  return attempts_.back().result.solved;
}

LadderResult StartSolver::solve_torn(const InitialStage& stage, const NonlinearBlock& whole,
                                     std::span<double> x) {
  const std::size_t n = whole.n_unknowns;
  if (n < 2 || whole.n_rows != n) return {};
  auto found = torn_.find(&stage);
  if (found == torn_.end())
    found = torn_.emplace(&stage, point_.model().torn_start(system_, stage)).first;
  const compile::TornStage& torn = found->second;
  const std::size_t n_tears = torn.tears.size();
  if (torn.inner.empty() || n_tears == 0) return {};
  if (workspace_.size() < torn.kernel.shape().workspace_size)
    workspace_ = compile::AlignedDoubles(torn.kernel.shape().workspace_size);

  std::vector<double> from(torn.inputs.size()), inner(torn.inner.size());
  std::vector<double> all_residuals(n), all_slopes(n * n);
  // What the inner unknowns are at these tears.
  const auto follow = [&](std::span<const double> tears) {
    for (std::size_t k = 0; k < n_tears; ++k) {
      x[torn.tears[k]] = tears[k];
      z_[stage.unknowns[torn.tears[k]]] = tears[k];
    }
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = z_[torn.inputs[i]];
    torn.kernel(from.data(), point_.constants().data(), inner.data(), workspace_.data());
    for (std::size_t i = 0; i < inner.size(); ++i) x[torn.inner[i].unknown] = inner[i];
    return std::ranges::all_of(inner, is_value);
  };
  // Entries of the rows of inner unknowns, in their order, then of the rows that are left.
  std::vector<std::vector<std::uint32_t>> columns_of(n);
  for (std::size_t k = 0; k < stage.jacobian_rows.size(); ++k)
    columns_of[stage.jacobian_rows[k]].push_back(stage.jacobian_columns[k]);
  std::vector<double> by_tears(n * n_tears);  // [n unknowns][n_tears]: what they change by
  const auto evaluate = [&](std::span<const double> tears, std::span<double> residuals,
                            std::span<double> jacobian) {
    if (!follow(tears) || !whole.evaluate(x, all_residuals, all_slopes)) return false;
    std::fill(by_tears.begin(), by_tears.end(), 0.0);
    for (std::size_t k = 0; k < n_tears; ++k) by_tears[torn.tears[k] * n_tears + k] = 1;
    const auto add_row = [&](std::uint32_t row, std::uint32_t except, double factor, double* sum) {
      for (const std::uint32_t column : columns_of[row]) {
        if (column == except) continue;
        const double slope = factor * all_slopes[column * n + row];
        if (slope == 0) continue;
        for (std::size_t k = 0; k < n_tears; ++k) sum[k] += slope * by_tears[column * n_tears + k];
      }
    };
    for (const auto& [unknown, row] : torn.inner) {
      const double pivot = all_slopes[unknown * n + row];
      if (pivot == 0) return false;
      add_row(row, unknown, -1 / pivot, &by_tears[unknown * n_tears]);
    }
    std::vector<double> sum(n_tears);
    for (std::size_t i = 0; i < n_tears; ++i) {
      residuals[i] = all_residuals[torn.residuals[i]];
      std::fill(sum.begin(), sum.end(), 0.0);
      add_row(torn.residuals[i], static_cast<std::uint32_t>(n), 1, sum.data());
      for (std::size_t k = 0; k < n_tears; ++k) jacobian[k * n_tears + i] = sum[k];
    }
    return std::ranges::all_of(jacobian, is_value);
  };
  std::vector<double> tears, scale, lower, upper;
  for (const std::uint32_t k : torn.tears) {
    tears.push_back(x[k]);
    scale.push_back(whole.scale[k]);
    lower.push_back(whole.lower[k]);
    upper.push_back(whole.upper[k]);
  }
  LadderResult result = solve_block({.n_rows = n_tears,
                                     .n_unknowns = n_tears,
                                     .evaluate = evaluate,
                                     .scale = scale,
                                     .lower = lower,
                                     .upper = upper},
                                    tears);
  result.solved = follow(tears) && result.solved;
  return result;
}

/// A slope may have no value where the residual has one: beside a branch that is not taken, at the
/// edge of a root. The point is in `inputs_`.
bool StartSolver::take_differences(const InitialStage& stage, std::span<const double> residuals,
                                   std::span<double> jacobian) {
  const std::size_t n_rows = residuals.size();
  constexpr std::size_t most_columns = 50;  // each costs an evaluation
  std::size_t n_missing = 0;
  for (std::size_t j = 0; j < stage.unknowns.size(); ++j) {
    const std::span<double> column = jacobian.subspan(j * n_rows, n_rows);
    if (std::ranges::all_of(column, is_value)) continue;
    if (++n_missing > most_columns) return false;
    const double x = inputs_[j];
    const double size = x != 0 ? std::abs(x) : scale_of(stage.unknowns[j] - 1);
    bool found = false;
    for (const double step : {1e-7 * size, -1e-7 * size}) {
      inputs_[j] = x + step;
      run(stage);
      for (std::size_t i = 0; i < n_rows; ++i)
        column[i] = (outputs_[i] - residuals[i]) / (inputs_[j] - x);
      found = std::ranges::all_of(column, is_value);
      if (found) break;
    }
    inputs_[j] = x;
    if (!found) return false;
  }
  return true;
}

void StartSolver::improve_guesses(const InitialStage& stage) {
  if (!stage.guess) return;
  std::vector<double> from, guesses(stage.guessed.size());
  for (const std::uint32_t place : stage.guess_inputs) from.push_back(z_[place]);
  stage.guess(from.data(), point_.constants().data(), guesses.data(), workspace_.data());
  for (std::size_t i = 0; i < guesses.size(); ++i)
    if (std::isfinite(guesses[i])) z_[stage.guessed[i]] = guesses[i];
}

bool StartSolver::solve_whole() {
  if (z_.size() > most_dense) return false;
  if (!whole_) {
    std::vector<std::uint32_t> rows(system_.plan.rows.size());
    std::iota(rows.begin(), rows.end(), 0u);
    whole_ = joint_stage(rows);
  }
  return solve_stage(*whole_);
}

std::vector<std::uint32_t> StartSolver::fixed_columns() const {
  std::vector<std::uint32_t> fixed;
  for (std::uint32_t c = 0; c < system_.variables.size(); ++c)
    if (is_variable(c) && start_.fixed[system_.variables[c]]) fixed.push_back(c);
  return fixed;
}

InitialStage StartSolver::joint_stage(std::span<const std::uint32_t> rows) {
  InitialStage stage = point_.model().joint_start(system_, rows, fixed_columns());
  const std::size_t size = std::max(stage.kernel.shape().workspace_size, guess_size(stage));
  if (workspace_.size() < size) workspace_ = compile::AlignedDoubles(size);
  return stage;
}

std::vector<std::string> StartSolver::filled() const {
  // A start that is given by parameters was thought of, whether it is fixed or not.
  const flat::FlatSystem& flat = point_.model().simplified().flat;
  std::unordered_set<symbolic::ExprId> planned;  // looked up, never iterated
  for (const flat::Unknown& unknown : flat.unknowns)
    if (unknown.start.valid() && !symbolic::free_symbols(*flat.pool, unknown.start).empty())
      planned.insert(unknown.symbol);
  std::vector<std::string> names;
  for (const auto column : system_.plan.filled)
    if (!planned.contains(system_.plan.columns[column])) names.push_back(column_name(column));
  return names;
}

}  // namespace alembert::integrate
