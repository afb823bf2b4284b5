// SPDX-License-Identifier: Apache-2.0
// Why there is no start, what to try then, and which conditions contradict each other.
#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/bad_operand.hpp"
#include "alembert/integrate/contradicting_rows.hpp"
#include "alembert/integrate/start_solver.hpp"

namespace alembert::integrate {

using compile::InitialStage;

namespace {

constexpr const char* near_a_solution = "Give start values near a solution of the equations.";

}  // namespace

void StartSolver::note_failure(const InitialStage& stage, const NonlinearBlock& block,
                               std::span<const double> guess, std::span<const double> reached,
                               const LadderResult& result) {
  failed_stage_ = &stage;
  failed_from_ = z_;
  for (std::size_t i = 0; i < guess.size(); ++i) failed_from_[stage.unknowns[i]] = guess[i];
  std::vector<double> residuals(block.n_rows), jacobian(block.n_rows * block.n_unknowns);
  if (!block.evaluate(reached, residuals, jacobian))
    for (std::size_t i = 0; i < residuals.size(); ++i)
      residuals[i] = std::isfinite(outputs_[i]) ? outputs_[i] : infinity;
  if (!explain_contradiction(stage, block, reached) && !explain_range(stage, block, guess, reached))
    explain(stage, result, residuals, jacobian);
}

std::string StartSolver::failed_block() const {
  if (failed_stage_ == nullptr) return "";
  return point_.model().stage_as_model(system_, *failed_stage_, failed_from_, point_.constants());
}

Diagnostic StartSolver::row_diagnostic(std::uint32_t row) const {
  return point_.model().describe_initial_row(system_.plan.rows[row], system_.variant);
}

Origin StartSolver::place_of(std::span<const std::uint32_t> rows) const {
  std::vector<Origin> places;
  for (const std::uint32_t row : rows) places.push_back(row_diagnostic(row).origin);
  return point_.model().user_place(places);
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
  failure_place_ = point_.model().flat().origin;
  advice_ = near_a_solution;
  for (const structure::InitialBlock& block : system_.plan.blocks) {
    if (std::find(block.columns.begin(), block.columns.end(), column) == block.columns.end())
      continue;
    failure_ += ", by " + row_text(block.rows.front());
    failure_place_ = place_of(std::span(&block.rows.front(), 1));
    symbolic::ExprPool& pool = *point_.model().flat().pool;
    const symbolic::ExprId unknown = system_.plan.columns[column];
    const symbolic::ExprId residual = system_.plan.rows[block.rows.front()].residual;
    symbolic::Values values = known_values();
    values[unknown] = 0;  // which it is solved for
    const std::string why = bad_operand(pool, residual, values);
    blame(why.empty() ? vanishing_factor(pool, residual, unknown, values) : why);
    return;
  }
}

void StartSolver::blame(const std::string& why) {
  if (why.empty()) return;
  failure_ += ": " + why;
  advice_ = "Change the parameters or start values that this comes from.";
}

void StartSolver::explain_eliminated(const structure::EliminatedUnknown& eliminated) {
  const flat::FlatSystem& flat = point_.model().flat();
  const flat::Unknown& unknown = flat.unknowns[eliminated.unknown];
  failure_ = "'" + flat.pool->symbol_text(unknown.symbol) + "' has no value at the start";
  failure_place_ = unknown.origin;
  advice_ = near_a_solution;
  const Diagnostic row = point_.model().describe_equation_of(unknown.symbol);
  if (!row.text.empty()) {
    const std::string place = to_string(row.origin);
    failure_ += ", by " + row.text + (place.empty() ? "" : " (" + place + ")");
    failure_place_ = point_.model().user_place(std::span(&row.origin, 1));
  }
  blame(bad_operand(*flat.pool, eliminated.value, known_values()));
}

bool StartSolver::explain_missing() {
  const auto& model = point_.model();
  const auto is_missing = [&](std::uint32_t variable) {
    return variable < model.n_variables() && !std::isfinite(point_.outputs()[variable]);
  };
  for (const structure::InitialBlock& block : system_.plan.blocks)
    for (const auto column : block.columns)
      if (is_variable(column) && is_missing(system_.variables[column])) {
        explain_assigned(column);
        return true;
      }
  for (const structure::EliminatedUnknown& eliminated : model.simplified().eliminated)
    if (is_missing(model.variable_of(model.flat().unknowns[eliminated.unknown].symbol))) {
      explain_eliminated(eliminated);
      return true;
    }
  return false;
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
  std::vector<std::uint32_t> contradicting;
  for (const std::size_t row : rows) contradicting.push_back(stage.rows[row]);
  failure_place_ = place_of(contradicting);
  failure_ = "";
  for (std::size_t i = 0; i < rows.size() && i < most_named; ++i)
    failure_ += (i == 0 ? "" : i + 1 == rows.size() ? " and " : ", ") + row_text(contradicting[i]);
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
  failure_place_ = place_of(stage.rows);
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
  std::vector<std::uint32_t> worst_first;
  for (const std::size_t i : order) worst_first.push_back(stage.rows[i]);
  failure_place_ = place_of(worst_first);
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
    const std::uint32_t row = worst_first[i];
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
        model.place_of_fixed_start(variable),
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
