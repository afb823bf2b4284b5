// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/start_changes.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

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

void change_starts(const CompiledModel& model, const flat::ParameterOverrides& changes,
                   CompiledModel::StartPoint& start) {
  const std::vector<std::string>& names = model.variable_names();
  for (const auto& [name, value] : changes) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error("I013", "there is no variable '" + name + "' whose start could be changed.");
    const auto variable = static_cast<std::uint32_t>(found - names.begin());
    const Kept kept = kept_for(model, variable, name);
    start.values[variable] = value;
    start.values[kept.variable] = kept.sign * value;
  }
}

}  // namespace alembert::integrate
