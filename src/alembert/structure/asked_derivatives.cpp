// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/asked_derivatives.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/clocked_part.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/structure/hidden_singularity.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprId;
using symbolic::SymbolKind;

/// An expression outside of the equations, and where it was written.
struct Asking {
  ExprId expression;
  const Origin* origin;
};

std::vector<Asking> all_that_ask(const HybridSystem& system) {
  const flat::FlatSystem& flat = system.flat;
  std::vector<Asking> all;
  const auto add = [&](ExprId expression, const Origin& origin) {
    if (expression.valid()) all.push_back({expression, &origin});
  };
  for (const flat::FlatEquation& equation : flat.discrete_equations) {
    add(equation.left, equation.origin);
    add(equation.right, equation.origin);
  }
  for (const flat::Reinit& reinit : flat.reinits) {
    add(reinit.condition, reinit.origin);
    add(reinit.value, reinit.origin);
  }
  for (const flat::Termination& termination : flat.terminations)
    add(termination.condition, termination.origin);
  for (const flat::Assertion& assertion : flat.assertions) {
    add(assertion.condition, assertion.origin);
    for (const ExprId value : assertion.values) add(value, assertion.origin);
  }
  for (const flat::Delay& delay : flat.delays) {
    add(delay.value, delay.origin);
    add(delay.delay, delay.origin);
  }
  for (const flat::Observed& observed : flat.observed) add(observed.value, observed.origin);
  if (flat.clocked != nullptr)
    for (const flat::ClockedSample& sample : flat.clocked->samples)
      add(sample.value, sample.origin);
  static const Origin nowhere;
  for (const Mode& mode : system.modes) add(mode.value, nowhere);
  for (const ExprId crossing : system.crossings) add(crossing, nowhere);
  return all;
}

}  // namespace

void add_asked_derivatives(HybridSystem& system) {
  flat::FlatSystem& flat = system.flat;
  const std::vector<Asking> asking = all_that_ask(system);
  if (asking.empty()) return;
  symbolic::ExprPool& pool = *flat.pool;
  const auto is_derivative = [&](ExprId symbol) {
    return pool.symbol_of(symbol).kind == SymbolKind::unknown && pool.symbol_of(symbol).order > 0;
  };
  std::vector<ExprId> roots;
  for (const Asking& one : asking) roots.push_back(one.expression);
  const std::vector<ExprId> asked = symbolic::free_symbols(pool, roots);
  if (std::none_of(asked.begin(), asked.end(), is_derivative)) return;
  roots.clear();
  for (const flat::FlatEquation& equation : flat.equations) {
    roots.push_back(equation.left);
    roots.push_back(equation.right);
  }
  // Looked up, never iterated. Lower derivatives are there with the higher ones.
  std::unordered_map<ExprId, std::uint32_t> highest;
  std::unordered_set<ExprId> added, looked_at;
  for (const ExprId symbol : symbolic::free_symbols(pool, roots)) {
    std::uint32_t& order = highest[pool.symbol_of(symbol).base];
    order = std::max(order, pool.symbol_of(symbol).order);
  }
  for (const Asking& one : asking)
    for (const ExprId symbol : symbolic::free_symbols(pool, one.expression)) {
      if (!is_derivative(symbol) ||
          pool.symbol_of(symbol).order <= highest[pool.symbol_of(symbol).base] ||
          !added.insert(symbol).second)
        continue;
      Origin origin = *one.origin;
      origin.derived_from = flat::asked_derivative;
      const ExprId value = pool.unknown("beside the equations: " + pool.symbol_text(symbol));
      flat.unknowns.push_back(
          {.symbol = value, .description = "for what is beside the equations", .origin = std::move(origin)});
      flat.equations.push_back({value, symbol, *one.origin});
      looked_at.insert(pool.symbol_of(symbol).base);
    }
  // To be looked at makes no state of what the equations do not differentiate.
  for (flat::Unknown& unknown : flat.unknowns)
    if (looked_at.contains(unknown.symbol) && unknown.state_priority == 0 &&
        highest[unknown.symbol] == 0)
      unknown.state_priority = priority_of_added;
}

}  // namespace alembert::structure
