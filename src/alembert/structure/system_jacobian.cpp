// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/system_jacobian.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/graph/cyclic_components.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

ExprId derivative_symbol(symbolic::ExprPool& pool, ExprId symbol, Index order) {
  for (Index k = 0; k < order; ++k) symbol = pool.derivative_symbol(symbol);
  return symbol;
}

namespace {

std::vector<Index> first_variables(const Structure& s) {
  std::vector<Index> first(s.n_unknowns);
  for (Index v = 0; v < s.variables.size(); ++v)
    if (s.variables[v].order == 0) first[s.variables[v].unknown] = v;
  return first;
}

}  // namespace

std::vector<JacobianBlock> jacobian_blocks(const StructuralPlan& plan, std::size_t least,
                                           std::size_t most) {
  const Structure& s = plan.structure;
  // Pantelides left a matching of highest derivatives, which leads straight to their equations.
  // The first version of an equation is at its own row, and mostly the only one: then nothing has
  // to be looked up, which in a large system is a wait for the memory each time.
  std::vector<Index> top;                      // [n_sources]: by source
  std::vector<Index> new_owner;                // [n variables]
  std::span<const Index> owner = s.var_to_eq;  // the row that gives a highest derivative
  if (s.equations.size() > s.n_sources) {
    top = highest_equations(s);
    std::vector<Index> row_of(s.n_sources);  // in canonical order
    for (Index e = 0; e < s.n_sources; ++e) row_of[s.equations[e].source] = e;
    new_owner = s.var_to_eq;
    for (Index& e : new_owner)
      if (e != none && e >= s.n_sources) e = row_of[s.equations[e].source];
    owner = new_owner;
  }
  const auto highest_version = [&](Index row) {
    const Equation& equation = s.equations[row];
    return equation.derivative == none ? row : top[equation.source];
  };
  graph::IndexLists needed;  // equations that give the other unknowns of each
  needed.begin.reserve(std::size_t{s.n_sources} + 1);
  needed.items.reserve(s.incidence.items.size());
  const std::span<const Index> items = s.incidence.items;
  for (Index e = 0; e < s.n_sources; ++e) {
    bool is_matched = false;
    const Index version = highest_version(e);
    for (std::size_t k = s.incidence.begin[version]; k < s.incidence.begin[version + 1]; ++k) {
      constexpr std::size_t stride = 32;  // rows mostly follow each other, what they name does not
      if (k + stride < items.size()) __builtin_prefetch(&owner[items[k + stride]]);
      const Index other = owner[items[k]];
      if (other == e)
        is_matched = true;
      else if (other != none)
        needed.items.push_back(other);
    }
    needed.end_list();
    ensure(is_matched, "every equation is matched in its highest version");
  }
  const graph::StrongComponents components =
      least > 1 ? graph::cyclic_components(needed) : graph::strong_components(needed);
  std::vector<JacobianBlock> blocks;
  std::vector<Index> position;  // of unknowns, in canonical order; empty until it is asked for
  for (Index c = 0; c < components.size(); ++c) {
    if (components[c].size() < least || components[c].size() > most) continue;
    if (position.empty()) position = first_variables(s);
    // Which is matched with which is one of several answers; nothing may depend on it.
    std::vector<Index> in_order(components[c].begin(), components[c].end());
    std::sort(in_order.begin(), in_order.end());
    JacobianBlock block;
    for (const Index row : in_order) {
      block.equations.push_back(s.equations[row].source);
      const auto its_own = std::ranges::find(s.incidence[highest_version(row)], row,
                                             [&](Index v) { return owner[v]; });
      block.unknowns.push_back(s.variables[*its_own].unknown);
    }
    std::ranges::sort(block.unknowns, {}, [&](Index j) { return position[j]; });
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<ExprId> SystemJacobian::row(Index equation, std::span<const Index> unknowns) {
  std::vector<ExprId> symbols;
  for (const Index j : unknowns)
    symbols.push_back(derivative_symbol(pool_, flat_.unknowns[j].symbol,
                                        plan_.highest_order[j] - plan_.differentiations[equation]));
  return gradient(pool_, residuals_[equation], symbols);
}

ExprMatrix SystemJacobian::dense(const JacobianBlock& block) {
  ExprMatrix matrix;
  for (const Index i : block.equations) {
    std::vector<Index> unknowns;
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
      if (plan_.highest_order[block.unknowns[j]] < plan_.differentiations[i]) continue;
      unknowns.push_back(block.unknowns[j]);
      columns.push_back(j);
    }
    const std::vector<ExprId> slopes = row(i, unknowns);
    std::vector<ExprId>& entries = matrix.emplace_back(block.unknowns.size(), pool_.number(0));
    for (std::size_t k = 0; k < slopes.size(); ++k) entries[columns[k]] = slopes[k];
  }
  return matrix;
}

std::vector<std::vector<ExprEntry>> SystemJacobian::sparse(const JacobianBlock& block) {
  std::unordered_map<ExprId, Index> column_of;  // looked up, never iterated
  for (Index j = 0; j < block.unknowns.size(); ++j)
    column_of.emplace(flat_.unknowns[block.unknowns[j]].symbol, j);
  std::vector<std::vector<ExprEntry>> rows;
  for (const Index i : block.equations) {
    std::vector<ExprId> symbols;
    std::vector<ExprEntry> row;
    for (const ExprId symbol : free_symbols(pool_, residuals_[i])) {
      const symbolic::Symbol& data = pool_.symbol_of(symbol);
      const auto column = column_of.find(data.base);
      if (data.kind != symbolic::SymbolKind::unknown || column == column_of.end()) continue;
      const Index highest = plan_.highest_order[block.unknowns[column->second]];
      if (data.order + plan_.differentiations[i] != highest) continue;
      symbols.push_back(symbol);
      row.push_back({column->second, {}});
    }
    const auto slopes = gradient(pool_, residuals_[i], symbols);
    for (std::size_t k = 0; k < row.size(); ++k) row[k].value = slopes[k];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace alembert::structure
