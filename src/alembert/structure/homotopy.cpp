// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/homotopy.hpp"

#include "alembert/flat/delayed.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

namespace {

constexpr const char* symbol_name = "homotopy()";

/// All expressions that are looked at in a run.
std::vector<ExprId*> expressions_of(flat::FlatSystem& flat) {
  std::vector<ExprId*> places;
  for (auto* equations : {&flat.equations, &flat.discrete_equations})
    for (flat::FlatEquation& equation : *equations)
      places.insert(places.end(), {&equation.left, &equation.right});
  for (flat::Observed& observed : flat.observed) places.push_back(&observed.value);
  for (flat::Reinit& reinit : flat.reinits)
    places.insert(places.end(), {&reinit.condition, &reinit.value});
  for (flat::Termination& termination : flat.terminations) {
    places.push_back(&termination.condition);
    for (ExprId& value : termination.values) places.push_back(&value);
  }
  for (ExprId* place : flat::delayed_places(flat)) places.push_back(place);
  for (flat::Assertion& assertion : flat.assertions) {
    places.push_back(&assertion.condition);
    for (ExprId& value : assertion.values) places.push_back(&value);
  }
  return places;
}

}  // namespace

ExprId homotopy_symbol(symbolic::ExprPool& pool) { return pool.discrete(symbol_name); }

std::vector<HomotopyEquation> take_homotopy(flat::FlatSystem& flat) {
  symbolic::ExprPool& pool = *flat.pool;
  const ExprId symbol = pool.find_symbol(symbol_name);
  if (!symbol.valid()) return {};
  const std::vector<flat::FlatEquation> before = flat.equations;
  std::vector<ExprId*> places;
  std::vector<ExprId> values;
  for (ExprId* place : expressions_of(flat))
    if (place->valid()) {
      places.push_back(place);
      values.push_back(*place);
    }
  values = symbolic::substitute(pool, values, {{symbol, pool.integer(0)}});
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = values[i];
  std::vector<HomotopyEquation> taken;
  for (graph::Index e = 0; e < before.size(); ++e)
    if (before[e].left != flat.equations[e].left || before[e].right != flat.equations[e].right)
      taken.push_back({e, before[e]});
  return taken;
}

}  // namespace alembert::structure
