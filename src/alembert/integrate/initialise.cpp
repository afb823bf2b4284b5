// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/initialise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/run_watch.hpp"
#include "alembert/integrate/small_dense.hpp"
#include "alembert/integrate/start_changes.hpp"
#include "alembert/integrate/variant_jump.hpp"
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
                                  StartSolver& solver, const std::string& replay_path) {
  const CompiledModel& model = point.model();
  if (model.has_choice() && charts.selection().best.quality < singular_quality)
    throw Error("I005",
                "the constraints are singular at the start values, whatever the states: one of "
                "them may repeat another, or the start is a point where the motion is not "
                "determined. Remove the constraint that repeats, or start elsewhere.",
                model.flat().origin);
  if (!solver.failure().empty())
    throw Error("I001",
                "no consistent start: " + solver.failure() + ". " + solver.advice() +
                    write_replay(solver, replay_path),
                solver.failure_place());
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
  const compile::ConstantLayout& layout = model.constants();
  if (names.empty() && layout.n_delayed > 0) {
    for (std::uint32_t k = layout.delays; k < layout.delays + layout.n_delayed; ++k)
      names +=
          (names.empty() ? "'" : ", '") + model.flat().pool->symbol_text(layout.symbols[k]) + "'";
    throw Error("I001",
                (model.flat().delays.empty()
                     ? "no consistent start: what is at the end where it enters is what is offered "
                       "there, and there is no such value of "
                     : "no consistent start: before it a delayed quantity is what it is at the "
                       "start, and there is no such value of ") +
                    names + ". Change what it depends on, or the start values.",
                model.flat().delays.empty() ? model.flat().transports.front().origin
                                            : model.flat().delays.front().origin);
  }
  if (solver.explain_missing())
    throw Error("I001", "no consistent start: " + solver.failure() + ". " + solver.advice(),
                solver.failure_place());
  throw Error("I001",
              "no consistent start: " + names +
                  " could not be computed from the start values. Give start values near "
                  "a solution of the equations.",
              model.flat().origin);
}

/// Before the start a delayed quantity was what it is at the start, which may depend on it: d =
/// f(d) for all delays at once. So is what enters a pipe, while what leaves it is given.
class DelaysAtStart {
 public:
  explicit DelaysAtStart(ModelPoint& point)
      : point_(point),
        n_(point.model().constants().n_delayed),
        entered_(point.constants().subspan(point.model().constants().delays, n_)),
        found_(n_) {}

  /// Pipes as they are filled at the start.
  void guess() {
    const std::vector<double> ends = ends_of_pipes();
    std::copy(ends.begin(), ends.end(), entered_.end() - static_cast<std::ptrdiff_t>(ends.size()));
  }

  /// One after the other as long as that comes nearer, else by Newton's method. False where there
  /// is no solution, or no value.
  bool settle() {
    constexpr int most_passes = 100;
    double before = 0;
    for (int pass = 0; pass < most_passes; ++pass) {
      const double now = distance();
      if (now <= rounding) return true;
      if (pass > 1 && !(now < 0.5 * before)) return iterate();
      before = now;
      const auto found = look();
      if (!enter({found.begin(), found.end()})) return false;
    }
    return iterate();
  }

 private:
  static constexpr double rounding = 4 * eps;

  /// [n_transports][2]: the first and the last initial value.
  std::vector<double> ends_of_pipes() {
    const auto& transports = point_.model().flat().transports;
    std::vector<double> ends;
    if (transports.empty()) return ends;
    std::vector<double> starts(point_.model().events().transport_starts.shape().n_outputs);
    point_.run(point_.model().events().transport_starts, starts);
    std::size_t first = 0;
    for (const auto& transport : transports) {
      const std::size_t n = transport.points.size();
      ends.push_back(starts[first + n]);
      ends.push_back(starts[first + 2 * n - 1]);
      first += 2 * n;
    }
    return ends;
  }

  /// What is delayed or carried, with variables as they are.
  std::span<const double> look() {
    const std::size_t n_delays = point_.model().flat().delays.size();
    const auto delayed = point_.delays().first(n_delays);
    std::copy(delayed.begin(), delayed.end(), found_.begin());
    const std::vector<double> ends = ends_of_pipes();
    const auto numbers = point_.transports();
    for (std::size_t k = 0; k < ends.size(); ++k) {
      const auto pipe = numbers.subspan(k / 2 * ModelPoint::n_of_transport);
      const bool enters = (pipe[ModelPoint::is_forward] != 0) == (k % 2 == 0);
      found_[n_delays + k] = enters ? pipe[k % 2] : ends[k];
    }
    return found_;
  }

  /// How far what is delayed is from what was taken for it.
  double distance() {
    const auto found = look();
    double most = 0;
    for (std::size_t i = 0; i < n_; ++i)
      most = std::max(most, std::abs(found[i] - entered_[i]) /
                                std::max(1.0, std::max(std::abs(found[i]), std::abs(entered_[i]))));
    return most;
  }

  bool enter(const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), entered_.begin());
    return point_.complete();
  }

  /// Slopes are differences. What is left at the end is their error, and rounding.
  bool iterate() {
    constexpr int most_steps = 20;
    constexpr double close = 1e-9;
    for (int step = 0; step < most_steps; ++step) {
      if (distance() <= rounding) return true;
      const std::vector<double> here(entered_.begin(), entered_.end());
      const auto found = look();
      std::vector<double> change(found.begin(), found.end()), matrix(n_ * n_);
      for (std::size_t i = 0; i < n_; ++i) change[i] -= here[i];
      const std::vector<double> values(found.begin(), found.end());
      for (std::size_t j = 0; j < n_; ++j) {
        std::vector<double> beside = here;
        beside[j] += 1e-6 * std::max(1.0, std::abs(here[j]));
        if (!enter(beside)) return false;
        const auto there = look();
        for (std::size_t i = 0; i < n_; ++i)
          matrix[i * n_ + j] =
              (i == j ? 1.0 : 0.0) - (there[i] - values[i]) / (beside[j] - here[j]);
      }
      if (!solve_dense(matrix, change)) return false;
      std::vector<double> next = here;
      for (std::size_t i = 0; i < n_; ++i) next[i] += change[i];
      if (!enter(next)) return false;
    }
    return distance() <= close;
  }

  ModelPoint& point_;
  std::size_t n_;
  std::span<double> entered_;  // [n_delayed], of the constants
  std::vector<double> found_;  // the same
};

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
                  "start: the constraints cannot be solved for the other unknowns there. Let the "
                  "states be re-selected: formulation dynamic.",
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

/// The continuous part of the start, again for every choice of modes and discrete variables.
class ContinuousStart {
 public:
  ContinuousStart(ModelPoint& point, ChartControl& charts, const CompiledModel::StartPoint& given,
                  const SimulateOptions& options)
      : point_(point),
        model_(point.model()),
        charts_(charts),
        given_(given),
        options_(options),
        system_(model_.start_system(point.chart())),
        general_(point.chart()),
        solver_(point, system_, given),
        discretes_(system_.discretes.size()) {
    DelaysAtStart(point).guess();
    solver_.obey(options.interrupt);
  }

  /// Booleans and Integers that initial equations give are evaluated again until they agree with
  /// what was found with them.
  bool solve() {
    constexpr int most_passes = 30;
    enter_discretes();
    for (int pass = 0; pass < most_passes; ++pass) {
      if (!solve_once()) return false;
      if (!enter_discretes()) return true;
    }
    return true;  // and `disagreements` tells what there is of them
  }

  /// Initial equations of Booleans and Integers that do not hold after all.
  std::vector<Diagnostic> disagreements() {
    std::vector<Diagnostic> found;
    if (discretes_.empty()) return found;
    point_.run(system_.discrete_values, discretes_);
    const std::size_t first = model_.constants().discretes;
    for (std::size_t i = 0; i < discretes_.size(); ++i) {
      const compile::InitialSystem::Discrete& one = system_.discretes[i];
      const double is = one.previous ? previous(i) : point_.constants()[first + one.variable];
      if (one.solved || is == discretes_[i]) continue;
      const Diagnostic row = model_.describe_initial_row(
          {structure::InitialRow::Kind::initial, one.equation, symbolic::ExprId::none()});
      found.push_back({"I008",
                       row.text +
                           " does not hold with what else determines the start: its sides are " +
                           number_text(is) + " and " + number_text(discretes_[i]) +
                           ". Remove it, or change what contradicts it.",
                       row.origin,
                       {}});
    }
    return found;
  }

  /// What initial equations say goes from one discrete variable to the next: none of them shall see
  /// a guess of another where it has no value.
  void guess_discretes(EventIteration& events) {
    events.guess();
    for (std::size_t pass = 0; pass < discretes_.size(); ++pass) {
      point_.run(system_.discrete_values, discretes_);
      bool changed = false;
      for (std::size_t i = 0; i < discretes_.size(); ++i) {
        if (!std::isfinite(discretes_[i]) || discretes_[i] == previous(i)) continue;
        previous(i) = discretes_[i];
        changed = true;
      }
      if (!changed) return;
      events.guess();
    }
  }

  /// As EventSolver::allow_holding.
  bool allow_holding() { return !std::exchange(may_hold_, true); }

  StartSolver& general_solver() { return solver_; }
  bool is_by_variant() const { return solver_of_modes_.has_value(); }
  /// That found what there is.
  StartSolver& used() { return solver_of_modes_ ? *solver_of_modes_ : solver_; }

 private:
  double& previous(std::size_t i) {
    return point_
        .constants()[model_.constants().previous_discretes + system_.discretes[i].variable];
  }

  /// True if one of those that are not solved for changed.
  bool enter_discretes() {
    if (discretes_.empty()) return false;
    point_.run(system_.discrete_values, discretes_);
    bool changed = false;
    for (std::size_t i = 0; i < discretes_.size(); ++i) {
      if (system_.discretes[i].solved || discretes_[i] == previous(i)) continue;
      previous(i) = discretes_[i];
      changed = true;
    }
    return changed;
  }

  bool solve_once() {
    solver_of_modes_.reset();
    const std::vector<double> guess(point_.variables().begin(), point_.variables().end());
    if (point_.chart().variant != nullptr) point_.use(general_);
    bool solved = solver_.solve();
    if (solved) {
      charts_.choose_start();
      solved = point_.complete();
    }
    if (!solved) {
      const std::vector<double> reached(point_.variables().begin(), point_.variables().end());
      std::copy(guess.begin(), guess.end(), point_.variables().begin());
      if (!solve_by_variant(own_chart()) && !solve_by_holding(guess, reached)) {
        point_.use(general_);
        std::copy(reached.begin(), reached.end(), point_.variables().begin());
        return false;
      }
    }
    return model_.constants().n_delayed == 0 || DelaysAtStart(point_).settle();
  }

  const compile::CompiledChart* own_chart() const {
    return model_.mode_chart(point_.time(), point_.variables().data(), point_.constants().data());
  }

  bool solve_by_variant(const compile::CompiledChart* chart) {
    if (chart == nullptr) return false;
    point_.use(*chart);
    solver_of_modes_.emplace(point_, model_.start_system(*chart), given_);
    solver_of_modes_->obey(options_.interrupt);
    if (solver_of_modes_->solve() && point_.complete() &&
        solver_of_modes_->contradictions().empty() && broken_equation(point_) == nullptr)
      return true;
    solver_of_modes_.reset();
    return false;
  }

  /// With start values kept of what nothing determines.
  /// reached: where what is determined has its values, as far as it was found.
  bool solve_by_holding(const std::vector<double>& guess, const std::vector<double>& reached) {
    if (!may_hold_) return false;
    point_.use(general_);
    std::copy(guess.begin(), guess.end(), point_.variables().begin());
    for (const auto* chart :
         model_.known_holding_charts(point_.time(), guess.data(), point_.constants().data())) {
      if (solve_by_variant(chart)) return true;
      std::copy(guess.begin(), guess.end(), point_.variables().begin());
    }
    for (const auto* at : {&reached, &guess})
      if (solve_by_variant(
              model_.holding_chart(point_.time(), at->data(), point_.constants().data())))
        return true;
    return false;
  }

  ModelPoint& point_;
  const CompiledModel& model_;
  ChartControl& charts_;
  const CompiledModel::StartPoint& given_;
  const SimulateOptions& options_;
  const compile::InitialSystem& system_;
  const compile::CompiledChart& general_;
  StartSolver solver_;
  std::optional<StartSolver> solver_of_modes_;  // in the structure that modes have by themselves
  std::vector<double> discretes_;               // [discretes of the system]
  bool may_hold_ = false;
};

}  // namespace

InitialReport initialise(ModelPoint& point, EventIteration& events, ChartControl& charts,
                         const SimulateOptions& options) {
  const CompiledModel& model = point.model();
  const std::vector<double> constants(point.constants().begin(), point.constants().end());
  CompiledModel::StartPoint given = model.start_point(constants);
  change_starts(model, options.starts, given);
  enter_guesses(point, given);
  point.set_time(options.start);
  charts.enter_start();
  ContinuousStart start(point, charts, given, options);
  double& initial = point.constants()[model.constants().initial];
  initial = 1;
  start.guess_discretes(events);
  // What was before the start is given, not iterated.
  const auto solve = [&] { return start.solve(); };
  events.before_giving_up([&] { return start.allow_holding(); });
  const EventIteration::Result result = events.settle(solve);
  events.before_giving_up({});
  if (result.end == EventIteration::End::no_values)
    report_no_start(point, charts, start.general_solver(), options.replay_path);
  if (result.end != EventIteration::End::settled)
    throw Error("I006", "no consistent start: " + explain(model, result), model.flat().origin);
  for (std::vector<Diagnostic> found : {start.used().contradictions(), start.disagreements()})
    if (!found.empty()) throw Error(std::move(found));
  if (!charts.dynamic() && !start.is_by_variant()) use_static_chart(point);
  std::optional<std::string> termination = events.termination();
  initial = 0;
  events.advance_previous();
  return {start.used().attempts(), start.used().filled(), std::move(termination)};
}

}  // namespace alembert::integrate
