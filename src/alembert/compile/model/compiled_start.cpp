// SPDX-License-Identifier: Apache-2.0
// The parts of CompiledModel that have to do with the start.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/flat/to_text.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/initial_discretes.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/start_check.hpp"
#include "alembert/structure/user_place.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using structure::InitialRow;
using symbolic::ExprId;

structure::Chart CompiledModel::start_chart(const structure::Chart& wanted, double time,
                                            const double* variables,
                                            const double* parameters) const {
  // A number that somebody wrote says more than none, and than the 0 which is often a default.
  constexpr double given_number = 0.25, given_zero = 0.5;
  constexpr double much_worse = 0.1;
  const std::vector<structure::StartMark> marks =
      structure::start_marks(simplified_.flat, differentiated_.variables);
  const auto n_silent = [&](const structure::Chart& chart) {
    std::size_t n = 0;
    for (std::size_t v = 0; v < marks.size(); ++v) {
      const structure::Variable& variable = plan_.structure.variables[v];
      const bool state = variable.order + chart.n_dummies[variable.unknown] <
                         plan_.highest_order[variable.unknown];
      n += state && !marks[v].given;
    }
    return n;
  };
  const std::size_t n_wanted = n_silent(wanted);
  if (n_wanted == 0) return wanted;
  std::vector<double> weights(simplified_.flat.unknowns.size(), 1.0);
  for (std::size_t v = 0; v < marks.size(); ++v) {
    const structure::Variable& variable = plan_.structure.variables[v];
    if (!marks[v].given || variable.order >= plan_.highest_order[variable.unknown]) continue;
    const bool meant = marks[v].fixed || !marks[v].zero;
    weights[variable.unknown] =
        std::min(weights[variable.unknown], meant ? given_number : given_zero);
  }
  const std::vector<double> entries = selection_at(time, variables, parameters);
  structure::ChartChoice given =
      structure::best_chart(simplified_.flat, plan_, {entries, {}, weights});
  const double enough =
      much_worse * structure::chart_quality(plan_, wanted, structure::SelectionEntries{entries});
  return given.quality > enough && n_silent(given.chart) < n_wanted ? given.chart : wanted;
}

bool CompiledModel::enter_homotopy(structure::DifferentiatedSystem& system) const {
  if (homotopy_equations_.empty()) return false;
  symbolic::ExprPool& pool = *flat().pool;
  symbolic::Replacements modes;
  for (const structure::Mode& mode : hybrid_.modes)
    modes.emplace(mode.source,
                  pool.is_condition(mode.source)
                      ? pool.apply(symbolic::Op::not_equal, mode.symbol, pool.integer(0))
                      : mode.symbol);
  symbolic::Replacements known;
  for (const auto& [symbol, value] : eliminated_) known.emplace(symbol, value);
  const symbolic::Replacements actual{{structure::homotopy_symbol(pool), pool.integer(0)}};
  std::unordered_map<std::uint32_t, ExprId> residual_of;  // looked up, never iterated
  for (const structure::HomotopyEquation& one : homotopy_equations_) {
    ExprId residual = structure::residual(pool, one.with_homotopy);
    residual = symbolic::substitute(pool, residual, modes);
    residual_of.emplace(one.equation, symbolic::substitute(pool, residual, known));
  }
  bool any = false;
  for (std::size_t e = 0; e < system.residuals.size(); ++e) {
    const structure::Equation& equation = plan_.structure.equations[e];
    if (equation.order > 0 || equation.source >= simplified_.kept_equations.size()) continue;
    const auto found = residual_of.find(simplified_.kept_equations[equation.source]);
    // Not of an equation that was combined with others.
    if (found == residual_of.end() ||
        symbolic::substitute(pool, found->second, actual) != system.residuals[e])
      continue;
    system.residuals[e] = found->second;
    any = true;
  }
  return any;
}

const InitialSystem& CompiledModel::start_system(const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  ModeVariant* const variant = const_cast<ModeVariant*>(chart.variant);  // of ours
  auto& entry = (variant != nullptr ? variant->starts : starts_)[chart.reduced.chart];
  if (entry) return *entry;
  auto system = std::make_unique<InitialSystem>();
  structure::DifferentiatedSystem rows =
      variant != nullptr ? *variant->differentiated : differentiated_;
  const flat::FlatSystem& equations =
      variant != nullptr ? variant->simplified.flat : simplified_.flat;
  system->variant = variant;
  if (variant == nullptr) system->has_homotopy = enter_homotopy(rows);
  system->plan =
      structure::plan_start(equations, variant != nullptr ? variant->plan : plan_, rows,
                            chart.reduced.chart, structure::start_marks(equations, rows.variables));
  if (constants_.homotopy != ConstantLayout::nowhere)
    for (const flat::FlatEquation& equation : simplified_.flat.initial_equations)
      for (const ExprId side : {equation.left, equation.right})
        system->has_homotopy |=
            symbolic::depends_on(*flat().pool, side, constants_.symbols[constants_.homotopy]);
  system->variables = variant != nullptr ? variant->place : place_;
  compile_start(equations, constants_, backend_, *system);

  system->constants.assign(system->plan.parameters.begin(), system->plan.parameters.end());
  std::vector<char> is_solved(flat().discrete_variables.size(), 0);
  for (const auto& [variable, previous] : system->plan.discretes) {
    system->constants.push_back((previous ? constants_.previous_discretes : constants_.discretes) +
                                variable);
    is_solved[variable] = 1;
  }

  symbolic::ExprPool& pool = *flat().pool;
  const structure::InitialDiscretes said(flat());
  std::vector<ExprId> values;
  for (std::uint32_t i = 0; i < flat().initial_equations.size(); ++i) {
    const auto given = said.given(flat().initial_equations[i]);
    if (given.variable == graph::none) continue;
    const bool solved = is_solved[given.variable] != 0;
    if (solved && flat().discrete_variables[given.variable].fixed) continue;
    system->discretes.push_back({given.variable, i, given.previous, solved});
    values.push_back(given.value);
  }
  if (!values.empty())
    system->discrete_values =
        make_kernel(lower(pool, kernel_inputs(), constants_.symbols, values), backend_);
  entry = std::move(system);
  return *entry;
}

const InitialSystem& CompiledModel::event_system(const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  auto& entry = event_systems_[chart.reduced.chart];
  if (entry) return *entry;
  auto system = std::make_unique<InitialSystem>();
  structure::InitialPlan& plan = system->plan;
  plan.columns = differentiated_.variables;
  // What was before the event is a better guess than anything else.
  plan.guess_worth.assign(plan.columns.size(), structure::meant_guess);
  for (structure::Index e = 0; e < differentiated_.residuals.size(); ++e)
    plan.rows.push_back({InitialRow::Kind::equation, e, differentiated_.residuals[e]});
  for (const structure::Block& block : chart.reduced.blocks)
    plan.blocks.push_back({block.equations(), block.unknowns()});
  system->variables = place_;
  compile_start(simplified_.flat, constants_, backend_, *system);
  entry = std::move(system);
  return *entry;
}

std::vector<std::vector<std::uint32_t>> CompiledModel::coupled_modes(
    const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  const symbolic::ExprPool& pool = *flat().pool;
  std::unordered_map<ExprId, std::uint32_t> mode_of;  // looked up, never iterated
  for (std::uint32_t k = 0; k < hybrid_.modes.size(); ++k)
    mode_of.emplace(hybrid_.modes[k].symbol, k);
  std::unordered_map<ExprId, ExprId> value_of;  // of discrete variables; looked up, never iterated
  for (const structure::DiscreteAssignment& assignment : hybrid_.assignments)
    value_of.emplace(flat().discrete_variables[assignment.variable].symbol, assignment.value);

  const auto& residuals =
      (chart.differentiated ? *chart.differentiated : differentiated_).residuals;
  std::vector<std::vector<std::uint32_t>> coupled;
  for (const structure::Block& block : chart.reduced.blocks) {
    if (block.size() < 2 && block.kind == structure::Block::Kind::assign) continue;
    std::vector<ExprId> expressions;
    for (const structure::Index e : block.equations()) expressions.push_back(residuals[e]);
    std::vector<char> has(hybrid_.modes.size(), 0);
    std::unordered_map<ExprId, bool> met;  // looked up, never iterated
    while (!expressions.empty()) {
      const std::vector<ExprId> symbols = symbolic::free_symbols(pool, expressions);
      expressions.clear();
      for (const ExprId symbol : symbols) {
        if (!met.emplace(symbol, true).second) continue;
        if (const auto mode = mode_of.find(symbol); mode != mode_of.end()) has[mode->second] = 1;
        if (const auto value = value_of.find(symbol); value != value_of.end())
          expressions.push_back(value->second);
      }
    }
    std::vector<std::uint32_t> modes;
    for (std::uint32_t k = 0; k < has.size(); ++k)
      if (has[k]) modes.push_back(k);
    if (!modes.empty()) coupled.push_back(std::move(modes));
  }
  return coupled;
}

InitialStage CompiledModel::joint_start(const InitialSystem& system,
                                        std::span<const std::uint32_t> rows,
                                        std::span<const std::uint32_t> kept_columns) const {
  const std::lock_guard lock(mutex_);
  return compile::joint_start(simplified_.flat, constants_, system.plan, rows, kept_columns,
                              backend_);
}

TornStage CompiledModel::torn_start(const InitialSystem& system, const InitialStage& stage) const {
  const std::lock_guard lock(mutex_);
  return compile::torn_start(simplified_.flat, constants_, system.plan, stage, backend_);
}

std::string CompiledModel::stage_as_model(const InitialSystem& system, const InitialStage& stage,
                                          std::span<const double> values,
                                          std::span<const double> constants) const {
  const std::lock_guard lock(mutex_);
  flat::FlatSystem block;
  block.pool = flat().pool;
  symbolic::ExprPool& pool = *block.pool;
  block.name = flat().name + "_start";
  std::replace_if(
      block.name.begin(), block.name.end(), [](unsigned char c) { return std::isalnum(c) == 0; },
      '_');
  symbolic::Replacements own{{pool.time(), pool.real(values[0])}};
  const auto text_of = [&](ExprId symbol) { return "'" + pool.symbol_text(symbol) + "'"; };
  const auto variable_at = [&](std::uint32_t column) {
    return column < system.variables.size() ? system.variables[column] : n_variables();
  };
  for (const std::uint32_t place : stage.unknowns) {
    const ExprId symbol = system.plan.columns[place - 1];
    flat::Unknown unknown{.symbol = pool.unknown(text_of(symbol)),
                          .start = pool.real(values[place])};
    if (const std::uint32_t variable = variable_at(place - 1); variable < n_variables()) {
      const Range range = range_of(variable);
      if (std::isfinite(range.min)) unknown.min = range.min;
      if (std::isfinite(range.max)) unknown.max = range.max;
      if (const double nominal = nominal_of(variable); nominal > 0) unknown.nominal = nominal;
    }
    own.emplace(symbol, unknown.symbol);
    block.unknowns.push_back(std::move(unknown));
  }
  std::vector<ExprId> residuals;
  for (const std::uint32_t row : stage.rows) residuals.push_back(system.plan.rows[row].residual);
  std::unordered_map<ExprId, double> known;  // looked up, never iterated
  for (std::size_t i = 0; i < constants.size(); ++i)
    known.emplace(constants_.symbols[i], constants[i]);
  for (std::size_t c = 0; c < system.plan.columns.size(); ++c)
    known[system.plan.columns[c]] = values[1 + c];
  for (const ExprId symbol : symbolic::free_symbols(pool, residuals)) {
    const auto value = known.find(symbol);
    if (own.contains(symbol) || value == known.end()) continue;
    const ExprId parameter = pool.parameter(text_of(symbol));
    own.emplace(symbol, parameter);
    block.parameters.push_back({.symbol = parameter, .value = pool.real(value->second)});
  }
  for (const ExprId residual : residuals)
    block.equations.push_back({symbolic::substitute(pool, residual, own), pool.integer(0)});
  return flat::to_text(block);
}

Diagnostic CompiledModel::describe_initial_row(const InitialRow& row,
                                               const ModeVariant* variant) const {
  const Note note = structure::describe_start_row(hybrid_, simplified_,
                                                  variant != nullptr ? variant->plan : plan_, row);
  return {"", note.text, note.origin, {}};
}

Diagnostic CompiledModel::describe_equation_of(symbolic::ExprId unknown) const {
  const auto gives = [&](const flat::FlatEquation& equation) {
    return equation.left == unknown || equation.right == unknown;
  };
  const auto found = std::ranges::find_if(flat().equations, gives);
  if (found == flat().equations.end()) return {};
  return {"", flat::equation_text(flat(), *found), found->origin, {}};
}

Origin CompiledModel::place_of_fixed_start(std::uint32_t variable) const {
  return structure::describe_fixed_start(flat(), simplified_, symbols_[variable]).origin;
}

Origin CompiledModel::user_place(std::span<const Origin> places) const {
  return structure::user_place(flat(), places);
}

CompiledModel::Range CompiledModel::range_of(std::uint32_t variable) const {
  const auto& symbol = flat().pool->symbol_of(symbols_[variable]);
  Range range;
  if (symbol.order > 0) return range;
  const flat::Unknown& unknown = flat().unknowns[unknown_of_[variable]];
  if (unknown.min) range.min = *unknown.min;
  if (unknown.max) range.max = *unknown.max;
  return range;
}

double CompiledModel::nominal_of(std::uint32_t variable) const {
  if (flat().pool->symbol_of(symbols_[variable]).order > 0) return 0;
  const auto& nominal = flat().unknowns[unknown_of_[variable]].nominal;
  return nominal ? std::abs(*nominal) : 0;
}

const std::string& CompiledModel::parameter_name(std::uint32_t parameter) const {
  return flat().pool->symbol_of(flat().parameters[parameter].symbol).name;
}

}  // namespace alembert::compile
