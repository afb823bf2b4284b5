// SPDX-License-Identifier: Apache-2.0
// The parts of CompiledModel that have to do with the start.
#include <unordered_map>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/flat/wording.hpp"

namespace alembert::compile {

using structure::InitialRow;
using symbolic::ExprId;

namespace {

std::vector<structure::StartMark> start_marks(const flat::FlatSystem& flat,
                                              std::span<const ExprId> variables) {
  const auto mark_of = [&](ExprId start, bool fixed) {
    return structure::StartMark{start.valid(), start.valid() && flat.pool->is_zero(start), fixed};
  };
  std::unordered_map<ExprId, structure::StartMark> marks;  // looked up, never iterated
  for (const flat::Unknown& unknown : flat.unknowns)
    marks[unknown.symbol] = mark_of(unknown.start, unknown.fixed);
  for (const flat::DerivativeStart& start : flat.derivative_starts)
    marks[start.symbol] = mark_of(start.value, start.fixed);
  std::vector<structure::StartMark> result;
  for (const ExprId symbol : variables) result.push_back(marks[symbol]);
  return result;
}

}  // namespace

const InitialSystem& CompiledModel::start_system(const structure::Chart& chart) const {
  const std::lock_guard lock(mutex_);
  auto& entry = starts_[chart];
  if (entry) return *entry;
  auto system = std::make_unique<InitialSystem>();
  system->plan = structure::plan_start(simplified_.flat, plan_, differentiated_, chart,
                                       start_marks(simplified_.flat, differentiated_.variables));
  system->variables = place_;
  compile_start(simplified_.flat, constants_, backend_, *system);

  symbolic::ExprPool& pool = *flat().pool;
  std::unordered_map<ExprId, std::uint32_t> discrete_of;  // looked up, never iterated
  for (std::uint32_t i = 0; i < flat().discrete_variables.size(); ++i) {
    discrete_of.emplace(flat().discrete_variables[i].symbol, i);
    discrete_of.emplace(pool.previous_symbol(flat().discrete_variables[i].symbol), i);
  }
  std::vector<ExprId> values;
  for (const flat::FlatEquation& equation : flat().initial_equations) {
    if (!structure::gives_discrete(pool, equation)) continue;
    const bool on_left = discrete_of.contains(equation.left);
    const auto found = discrete_of.find(on_left ? equation.left : equation.right);
    if (found == discrete_of.end()) continue;
    system->discretes.push_back(found->second);
    values.push_back(on_left ? equation.right : equation.left);
  }
  if (!values.empty())
    system->discrete_values =
        make_kernel(lower(pool, kernel_inputs(), constants_.symbols, values), backend_);
  entry = std::move(system);
  return *entry;
}

InitialStage CompiledModel::whole_start(const InitialSystem& system,
                                        std::span<const std::uint32_t> kept_columns) const {
  const std::lock_guard lock(mutex_);
  return compile::whole_start(simplified_.flat, constants_, system.plan, kept_columns, backend_);
}

Diagnostic CompiledModel::describe_initial_row(const InitialRow& row) const {
  const flat::FlatSystem& system = simplified_.flat;
  switch (row.kind) {
    case InitialRow::Kind::initial: {
      const flat::FlatEquation& equation = flat().initial_equations[row.source];
      return {"", "initial " + flat::equation_text(flat(), equation), equation.origin, {}};
    }
    case InitialRow::Kind::parameter: {
      const flat::Parameter& parameter = system.parameters[row.source];
      return {"", "the definition of '" + parameter_name(row.source) + "'", parameter.origin, {}};
    }
    case InitialRow::Kind::equation: break;
  }
  const structure::Equation& equation = plan_.structure.equations[row.source];
  const flat::FlatEquation& source = flat().equations[simplified_.kept_equations[equation.source]];
  const std::string text = flat::equation_text(flat(), source);
  static constexpr const char* levels[] = {"", "the derivative of ", "the second derivative of "};
  return {"",
          (equation.order < 3 ? levels[equation.order] : "a derivative of ") + text,
          source.origin,
          {}};
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
