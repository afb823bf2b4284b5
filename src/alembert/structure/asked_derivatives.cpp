// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/asked_derivatives.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/clocked_part.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/state_priority.hpp"
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
  for (const flat::Termination& termination : flat.terminations) {
    add(termination.condition, termination.origin);
    for (const ExprId value : termination.values) add(value, termination.origin);
  }
  for (const flat::Assertion& assertion : flat.assertions) {
    add(assertion.condition, assertion.origin);
    for (const ExprId value : assertion.values) add(value, assertion.origin);
  }
  for (const flat::Delay& delay : flat.delays) {
    add(delay.value, delay.origin);
    add(delay.delay, delay.origin);
  }
  for (const flat::Transport& transport : flat.transports)
    for (const ExprId expression :
         {transport.inputs[0], transport.inputs[1], transport.position, transport.forward})
      add(expression, transport.origin);
  for (const flat::Observed& observed : flat.observed) add(observed.value, observed.origin);
  if (flat.clocked != nullptr)
    for (const flat::ClockedSample& sample : flat.clocked->samples)
      add(sample.value, sample.origin);
  static const Origin nowhere;
  for (const Mode& mode : system.modes) add(mode.value, nowhere);
  for (const ExprId crossing : system.crossings) add(crossing, nowhere);
  return all;
}

std::vector<ExprId> sides(const std::vector<flat::FlatEquation>& equations) {
  std::vector<ExprId> all;
  for (const flat::FlatEquation& equation : equations) {
    all.push_back(equation.left);
    all.push_back(equation.right);
  }
  return all;
}

/// Of each unknown, by its symbol of order 0: lower derivatives are there with the higher ones.
/// Looked up, never iterated.
using HighestOrders = std::unordered_map<ExprId, std::uint32_t>;

HighestOrders highest_orders(const flat::FlatSystem& flat) {
  const symbolic::ExprPool& pool = *flat.pool;
  HighestOrders highest;
  for (const ExprId symbol : symbolic::free_symbols(pool, sides(flat.equations))) {
    std::uint32_t& order = highest[pool.symbol_of(symbol).base];
    order = std::max(order, pool.symbol_of(symbol).order);
  }
  return highest;
}

bool is_derivative(const symbolic::ExprPool& pool, ExprId symbol) {
  return pool.symbol_of(symbol).kind == SymbolKind::unknown && pool.symbol_of(symbol).order > 0;
}

/// What derivatives are for, as names and descriptions of their unknowns say.
struct Purpose {
  std::string_view name;
  std::string_view description;
};

/// Adds what is beyond the highest orders; these are the derivatives it was done for.
std::vector<ExprId> add_derivatives(flat::FlatSystem& flat, const HighestOrders& highest,
                                    std::span<const Asking> asking, const Purpose& purpose) {
  symbolic::ExprPool& pool = *flat.pool;
  std::vector<ExprId> all;
  std::unordered_set<ExprId> added;  // looked up, never iterated
  for (const Asking& one : asking)
    for (const ExprId symbol : symbolic::free_symbols(pool, one.expression)) {
      if (!is_derivative(pool, symbol)) continue;
      const auto found = highest.find(pool.symbol_of(symbol).base);
      if (found == highest.end() || pool.symbol_of(symbol).order <= found->second) continue;
      if (!added.insert(symbol).second) continue;
      Origin origin = *one.origin;
      origin.derived_from = flat::asked_derivative;
      const ExprId value =
          pool.unknown(std::string(purpose.name) + ": " + pool.symbol_text(symbol));
      flat.unknowns.push_back({.symbol = value,
                               .description = std::string(purpose.description),
                               .origin = std::move(origin)});
      flat.equations.push_back({value, symbol, *one.origin});
      all.push_back(symbol);
    }
  return all;
}

}  // namespace

void add_asked_derivatives(HybridSystem& system) {
  flat::FlatSystem& flat = system.flat;
  const symbolic::ExprPool& pool = *flat.pool;
  const std::vector<Asking> asking = all_that_ask(system);
  std::vector<ExprId> roots;
  for (const Asking& one : asking) roots.push_back(one.expression);
  const auto asks = [&](ExprId symbol) { return is_derivative(pool, symbol); };
  if (roots.empty() || std::ranges::none_of(symbolic::free_symbols(pool, roots), asks)) return;
  HighestOrders highest = highest_orders(flat);
  // An unknown that no equation has is missed by name later on.
  for (const flat::Unknown& unknown : flat.unknowns) highest.try_emplace(unknown.symbol, 0);
  std::unordered_set<ExprId> looked_at;  // looked up, never iterated
  for (const ExprId symbol : add_derivatives(
           flat, highest, asking, {"beside the equations", "for what is beside the equations"})) {
    const ExprId unknown = pool.symbol_of(symbol).base;
    if (highest.at(unknown) == 0) looked_at.insert(unknown);
  }
  // To be looked at makes no state of what the equations do not differentiate.
  for (flat::Unknown& unknown : flat.unknowns)
    if (unknown.state_priority == 0 && looked_at.contains(unknown.symbol))
      unknown.state_priority = flat::priority_of_added;
}

bool add_initial_derivatives(flat::FlatSystem& flat, const flat::FlatSystem& without_aliases) {
  if (without_aliases.initial_equations.empty()) return false;
  std::vector<Asking> asking;
  for (const flat::FlatEquation& initial : without_aliases.initial_equations)
    for (const ExprId side : {initial.left, initial.right})
      asking.push_back({side, &initial.origin});
  return !add_derivatives(flat, highest_orders(without_aliases), asking,
                          {"at the start", "for an initial equation"})
              .empty();
}

}  // namespace alembert::structure
