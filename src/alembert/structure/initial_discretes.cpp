// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/initial_discretes.hpp"

#include <utility>
#include <vector>

namespace alembert::structure {

namespace {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::SymbolKind;

/// False where arithmetic on Reals leads to the value, which is then no Boolean and no Integer.
bool may_be_whole(const ExprPool& pool, ExprId value) {
  std::vector<ExprId> open{value};
  while (!open.empty()) {
    const ExprId node = open.back();
    open.pop_back();
    using symbolic::Op;
    switch (pool.op(node)) {
      case Op::add:
      case Op::mul:
      case Op::min:
      case Op::max:
      case Op::abs:
        for (const ExprId child : pool.children(node)) open.push_back(child);
        break;
      default:
        if (pool.is_symbol(node) && pool.symbol_of(node).kind == SymbolKind::unknown) return false;
    }
  }
  return true;
}

}  // namespace

InitialDiscretes::InitialDiscretes(const flat::FlatSystem& flat) : flat_(flat) {
  if (flat.initial_equations.empty()) return;
  for (Index i = 0; i < flat.discrete_variables.size(); ++i) {
    variable_of_.emplace(flat.discrete_variables[i].symbol, i);
    variable_of_.emplace(flat.pool->previous_symbol(flat.discrete_variables[i].symbol), i);
  }
}

InitialDiscretes::Given InitialDiscretes::given(const flat::FlatEquation& equation) const {
  for (const auto& [side, value] :
       {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)}) {
    const auto found = variable_of_.find(side);
    if (found == variable_of_.end()) continue;
    const flat::DiscreteVariable& variable = flat_.discrete_variables[found->second];
    if (variable.type != flat::ValueType::real && !may_be_whole(*flat_.pool, value)) continue;
    return {found->second, side != variable.symbol, value};
  }
  return {};
}

bool InitialDiscretes::gives_whole(const flat::FlatEquation& equation) const {
  const Index variable = given(equation).variable;
  return variable != graph::none &&
         flat_.discrete_variables[variable].type != flat::ValueType::real;
}

}  // namespace alembert::structure
