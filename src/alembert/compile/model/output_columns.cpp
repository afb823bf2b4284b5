// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/output_columns.hpp"

#include "alembert/flat/derived_from.hpp"
#include "alembert/structure/simplify.hpp"

namespace alembert::compile {
namespace {

std::vector<OutputColumns::Source> sources_of(const CompiledModel& model) {
  std::vector<OutputColumns::Source> sources(model.n_variables());
  for (std::uint32_t k = 0; k < sources.size(); ++k) sources[k].variable = k;
  symbolic::ExprPool& pool = *model.flat().pool;
  for (const structure::EliminatedUnknown& eliminated : model.simplified().eliminated) {
    std::uint32_t k = model.variable_of(model.flat().unknowns[eliminated.unknown].symbol);
    for (structure::Index order = 0; k < sources.size(); k = model.derivative_of(k), ++order) {
      sources[k].constant = eliminated.constant;
      if (eliminated.constant) continue;
      const symbolic::ExprId value = structure::eliminated_value(pool, eliminated, order);
      const bool negated = !pool.is_symbol(value);
      const std::uint32_t of = model.variable_of(negated ? pool.neg(value) : value);
      if (of < sources.size()) sources[k] = {of, negated};
    }
  }
  return sources;
}

}  // namespace

OutputColumns::OutputColumns(const CompiledModel& model) : sources(sources_of(model)) {
  const flat::FlatSystem& flat = model.flat();
  const std::vector<std::string>& variables = model.variable_names();
  std::vector<char> is_own(variables.size(), 0);
  for (const flat::Unknown& unknown : flat.unknowns)
    if (unknown.origin.derived_from == flat::asked_derivative ||
        unknown.origin.derived_from == flat::substituted_combination)
      for (std::uint32_t k = model.variable_of(unknown.symbol); k < variables.size();
           k = model.derivative_of(k))
        is_own[k] = 1;
  for (std::uint32_t k = 0; k < variables.size(); ++k)
    if (!is_own[k]) {
      outputs.push_back(k);
      names.push_back(variables[k]);
    }
  for (std::uint32_t k = 0; k < flat.observed.size(); ++k) {
    outputs.push_back(static_cast<std::uint32_t>(variables.size()) + k);
    names.push_back(flat.observed[k].name);
  }
  for (std::uint32_t k = 0; k < flat.discrete_variables.size(); ++k)
    if (flat.discrete_variables[k].origin.derived_from.empty() &&  // else the flattener's own
        flat.discrete_variables[k].type != flat::ValueType::text) {
      discretes.push_back(k);
      names.push_back(flat.pool->symbol_text(flat.discrete_variables[k].symbol));
    }
}

}  // namespace alembert::compile
