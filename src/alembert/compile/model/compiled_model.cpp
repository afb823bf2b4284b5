// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/compiled_model.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/chart_pieces.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/compile/model/run_at.hpp"
#include "alembert/compile/tape_part.hpp"
#include "alembert/flat/check.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/short_text.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/discretise_clocks.hpp"
#include "alembert/structure/passes.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using structure::Chart;
using symbolic::ExprId;

namespace {

constexpr std::uint32_t end_of_chain = 0xffffffffu;

/// A constraint and the one unknown in it whose start nobody gave.
struct SilentStart {
  structure::Index unknown;
  std::size_t slope, residual;  // places in the selection problem, among the constraints
};

/// Where a constraint says nothing of that unknown at the start values, such as d^2 = x^2 + y^2 at
/// d = 0, the others, which were given, would have to follow from it.
std::vector<SilentStart> silent_starts(const structure::StructuralPlan& plan,
                                       const flat::StartNumbers& starts) {
  std::vector<std::size_t> first_version(plan.differentiations.size(), 0);
  std::size_t n_constraints = 0;
  for (const auto& equation : plan.structure.equations) {
    if (plan.differentiations[equation.source] == 0) continue;
    if (equation.order == 0) first_version[equation.source] = n_constraints;
    ++n_constraints;
  }
  std::vector<SilentStart> found;
  std::vector<char> taken(plan.highest_order.size(), 0);
  for (structure::Index r = 0; r < plan.selection_rows.size(); ++r) {
    const structure::Index source = plan.selection_rows[r];
    std::size_t n_silent = 0, slope = 0;
    structure::Index unknown = 0;
    for (auto k = plan.selection_incidence.begin[r]; k < plan.selection_incidence.begin[r + 1]; ++k)
      if (const auto j = plan.selection_incidence.items[k]; !starts.unknowns[j]) {
        ++n_silent;
        unknown = j;
        slope = k;
      }
    if (n_silent != 1 || taken[unknown] ||
        plan.highest_order[unknown] != plan.differentiations[source])
      continue;
    taken[unknown] = 1;
    found.push_back({unknown, slope, first_version[source]});
  }
  return found;
}

/// What those constraints say of them, each by Newton's method from a typical size. evaluate: gives
/// the residuals of all constraints, and the slopes of the selection problem.
template <class Evaluate>
void guess_silent(std::span<const SilentStart> silent, std::span<const std::uint32_t> places,
                  const CompiledModel& model, std::vector<double>& values, Evaluate evaluate) {
  constexpr int most_steps = 50;
  enum class Guess : char { given, open, arrived };
  std::vector<double> slopes;
  std::vector<double> residuals = evaluate(slopes);
  std::vector<Guess> guesses(silent.size(), Guess::given);
  for (std::size_t i = 0; i < silent.size(); ++i) {
    double& value = values[places[i]];
    if (value != 0 || slopes[silent[i].slope] != 0 ||
        !(std::abs(residuals[silent[i].residual]) > 0))
      continue;
    const double nominal = model.nominal_of(places[i]);
    value = nominal > 0 ? nominal : 1;
    guesses[i] = Guess::open;
  }
  for (int step = 0; step < most_steps && std::ranges::count(guesses, Guess::open) > 0; ++step) {
    residuals = evaluate(slopes);
    for (std::size_t i = 0; i < silent.size(); ++i) {
      if (guesses[i] != Guess::open) continue;
      const double change = residuals[silent[i].residual] / slopes[silent[i].slope];
      values[places[i]] -= change;
      if (std::abs(change) <= 1e-12 * std::abs(values[places[i]])) guesses[i] = Guess::arrived;
    }
  }
  for (std::size_t i = 0; i < silent.size(); ++i)
    if (guesses[i] == Guess::open) values[places[i]] = 0;
}

}  // namespace

CompiledModel::CompiledModel(flat::FlatSystem given, Backend backend) : backend_(backend) {
  flat::check(given);
  homotopy_equations_ = structure::take_homotopy(given);
  hybrid_ = structure::split(structure::discretise_clocks(std::move(given)).flat);
  constants_ = ConstantLayout(hybrid_);
  structure::StructuralPhase phase = structure::run_shared_passes(hybrid_);
  simplified_ = std::move(phase.simplified);
  dropped_ = std::move(phase.dropped);
  plan_ = std::move(phase.plan);
  differentiated_ = std::move(phase.differentiated);
  hybrid_.flat.reinits = simplified_.flat.reinits;  // of what was kept
  append_added();
  constants_.add_delay_slopes(flat());
  list_variables();

  const std::vector<ExprId> inputs = kernel_inputs();
  const std::vector<ExprId>& parameters = constants_.symbols;
  std::vector<ExprId> choices;
  for (const structure::SelectionPart& part : plan_.selection_parts)
    if (!part.settled)
      for (const structure::Index r : part.rows)
        choices.insert(
            choices.end(),
            differentiated_.selection_jacobian.begin() + plan_.selection_incidence.begin[r],
            differentiated_.selection_jacobian.begin() + plan_.selection_incidence.begin[r + 1]);
  for (const ExprId symbol : free_symbols(*flat().pool, choices))
    choice_varies_ |= flat().pool->symbol_of(symbol).kind != symbolic::SymbolKind::parameter;
  selection_ = make_kernel(
      lower(*flat().pool, inputs, parameters, differentiated_.selection_jacobian), backend_);
  std::vector<ExprId> constrained;
  const auto add_constraint = [&](ExprId residual, std::uint32_t level) {
    constrained.push_back(residual);
    level_of_constraint_.push_back(level);
    if (constraints_of_level_.size() <= level) constraints_of_level_.resize(level + 1, 0);
    ++constraints_of_level_[level];
  };
  for (std::size_t e = 0; e < plan_.structure.equations.size(); ++e)
    if (const auto times = plan_.differentiations[plan_.structure.equations[e].source]; times > 0)
      add_constraint(differentiated_.residuals[e], times - plan_.structure.equations[e].order);
  // What was left out must hold all the same.
  for (const structure::DroppedConstraint& dropped : dropped_)
    if (dropped.differentiations > 0) add_constraint(dropped.residual, dropped.differentiations);
  constraints_ = make_kernel(lower(*flat().pool, inputs, parameters, constrained), backend_);
  // Modes are asked for while the start is sought, when what was eliminated is not there yet.
  const auto modes = hybrid_.modes;
  const auto crossings = hybrid_.crossings;
  symbolic::Replacements known;
  for (const auto& [symbol, value] : eliminated_) known.emplace(symbol, value);
  std::vector<ExprId> values;
  for (const structure::Mode& mode : modes) values.push_back(mode.value);
  values = symbolic::substitute(*flat().pool, values, known);
  for (std::size_t k = 0; k < values.size(); ++k) hybrid_.modes[k].value = values[k];
  hybrid_.crossings = symbolic::substitute(*flat().pool, hybrid_.crossings, known);
  events_ = EventKernels(hybrid_, constants_, inputs, backend_);
  hybrid_.modes = modes;
  hybrid_.crossings = crossings;
}

CompiledModel::~CompiledModel() = default;

std::vector<std::string> CompiledModel::redundancies() const {
  std::vector<std::string> texts;
  for (const structure::DroppedConstraint& dropped : dropped_)
    texts.push_back(structure::describe(simplified_.flat, dropped));
  return texts;
}

void CompiledModel::append_added() {
  flat::FlatSystem& flat = hybrid_.flat;
  const flat::FlatSystem& simplified = simplified_.flat;
  for (std::size_t j = 0; j < simplified.unknowns.size(); ++j)
    if (simplified_.kept_unknowns[j] >= flat.unknowns.size())
      flat.unknowns.push_back(simplified.unknowns[j]);
  for (std::size_t e = 0; e < simplified.equations.size(); ++e)
    if (simplified_.kept_equations[e] >= flat.equations.size())
      flat.equations.push_back(simplified.equations[e]);
}

void CompiledModel::list_variables() {
  std::vector<std::uint32_t> n_orders(flat().unknowns.size());
  std::vector<std::uint32_t> first(flat().unknowns.size());
  for (std::size_t j = 0; j < simplified_.kept_unknowns.size(); ++j)
    n_orders[simplified_.kept_unknowns[j]] = plan_.highest_order[j] + 1;
  for (const auto& eliminated : simplified_.eliminated) n_orders[eliminated.unknown] = 1;
  // An alias has the derivatives with which it occurred, where what stands for it has them.
  std::unordered_map<ExprId, std::uint32_t> orders_of;  // by symbol of order 0
  for (std::size_t j = 0; j < simplified_.kept_unknowns.size(); ++j)
    orders_of.emplace(simplified_.flat.unknowns[j].symbol, plan_.highest_order[j] + 1);
  symbolic::ExprPool& pool = *flat().pool;
  for (const auto& eliminated : simplified_.eliminated) {
    std::uint32_t& n = n_orders[eliminated.unknown];
    n = eliminated.highest_order + 1;
    if (eliminated.constant) continue;
    for (const ExprId symbol : free_symbols(pool, eliminated.value))
      n = std::min(n, orders_of.at(symbol));
  }
  // What a repair brought in is told as what it stands for.
  std::unordered_map<ExprId, std::string> meaning;  // looked up, never iterated
  for (const flat::FlatEquation& equation : flat().equations)
    if (equation.origin.derived_from == flat::substituted_combination)
      meaning.emplace(equation.left, flat::short_text(flat(), equation.right));
  const auto name_of = [&](ExprId symbol) {
    const symbolic::Symbol& data = pool.symbol_of(symbol);
    const auto found = meaning.find(data.base);
    if (found == meaning.end()) return pool.symbol_text(symbol);
    std::string name = "(" + found->second + ")";
    for (std::uint32_t k = 0; k < data.order; ++k)
      name = k == 0 ? "der" + name : "der(" + name + ")";
    return name;
  };
  for (std::size_t j = 0; j < flat().unknowns.size(); ++j) {
    first[j] = static_cast<std::uint32_t>(symbols_.size());
    ExprId symbol = flat().unknowns[j].symbol;
    for (std::uint32_t k = 0; k < n_orders[j]; ++k) {
      if (k > 0) symbol = pool.derivative_symbol(symbol);
      variable_of_.emplace(symbol, static_cast<std::uint32_t>(symbols_.size()));
      symbols_.push_back(symbol);
      unknown_of_.push_back(static_cast<std::uint32_t>(j));
      names_.push_back(name_of(symbol));
      derivative_.push_back(k + 1 < n_orders[j] ? static_cast<std::uint32_t>(symbols_.size())
                                                : end_of_chain);
    }
  }
  for (const structure::Variable& variable : plan_.structure.variables)
    place_.push_back(first[simplified_.kept_unknowns[variable.unknown]] + variable.order);
  for (const auto& eliminated : simplified_.eliminated)
    for (std::uint32_t k = 0; k < n_orders[eliminated.unknown]; ++k)
      eliminated_.push_back({symbols_[first[eliminated.unknown] + k],
                             structure::eliminated_value(pool, eliminated, k)});
}

std::vector<ExprId> CompiledModel::kernel_inputs() const {
  std::vector<ExprId> inputs{flat().pool->time()};
  inputs.insert(inputs.end(), symbols_.begin(), symbols_.end());
  return inputs;
}

std::uint32_t CompiledModel::variable_of(ExprId symbol) const {
  const auto found = variable_of_.find(symbol);
  return found == variable_of_.end() ? n_variables() : found->second;
}

std::uint32_t CompiledModel::derivative_of(std::uint32_t variable) const {
  return derivative_[variable] == end_of_chain ? n_variables() : derivative_[variable];
}

std::string CompiledModel::describe_modes(std::span<const std::uint32_t> modes) const {
  std::vector<std::string> texts;
  for (const std::uint32_t k : modes)
    texts.push_back(flat::expression_text(flat(), hybrid_.modes[k].source));
  return flat::listed(texts);
}

std::string CompiledModel::describe_discretes(std::span<const std::uint32_t> discretes) const {
  std::vector<std::string> names;
  for (const std::uint32_t k : discretes) {
    const flat::DiscreteVariable& variable = flat().discrete_variables[k];
    const std::string place = to_string(variable.origin);
    // Its name is a text that a front end made of the condition.
    const bool is_condition = variable.origin.derived_from == "a condition of when";
    names.push_back(is_condition ? "a condition of when" + (place.empty() ? "" : " (" + place + ")")
                                 : flat::in_quotes(flat().pool->symbol_text(variable.symbol)));
  }
  return flat::listed(names);
}

std::vector<double> CompiledModel::parameter_values(
    const flat::ParameterOverrides& overrides) const {
  std::vector<double> values = flat::evaluate_parameters(flat(), overrides);
  const std::vector<double> starts = flat::evaluate_discrete_starts(flat(), values);
  values.resize(constants_.size(), 0.0);
  for (std::uint32_t i = 0; i < starts.size(); ++i)
    values[constants_.discretes + i] = values[constants_.previous_discretes + i] = starts[i];
  return values;
}

CompiledModel::StartPoint CompiledModel::start_point(const std::vector<double>& parameters) const {
  StartPoint point{std::vector<double>(n_variables(), 0.0), std::vector<char>(n_variables(), 0)};
  const auto enter = [&](ExprId symbol, double value, bool fixed) {
    const std::uint32_t at = variable_of(symbol);
    if (at == n_variables()) return;  // the start of a derivative that the model does not have
    point.values[at] = value;
    point.fixed[at] = fixed;
  };
  // As given, then what the kept unknowns have from all their aliases.
  for (const flat::FlatSystem* system : {&flat(), &simplified_.flat}) {
    const flat::StartNumbers starts = flat::evaluate_starts(*system, parameters);
    for (std::size_t j = 0; j < system->unknowns.size(); ++j)
      if (starts.unknowns[j])
        enter(system->unknowns[j].symbol, *starts.unknowns[j], system->unknowns[j].fixed);
    for (std::size_t k = 0; k < system->derivative_starts.size(); ++k)
      enter(system->derivative_starts[k].symbol, starts.derivatives[k],
            system->derivative_starts[k].fixed);
  }
  const std::vector<SilentStart> silent =
      silent_starts(plan_, flat::evaluate_starts(simplified_.flat, parameters));
  if (silent.empty()) return point;
  std::vector<std::uint32_t> places;
  for (const SilentStart& start : silent)
    places.push_back(variable_of(simplified_.flat.unknowns[start.unknown].symbol));
  guess_silent(silent, places, *this, point.values, [&](std::vector<double>& slopes) {
    slopes = selection_at(0, point.values.data(), parameters.data());
    return run_at(constraints_, 0, point.values.data(), parameters.data());
  });
  return point;
}

const CompiledChart& CompiledModel::static_chart() const {
  return compile(structure::static_chart(simplified_.flat, plan_));
}

const CompiledChart& CompiledModel::compile(const Chart& chart) const {
  const std::lock_guard lock(mutex_);
  auto& entry = charts_[chart];
  if (entry) return *entry;
  auto made = std::make_unique<CompiledChart>();
  made->reduced = structure::apply_plan(simplified_.flat, plan_, differentiated_, chart);
  if (!put_together(*made)) compile_outputs(*made);
  entry = std::move(made);
  return *entry;
}

bool CompiledModel::put_together(CompiledChart& chart) const {
  if (!choice_varies_) return false;
  if (!pieces_) pieces_ = std::make_shared<ChartPieces>();
  const ChartTapeRequest request = tape_request(chart);
  const auto pieces = pieces_->of(request, plan_.structure, backend_);
  if (pieces.empty()) return false;
  const CompiledChart& direct = make_direct_chart();
  std::vector<std::uint32_t> derivatives;
  for (const auto v : chart.reduced.states) chart.states.push_back(place_[v]);
  for (const auto v : chart.reduced.derivatives) derivatives.push_back(1 + place_[v]);
  chart.derivatives = in_sequence(pieces, std::move(derivatives), direct.variables.shape());
  chart.variables = in_sequence(pieces, direct.variables);
  chart.modes = in_sequence(pieces, direct.modes);
  return true;
}

ChartTapeRequest CompiledModel::tape_request(const CompiledChart& chart) const {
  return {chart.variant != nullptr ? chart.variant->simplified.flat : simplified_.flat,
          chart.differentiated ? *chart.differentiated : differentiated_,
          chart.reduced,
          chart.variant != nullptr ? chart.variant->place : place_,
          n_variables(),
          eliminated_,
          constants_.symbols};
}

CompiledChart CompiledModel::compile_chart(
    structure::ReducedSystem reduced,
    std::shared_ptr<const structure::DifferentiatedSystem> differentiated,
    const ModeVariant* variant) const {
  CompiledChart compiled;
  compiled.variant = variant;
  compiled.reduced = std::move(reduced);
  compiled.differentiated = std::move(differentiated);
  compile_outputs(compiled);
  return compiled;
}

void CompiledModel::compile_outputs(CompiledChart& chart) const {
  const ChartTapeRequest request = tape_request(chart);
  for (const auto v : chart.reduced.states) chart.states.push_back(request.place[v]);
  // All of it at once: what the kernels have in common is lowered only once.
  std::vector<ExprId> all;
  for (const auto v : chart.reduced.derivatives) all.push_back(request.differentiated.variables[v]);
  const std::size_t n_derivatives = all.size();
  all.insert(all.end(), symbols_.begin(), symbols_.end());
  for (const auto& observed : flat().observed) all.push_back(observed.value);
  const std::size_t n_variables = all.size() - n_derivatives;
  for (const structure::Mode& mode : hybrid_.modes) all.push_back(mode.value);
  all.insert(all.end(), hybrid_.crossings.begin(), hybrid_.crossings.end());
  const std::size_t n_modes = all.size() - n_derivatives - n_variables;
  const Tape tape = chart_tape(request, all);
  const auto kernel_of = [&](std::size_t first, std::size_t count) {
    return make_kernel(tape_part(tape, first, count), backend_);
  };
  // A chart in which everything is given has no derivatives.
  if (n_derivatives == chart.states.size()) chart.derivatives = kernel_of(0, n_derivatives);
  chart.variables = kernel_of(n_derivatives, n_variables);
  chart.modes = kernel_of(n_derivatives + n_variables, n_modes);
}

std::vector<structure::Part> CompiledModel::separable_parts(const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  if (chart.variant != nullptr || chart.differentiated != nullptr) return {};
  return structure::separable_parts(*flat().pool, plan_.structure, differentiated_.variables,
                                    chart.reduced);
}

Tape CompiledModel::right_hand_side(const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  return derivatives_tape(chart);
}

Tape CompiledModel::derivatives_tape(const CompiledChart& chart) const {
  const ChartTapeRequest request = tape_request(chart);
  std::vector<ExprId> derivatives;
  for (const auto v : chart.reduced.derivatives)
    derivatives.push_back(request.differentiated.variables[v]);
  return chart_tape(request, derivatives);
}

const ChartJacobian& CompiledModel::jacobian(const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  auto& entry = jacobians_[&chart];
  if (entry) return *entry;
  auto made = std::make_unique<ChartJacobian>();
  const Tape tape = derivatives_tape(chart);
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t state : chart.states) columns.push_back(1 + state);
  columns.push_back(0);
  made->sparsity = tape_sparsity(tape, columns);
  made->calls_functions = calls_functions(tape);
  if (const auto jacobian = tape_jacobian(tape, columns, made->sparsity))
    made->kernel = make_kernel(*jacobian, backend_);
  entry = std::move(made);
  return *entry;
}

std::vector<double> CompiledModel::selection_at(double time, const double* variables,
                                                const double* parameters) const {
  return run_at(selection_, time, variables, parameters);
}

CompiledModel::Selection CompiledModel::select(const Chart& current, double time,
                                               const double* variables,
                                               const double* parameters) const {
  const std::vector<double> entries = selection_at(time, variables, parameters);
  Selection selection;
  selection.best =
      structure::best_chart(simplified_.flat, plan_, structure::SelectionEntries{entries});
  selection.current_quality =
      structure::chart_quality(plan_, current, structure::SelectionEntries{entries});
  return selection;
}

structure::ChartChoice CompiledModel::best_chart(double time, const double* variables,
                                                 const double* parameters,
                                                 std::span<const double> row_sizes) const {
  const std::vector<double> entries = selection_at(time, variables, parameters);
  return structure::best_chart(simplified_.flat, plan_, {entries, row_sizes});
}

structure::ChartImprovement CompiledModel::improve(const Chart& current, double ratio, double time,
                                                   const double* variables,
                                                   const double* parameters,
                                                   std::span<const double> row_sizes) const {
  const std::vector<double> entries = selection_at(time, variables, parameters);
  return structure::improve_chart(simplified_.flat, plan_, current, {entries, row_sizes}, ratio);
}

std::vector<double> CompiledModel::selection_row_lengths(double time, const double* variables,
                                                         const double* parameters) const {
  const std::vector<double> entries = selection_at(time, variables, parameters);
  return structure::row_lengths(plan_, {entries});
}

std::vector<std::string> CompiledModel::states_of_part(const Chart& chart,
                                                       structure::Index part) const {
  std::vector<structure::Index> unknowns = plan_.selection_parts[part].unknowns;
  std::sort(unknowns.begin(), unknowns.end());
  std::vector<std::string> names;
  symbolic::ExprPool& pool = *flat().pool;
  for (const auto j : unknowns) {
    ExprId symbol = simplified_.flat.unknowns[j].symbol;
    for (structure::Index k = 0; k + chart.n_dummies[j] < plan_.highest_order[j]; ++k) {
      names.push_back(pool.symbol_text(symbol));
      symbol = pool.derivative_symbol(symbol);
    }
  }
  return names;
}

double CompiledModel::chart_quality(const Chart& chart, double time, const double* variables,
                                    const double* parameters,
                                    std::span<const double> row_sizes) const {
  const std::vector<double> entries = selection_at(time, variables, parameters);
  return structure::chart_quality(plan_, chart, {entries, row_sizes});
}

std::vector<double> CompiledModel::log_determinants(const Chart& chart, double time,
                                                    const double* variables,
                                                    const double* parameters,
                                                    std::span<const double> row_sizes) const {
  const std::vector<double> entries = selection_at(time, variables, parameters);
  return structure::chart_log_determinants(plan_, chart, {entries, row_sizes});
}

void CompiledModel::constraint_residuals(double time, const double* variables,
                                         const double* parameters, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (level_of_constraint_.empty()) return;
  const std::vector<double> residuals = run_at(constraints_, time, variables, parameters);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    double& largest = out[level_of_constraint_[i]];
    // A value that is none stays none.
    if (!(std::abs(residuals[i]) <= largest)) largest = std::abs(residuals[i]);
  }
}

}  // namespace alembert::compile
