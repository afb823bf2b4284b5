// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/start_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/bad_operand.hpp"
#include "alembert/integrate/contradicting_rows.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::integrate {

using compile::InitialStage;
using compile::InitialSystem;

namespace {

constexpr const char* near_a_solution = "Give start values near a solution of the equations.";

/// The fallback for the whole system is dense.
constexpr std::size_t most_dense = 600;

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
  inputs_.resize(stage.inputs.size());
  outputs_.resize(stage.kernel.shape().n_outputs);
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = z_[stage.inputs[i]];
  stage.kernel(inputs_.data(), point_.constants().data(), outputs_.data(), workspace_.data());
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

bool StartSolver::solve_stage(const InitialStage& stage, Rung last) {
  const std::size_t n_inputs = stage.inputs.size();
  const std::size_t n = stage.unknowns.size();
  inputs_.resize(n_inputs);
  outputs_.resize(stage.kernel.shape().n_outputs);
  for (std::size_t i = 0; i < n_inputs; ++i) inputs_[i] = z_[stage.inputs[i]];
  const auto run = [&] {
    stage.kernel(inputs_.data(), point_.constants().data(), outputs_.data(), workspace_.data());
    return std::all_of(outputs_.begin(), outputs_.end(), [](double v) { return std::isfinite(v); });
  };
  if (stage.assigned) {
    const bool finite = run();
    for (std::size_t i = 0; i < n; ++i) {
      z_[stage.unknowns[i]] = outputs_[i];
      if (!std::isfinite(outputs_[i]) && failure_.empty()) explain_assigned(stage.unknowns[i] - 1);
    }
    return finite;
  }
  improve_guesses(stage);
  const std::size_t n_rows = stage.rows.size();
  const auto evaluate = [&](std::span<const double> x, std::span<double> residuals,
                            std::span<double> jacobian) {
    if (interrupt_ != nullptr && *interrupt_)
      throw Error("I016", "interrupted before a consistent start was found.");
    std::copy(x.begin(), x.end(), inputs_.begin());
    const bool has_slopes = run();
    if (!std::all_of(outputs_.begin(), outputs_.begin() + static_cast<std::ptrdiff_t>(n_rows),
                     [](double v) { return std::isfinite(v); }))
      return false;
    std::copy_n(outputs_.begin(), n_rows, residuals.begin());
    std::fill(jacobian.begin(), jacobian.end(), 0.0);
    for (std::size_t k = 0; k < stage.jacobian_rows.size(); ++k)
      jacobian[stage.jacobian_columns[k] * n_rows + stage.jacobian_rows[k]] = outputs_[n_rows + k];
    return has_slopes || take_differences(stage, residuals, jacobian);
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
                             .n_unknowns = n,
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
  const bool solved = attempt.result.solved;
  if (!solved) {
    failed_stage_ = &stage;
    failed_from_ = z_;
    for (std::size_t i = 0; i < n; ++i) failed_from_[stage.unknowns[i]] = guess[i];
  }
  for (std::size_t i = 0; i < n; ++i) z_[stage.unknowns[i]] = x[i];
  if (!solved) {
    std::vector<double> residuals(n_rows), jacobian(n_rows * n);
    if (!evaluate(x, residuals, jacobian))
      for (std::size_t i = 0; i < n_rows; ++i)
        residuals[i] = std::isfinite(outputs_[i]) ? outputs_[i] : infinity;
    if (!explain_contradiction(stage, block, x) && !explain_range(stage, block, guess, x))
      explain(stage, attempt.result, residuals, jacobian);
  }
  attempts_.push_back(std::move(attempt));
  return solved;
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
    return std::all_of(inner.begin(), inner.end(), [](double v) { return std::isfinite(v); });
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
    return std::all_of(jacobian.begin(), jacobian.end(), [](double v) { return std::isfinite(v); });
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
    const auto is_value = [](double v) { return std::isfinite(v); };
    if (std::all_of(column.begin(), column.end(), is_value)) continue;
    if (++n_missing > most_columns) return false;
    const double x = inputs_[j];
    const double size = x != 0 ? std::abs(x) : scale_of(stage.unknowns[j] - 1);
    bool found = false;
    for (const double step : {1e-7 * size, -1e-7 * size}) {
      inputs_[j] = x + step;
      stage.kernel(inputs_.data(), point_.constants().data(), outputs_.data(), workspace_.data());
      for (std::size_t i = 0; i < n_rows; ++i)
        column[i] = (outputs_[i] - residuals[i]) / (inputs_[j] - x);
      found = std::all_of(column.begin(), column.end(), is_value);
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

std::string StartSolver::failed_block() const {
  if (failed_stage_ == nullptr) return "";
  return point_.model().stage_as_model(system_, *failed_stage_, failed_from_, point_.constants());
}

Diagnostic StartSolver::row_diagnostic(std::uint32_t row) const {
  return point_.model().describe_initial_row(system_.plan.rows[row], system_.variant);
}

std::string StartSolver::row_text(std::uint32_t row) const {
  const Diagnostic described = row_diagnostic(row);
  const std::string place = to_string(described.origin);
  return described.text + (place.empty() ? "" : " (" + place + ")");
}

std::string StartSolver::unit_of(std::uint32_t row) const {
  const structure::InitialRow& initial = system_.plan.rows[row];
  const auto& model = point_.model();
  if (initial.kind != structure::InitialRow::Kind::equation || system_.variant != nullptr)
    return "";
  const structure::Equation& equation = model.plan().structure.equations[initial.source];
  if (equation.order > 0) return "";
  const flat::FlatEquation& source =
      model.flat().equations[model.simplified().kept_equations[equation.source]];
  for (const flat::Unknown& unknown : model.flat().unknowns)
    if ((unknown.symbol == source.left || unknown.symbol == source.right) && !unknown.unit.empty())
      return " " + unknown.unit;
  return "";
}

symbolic::Values StartSolver::known_values() const {
  const auto& constants = point_.model().constants().symbols;
  symbolic::Values values;
  for (std::size_t i = 0; i < constants.size(); ++i) values[constants[i]] = point_.constants()[i];
  values[point_.model().flat().pool->time()] = z_[0];
  for (std::size_t c = 0; c < system_.plan.columns.size(); ++c)
    values[system_.plan.columns[c]] = z_[1 + c];
  return values;
}

void StartSolver::explain_assigned(std::uint32_t column) {
  failure_ = "'" + column_name(column) + "' has no value at the start";
  advice_ = near_a_solution;
  for (const structure::InitialBlock& block : system_.plan.blocks) {
    if (std::find(block.columns.begin(), block.columns.end(), column) == block.columns.end())
      continue;
    failure_ += ", by " + row_text(block.rows.front());
    symbolic::Values values = known_values();
    values[system_.plan.columns[column]] = 0;  // which it is solved for
    const std::string why = bad_operand(*point_.model().flat().pool,
                                        system_.plan.rows[block.rows.front()].residual, values);
    if (why.empty()) return;
    failure_ += ": " + why;
    advice_ = "Change the parameters or start values that this comes from.";
    return;
  }
}

bool StartSolver::explain_contradiction(const InitialStage& stage, const NonlinearBlock& block,
                                        std::span<const double> x) {
  constexpr std::size_t most_rows = 200, most_named = 8;
  if (block.n_rows > most_rows) return false;
  const std::size_t size = block.n_rows * block.n_unknowns;
  std::vector<double> residuals(block.n_rows), here(size), there(size);
  std::vector<double> beside(x.begin(), x.end());
  for (std::size_t j = 0; j < beside.size(); ++j)
    beside[j] += (0.5 + 0.1 * static_cast<double>(j % 7)) * block.scale[j];
  if (!block.evaluate(beside, residuals, there) || !block.evaluate(x, residuals, here))
    return false;
  for (std::size_t k = 0; k < size; ++k)  // linear: slopes are the same everywhere
    if (std::abs(here[k] - there[k]) > 1e-12 * std::max(std::abs(here[k]), std::abs(there[k])))
      return false;
  const std::vector<std::size_t> rows = contradicting_rows(here, residuals);
  if (rows.empty()) return false;
  failure_ = "";
  for (std::size_t i = 0; i < rows.size() && i < most_named; ++i)
    failure_ += (i == 0                 ? ""
                 : i + 1 == rows.size() ? " and "
                                        : ", ") +
                row_text(stage.rows[rows[i]]);
  if (rows.size() > most_named)
    failure_ += " and " + std::to_string(rows.size() - most_named) + " more";
  failure_ += rows.size() == 1 ? " has no solution" : " contradict each other";
  failure_ += ", whatever the start values";
  advice_ = rows.size() == 1 ? "Change it, or a value that it depends on."
                             : "Remove one of them, or change a value that they depend on.";
  return true;
}

bool StartSolver::explain_range(const InitialStage& stage, const NonlinearBlock& block,
                                std::span<const double> guess, std::span<const double> reached) {
  // Whether the search ended at one of them.
  bool is_held = false;
  for (std::size_t j = 0; j < reached.size(); ++j) {
    const double rounding = 1e-6 * block.scale[j];
    is_held = is_held || reached[j] <= block.lower[j] + rounding ||
              reached[j] >= block.upper[j] - rounding;
  }
  if (!is_held) return false;
  const std::vector<double> least(block.n_unknowns, -infinity), most(block.n_unknowns, infinity);
  NonlinearBlock open = block;
  open.lower = least;
  open.upper = most;
  std::vector<double> x(guess.begin(), guess.end());
  if (!solve_block(open, x).solved) return false;
  std::string outside;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (x[j] >= block.lower[j] && x[j] <= block.upper[j]) continue;
    outside += (outside.empty() ? "'" : " and '") + column_name(stage.unknowns[j] - 1) +
               "' = " + rounded_text(x[j]) + ", which is " +
               (x[j] < block.lower[j] ? "below its min = " + rounded_text(block.lower[j])
                                      : "above its max = " + rounded_text(block.upper[j]));
  }
  if (outside.empty()) return false;
  failure_ = row_text(stage.rows.front()) +
             (stage.rows.size() == 1
                  ? ""
                  : " and " + std::to_string(stage.rows.size() - 1) + " more equations") +
             " could not be solved within the ranges of the unknowns. Without them there is " +
             outside;
  advice_ =
      "Widen the range (min, max) if that solution is meant; else change the equations, or "
      "give start values near another one.";
  return true;
}

/// The worst rows, and the guess that the residuals depend on most.
void StartSolver::explain(const InitialStage& stage, const LadderResult& result,
                          std::span<const double> residuals, std::span<const double> jacobian) {
  std::vector<std::size_t> order(stage.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(residuals[a]) > std::abs(residuals[b]);
  });
  advice_ = near_a_solution;
  std::string names;
  for (std::size_t i = 0; i < stage.unknowns.size() && i < 5; ++i)
    names += (i == 0 ? "'" : ", '") + column_name(stage.unknowns[i] - 1) + "'";
  if (stage.unknowns.size() > 5) names += " and others";
  failure_ =
      std::to_string(stage.rows.size()) +
      (stage.rows.size() == 1 ? " equation for " : " equations for ") + names +
      " could not be solved; tried Newton, Levenberg-Marquardt, homotopy, continuation and other "
      "guesses, " +
      std::to_string(result.iterations) + " steps";
  for (std::size_t i = 0; i < order.size() && i < 3; ++i) {
    const std::uint32_t row = stage.rows[order[i]];
    failure_ += (i == 0 ? ". Largest differences: " : ", ") + row_text(row) +
                (std::isfinite(residuals[order[i]])
                     ? " is off by " + rounded_text(std::abs(residuals[order[i]])) + unit_of(row)
                     : " has no value at the guesses");
  }
  double most = 0;
  std::size_t matters = stage.unknowns.size();
  for (std::size_t j = 0; j < stage.unknowns.size(); ++j) {
    double slope = 0;
    for (std::size_t i = 0; i < residuals.size(); ++i)
      slope += jacobian[j * residuals.size() + i] * residuals[i];
    slope = std::abs(slope) * scale_of(stage.unknowns[j] - 1);
    if (slope > most) most = slope, matters = j;
  }
  if (matters < stage.unknowns.size())
    failure_ += ". The guess that matters most is that of '" +
                column_name(stage.unknowns[matters] - 1) + "'";
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

/// A constraint that is hidden, as the derivative of one that was written, tells most.
std::vector<std::uint32_t> StartSolver::rows_behind(std::size_t doubtful) const {
  constexpr std::size_t most_rows = 5;
  const auto& plan = system_.plan;
  std::vector<std::uint32_t> rows;
  if (doubtful < plan.conflicts.size()) {
    rows.assign(plan.conflicts[doubtful].rows.begin(), plan.conflicts[doubtful].rows.end());
  } else {
    for (const structure::InitialBlock& block : plan.blocks)
      if (std::ranges::find(block.columns, plan.doubtful[doubtful]) != block.columns.end())
        rows.assign(block.rows.begin(), block.rows.end());
  }
  const structure::StructuralPlan& equations =
      system_.variant != nullptr ? system_.variant->plan : point_.model().plan();
  const auto order_of = [&](std::uint32_t row) {
    const structure::InitialRow& initial = plan.rows[row];
    return initial.kind == structure::InitialRow::Kind::equation
               ? equations.structure.equations[initial.source].order
               : 0;
  };
  std::ranges::stable_sort(
      rows, [&](std::uint32_t a, std::uint32_t b) { return order_of(a) > order_of(b); });
  if (rows.size() > most_rows) rows.resize(most_rows);
  return rows;
}

std::vector<Diagnostic> StartSolver::contradictions() {
  load();
  std::vector<Diagnostic> found;
  const auto& model = point_.model();
  for (std::size_t k = 0; k < system_.plan.doubtful.size(); ++k) {
    const auto column = system_.plan.doubtful[k];
    const std::uint32_t variable = system_.variables[column];
    if (is_as_fixed(column)) continue;
    const double wanted = start_.values[variable];
    const double is = z_[1 + column];
    const bool rounding = std::abs(is) <= 1e-6 * std::max(1.0, std::abs(wanted));
    Diagnostic diagnostic{
        "I002",
        "the fixed start " + model.variable_names()[variable] + " = " + number_text(wanted) +
            " contradicts the equations, which give " + rounded_text(rounding ? 0 : is) +
            " with the other start values. Change one of them, or leave this one free.",
        model.flat().origin,
        {}};
    for (const std::uint32_t row : rows_behind(k)) {
      const Diagnostic described = row_diagnostic(row);
      diagnostic.notes.push_back({"it is determined by " + described.text, described.origin});
    }
    found.push_back(std::move(diagnostic));
  }
  const std::vector<double> differences = left_over_differences();
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (differences[i] == 0) continue;
    Diagnostic row = row_diagnostic(system_.plan.left_over[i]);
    found.push_back({"I008",
                     "there are more conditions at the start than it has room for, and " +
                         row.text + " contradicts the others: its sides differ by " +
                         rounded_text(std::abs(differences[i])) +
                         ". Remove it, or leave a fixed start free.",
                     row.origin,
                     {}});
  }
  return found;
}

}  // namespace alembert::integrate
