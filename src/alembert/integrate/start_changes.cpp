// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/start_changes.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {
namespace {

using compile::CompiledModel;
using symbolic::ExprId;

/// Place and sign of the variable that stands for another; itself where it was kept.
struct Kept {
  std::uint32_t variable;
  double sign;
};

Kept kept_for(const CompiledModel& model, std::uint32_t variable, const std::string& name) {
  symbolic::ExprPool& pool = *model.flat().pool;
  for (const structure::EliminatedUnknown& eliminated : model.simplified().eliminated) {
    const ExprId symbol = model.flat().unknowns[eliminated.unknown].symbol;
    std::uint32_t order = 0;
    for (std::uint32_t at = model.variable_of(symbol); at < model.n_variables();
         at = model.derivative_of(at), ++order) {
      if (at != variable) continue;
      if (eliminated.constant)
        throw Error("I013",
                    "'" + name +
                        "' is a constant of the equations: it has no start value that "
                        "could be changed. Change the parameters it follows from.",
                    model.flat().unknowns[eliminated.unknown].origin);
      const ExprId stands = structure::eliminated_value(pool, eliminated, order);
      if (const auto kept = model.variable_of(stands); kept < model.n_variables()) return {kept, 1};
      const ExprId negated = pool.neg(stands);
      if (const auto kept = model.variable_of(negated); kept < model.n_variables())
        return {kept, -1};
      break;
    }
  }
  return {variable, 1};
}

}  // namespace

std::string warn_of_unused_start(std::string_view name, double value, double wanted,
                                 std::string_view asked, StartsFrom from) {
  constexpr double rounding = 1e-6;
  if (std::abs(value - wanted) <= rounding * std::max(1.0, std::abs(wanted))) return "";
  const bool is_resumed = from == StartsFrom::checkpoint;
  return "'" + std::string(name) + (is_resumed ? "' started" : "' starts") + " with " +
         rounded_text(value) + ", not with the " + std::string(asked) +
         (is_resumed
              ? ": a run that is taken up again has the starts of its checkpoint."
              : ": the equations determine it, so that its start value is a first guess only.");
}

std::optional<std::uint32_t> find_discrete(const CompiledModel& model, std::string_view name) {
  const flat::FlatSystem& flat = model.flat();
  for (std::uint32_t i = 0; i < flat.discrete_variables.size(); ++i)
    if (flat.pool->symbol_text(flat.discrete_variables[i].symbol) == name) return i;
  return std::nullopt;
}

void change_discrete_starts(const CompiledModel& model, const flat::ParameterOverrides& changes,
                            std::vector<double>& constants) {
  for (const auto& [name, value] : changes) {
    const auto found = find_discrete(model, name);
    if (!found) continue;
    const flat::DiscreteVariable& variable = model.flat().discrete_variables[*found];
    const bool is_truth = variable.type == flat::ValueType::boolean;
    if (is_truth ? value != 0 && value != 1
                 : variable.type == flat::ValueType::integer && value != std::round(value))
      throw Error("I013",
                  "'" + name + "' is " + (is_truth ? "a Boolean" : "an Integer") +
                      " and cannot start with " + number_text(value) + "." +
                      (is_truth ? " Give 0 for false or 1 for true." : " Give a whole number."),
                  variable.origin);
    constants[model.constants().discretes + *found] = value;
    constants[model.constants().previous_discretes + *found] = value;
  }
}

void change_starts(const CompiledModel& model, const flat::ParameterOverrides& changes,
                   CompiledModel::StartPoint& start) {
  const std::vector<std::string>& names = model.variable_names();
  for (const auto& [name, value] : changes) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && find_discrete(model, name)) continue;
    if (found == names.end())
      throw Error("I013", "there is no variable '" + name + "' whose start could be changed.");
    const auto variable = static_cast<std::uint32_t>(found - names.begin());
    const Kept kept = kept_for(model, variable, name);
    start.values[variable] = value;
    start.values[kept.variable] = kept.sign * value;
  }
}

}  // namespace alembert::integrate
