// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/initial_derivatives.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/derived_from.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprId;
using symbolic::SymbolKind;

std::vector<ExprId> sides(const std::vector<flat::FlatEquation>& equations) {
  std::vector<ExprId> all;
  for (const flat::FlatEquation& equation : equations) {
    all.push_back(equation.left);
    all.push_back(equation.right);
  }
  return all;
}

}  // namespace

bool add_initial_derivatives(flat::FlatSystem& flat, const flat::FlatSystem& without_aliases) {
  if (without_aliases.initial_equations.empty()) return false;
  symbolic::ExprPool& pool = *flat.pool;
  std::unordered_map<ExprId, std::uint32_t> highest;  // by order 0; looked up, never iterated
  for (const ExprId symbol : symbolic::free_symbols(pool, sides(without_aliases.equations))) {
    auto& order = highest[pool.symbol_of(symbol).base];
    order = std::max(order, pool.symbol_of(symbol).order);
  }
  const std::size_t n_before = flat.unknowns.size();
  std::unordered_set<ExprId> added;  // looked up, never iterated
  for (const flat::FlatEquation& initial : without_aliases.initial_equations) {
    const ExprId both[] = {initial.left, initial.right};
    for (const ExprId symbol : symbolic::free_symbols(pool, both)) {
      if (pool.symbol_of(symbol).kind != SymbolKind::unknown) continue;
      const auto found = highest.find(pool.symbol_of(symbol).base);
      if (found == highest.end() || pool.symbol_of(symbol).order <= found->second) continue;
      if (!added.insert(symbol).second) continue;
      Origin origin = initial.origin;
      origin.derived_from = flat::asked_derivative;
      const ExprId value = pool.unknown("at the start: " + pool.symbol_text(symbol));
      flat.unknowns.push_back(
          {.symbol = value, .description = "for an initial equation", .origin = std::move(origin)});
      flat.equations.push_back({value, symbol, initial.origin});
    }
  }
  return flat.unknowns.size() > n_before;
}

}  // namespace alembert::structure
