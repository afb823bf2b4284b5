// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/initialise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/integrate/run_watch.hpp"
#include "alembert/integrate/start_changes.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::integrate {

using compile::CompiledModel;

namespace {

/// Writes the block that failed; a sentence that says where it is and what to do with it.
std::string write_replay(const StartSolver& solver, const std::string& path) {
  const std::string text = path.empty() ? "" : solver.failed_block();
  if (text.empty()) return "";
  try {
    result::OutputFile file(path);
    file.write(text);
    file.commit();
  } catch (const Error&) {
    return "";  // the start is what went wrong, not this file
  }
  return " These equations by themselves are in '" + path + "'; alembert simulate " + path +
         " tries them again.";
}

/// The first block without values if it is linear: with the numbers that are there its matrix is
/// singular, and no start value would help.
const structure::Block* singular_linear_block(const ModelPoint& point) {
  const CompiledModel& model = point.model();
  if (point.chart().variant != nullptr) return nullptr;
  for (const structure::Block& block : point.chart().reduced.blocks)
    for (const structure::Index v : block.unknowns())
      if (!std::isfinite(point.outputs()[model.variable_of_structure(v)]))
        return block.kind == structure::Block::Kind::linear ? &block : nullptr;
  return nullptr;
}

[[noreturn]] void report_no_start(const ModelPoint& point, const ChartControl& charts,
                                  const StartSolver& solver, const std::string& replay_path) {
  const CompiledModel& model = point.model();
  if (model.has_choice() && charts.selection().best.quality < singular_quality)
    throw Error("I005",
                "the constraints are singular at the start values, whatever the states: one of "
                "them may repeat another, or the start is a point where the motion is not "
                "determined. Remove the constraint that repeats, or start elsewhere.",
                model.flat().origin);
  if (!solver.failure().empty())
    throw Error("I001",
                "no consistent start: " + solver.failure() +
                    ". Give start values near a solution of the equations." +
                    write_replay(solver, replay_path),
                model.flat().origin);
  std::string names;
  if (const structure::Block* block = singular_linear_block(point)) {
    std::vector<Note> notes;
    for (const structure::Index v : block->unknowns())
      names += (names.empty() ? "'" : ", '") +
               model.variable_names()[model.variable_of_structure(v)] + "'";
    for (const structure::Index e : block->equations()) {
      constexpr std::size_t most_notes = 10;
      if (notes.size() == most_notes) break;
      const Diagnostic row = model.describe_initial_row(
          {structure::InitialRow::Kind::equation, e, symbolic::ExprId::none()});
      notes.push_back({row.text, row.origin});
    }
    throw Error("I001",
                "no consistent start: the equations listed are linear in " + names +
                    ", and with the values of everything else in them they do not determine them: "
                    "one repeats or contradicts the others. Change a parameter in them, or a start "
                    "value that they depend on.",
                model.flat().origin, std::move(notes));
  }
  for (std::uint32_t i = 0; i < model.n_variables(); ++i)
    if (!std::isfinite(point.outputs()[i]))
      names += (names.empty() ? "'" : ", '") + model.variable_names()[i] + "'";
  throw Error("I001",
              "no consistent start: " + names +
                  " could not be computed from the start values. Give start values near "
                  "a solution of the equations.",
              model.flat().origin);
}

/// Before the start a delayed quantity was what it is at the start, which may depend on it.
bool settle_delays(ModelPoint& point) {
  const std::size_t n = point.model().flat().delays.size();
  for (int pass = 0; pass < 100; ++pass) {
    const auto values = point.delays().first(n);
    const auto entered = point.constants().subspan(point.model().constants().delays, n);
    if (std::equal(values.begin(), values.end(), entered.begin())) break;
    std::copy(values.begin(), values.end(), entered.begin());
    if (!point.complete()) return false;
  }
  return true;
}

/// The chart of structure alone, at a point that was found on a better one.
void use_static_chart(ModelPoint& point) {
  const CompiledModel& model = point.model();
  const std::vector<double> values(point.variables().begin(), point.variables().end());
  point.use(model.static_chart());
  bool same = point.complete();
  for (std::size_t i = 0; i < values.size() && same; ++i)
    same = std::abs(point.variables()[i] - values[i]) <= 1e-6 * (1 + std::abs(values[i]));
  if (same) return;
  std::string states;
  for (const std::string& name : point.state_names())
    states += (states.empty() ? "'" : ", '") + name + "'";
  throw Error("I005",
              "the states " + states +
                  ", chosen once by structure and priorities, do not describe the motion at the "
                  "start: the constraints are singular in the other unknowns there. Let the states "
                  "be re-selected (formulation dynamic).",
              model.flat().origin);
}

/// Start values, inside their ranges.
void enter_guesses(ModelPoint& point, const CompiledModel::StartPoint& start) {
  for (std::uint32_t i = 0; i < point.model().n_variables(); ++i) {
    const CompiledModel::Range range = point.model().range_of(i);
    point.variables()[i] = start.fixed[i] || !(range.min <= range.max)
                               ? start.values[i]
                               : std::clamp(start.values[i], range.min, range.max);
  }
}

}  // namespace

InitialReport initialise(ModelPoint& point, EventIteration& events, ChartControl& charts,
                         const SimulateOptions& options) {
  const CompiledModel& model = point.model();
  const std::vector<double> constants(point.constants().begin(), point.constants().end());
  CompiledModel::StartPoint given = model.start_point(constants);
  change_starts(model, options.starts, given);
  enter_guesses(point, given);
  point.set_time(options.start);
  point.use(model.static_chart());
  charts.choose_start();
  charts.prefer_given();
  const compile::InitialSystem& system = model.start_system(point.chart());
  const compile::CompiledChart& general = point.chart();
  StartSolver solver(point, system, given);
  solver.obey(options.interrupt);
  std::optional<StartSolver> solver_of_modes;  // in the structure that modes have by themselves
  std::vector<double> discretes(system.discretes.size());
  const auto solve_by_variant = [&] {
    const compile::CompiledChart* const own =
        model.mode_chart(point.time(), point.variables().data(), point.constants().data());
    if (own == nullptr) return false;
    point.use(*own);
    solver_of_modes.emplace(point, model.start_system(*own), given);
    solver_of_modes->obey(options.interrupt);
    if (solver_of_modes->solve() && point.complete() && solver_of_modes->contradictions().empty())
      return true;
    solver_of_modes.reset();
    return false;
  };
  const auto solve = [&] {
    point.run(system.discrete_values, discretes);
    for (std::size_t i = 0; i < discretes.size(); ++i)
      point.constants()[model.constants().previous_discretes + system.discretes[i]] = discretes[i];
    solver_of_modes.reset();
    const std::vector<double> guess(point.variables().begin(), point.variables().end());
    if (point.chart().variant != nullptr) point.use(general);
    bool solved = solver.solve();
    if (solved) {
      charts.choose_start();
      solved = point.complete();
    }
    if (!solved) {
      const std::vector<double> reached(point.variables().begin(), point.variables().end());
      std::copy(guess.begin(), guess.end(), point.variables().begin());
      if (!solve_by_variant()) {
        point.use(general);
        std::copy(reached.begin(), reached.end(), point.variables().begin());
        return false;
      }
    }
    return model.flat().delays.empty() || settle_delays(point);
  };
  double& initial = point.constants()[model.constants().initial];
  initial = 1;
  events.guess();
  // What initial equations say goes from one discrete variable to the next: none of them shall see
  // a guess of another where it has no value.
  for (std::size_t pass = 0; pass < discretes.size(); ++pass) {
    point.run(system.discrete_values, discretes);
    bool changed = false;
    for (std::size_t i = 0; i < discretes.size(); ++i) {
      double& previous =
          point.constants()[model.constants().previous_discretes + system.discretes[i]];
      if (!std::isfinite(discretes[i]) || discretes[i] == previous) continue;
      previous = discretes[i];
      changed = true;
    }
    if (!changed) break;
    events.guess();
  }
  // What was before the start is given, not iterated.
  const EventIteration::Result result = events.settle(solve);
  if (result.end == EventIteration::End::no_values)
    report_no_start(point, charts, solver, options.replay_path);
  if (result.end != EventIteration::End::settled)
    throw Error("I006", "no consistent start: " + explain(model, result), model.flat().origin);
  StartSolver& used = solver_of_modes ? *solver_of_modes : solver;
  if (std::vector<Diagnostic> found = used.contradictions(); !found.empty())
    throw Error(std::move(found));
  if (!charts.dynamic() && !solver_of_modes) use_static_chart(point);
  initial = 0;
  events.advance_previous();
  return {used.attempts(), used.filled()};
}

}  // namespace alembert::integrate
