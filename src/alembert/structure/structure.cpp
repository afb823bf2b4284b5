// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/structure.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/flat/delayed.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/structure/delay_derivative.hpp"
#include "alembert/structure/read_ahead.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/inline_calls.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

namespace {

/// 0 .. n-1 in the canonical order of the expressions. Models are often written in that order.
std::vector<Index> canonical_order(const symbolic::ExprPool& pool,
                                   std::span<const ExprId> expressions) {
  std::vector<Index> order(expressions.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto before = [&](Index a, Index b) {
    return pool.precedes(expressions[a], expressions[b]);
  };
  if (!std::is_sorted(order.begin(), order.end(), before))
    std::stable_sort(order.begin(), order.end(), before);
  return order;
}

/// By the first and the last variable, so that equations about neighbours are neighbours, which
/// memory likes; then by content.
std::vector<Index> order_of_equations(const symbolic::ExprPool& pool,
                                      const graph::IndexLists& variables,
                                      std::span<const ExprId> residuals) {
  struct Key {
    Index first, last, equation;
  };
  std::vector<Key> keys;
  keys.reserve(residuals.size());
  for (Index e = 0; e < residuals.size(); ++e) {
    const auto row = variables[e];
    keys.push_back(row.empty() ? Key{none, none, e} : Key{row.front(), row.back(), e});
  }
  std::stable_sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.last != b.last) return a.last < b.last;
    return pool.precedes(residuals[a.equation], residuals[b.equation]);
  });
  std::vector<Index> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(key.equation);
  return order;
}

/// The nodes of a short expression, in no order. False if there are more than a few: then `nodes`
/// is nothing. Marks on nodes, which a search of any expression needs, are all over the memory.
bool find_few_nodes(const symbolic::ExprPool& pool, ExprId root, std::vector<ExprId>& nodes) {
  constexpr std::size_t few = 32;
  nodes.assign(1, root);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (const ExprId child : pool.children(nodes[k])) {
      if (std::ranges::find(nodes, child) != nodes.end()) continue;
      if (nodes.size() == few) return false;
      nodes.push_back(child);
    }
  return true;
}

std::vector<ToldRow::Entry> entries_of(const symbolic::ExprPool& pool, ExprId residual,
                                       const symbolic::NodeIndex& unknown_of) {
  std::vector<ToldRow::Entry> entries;
  for (const ExprId id : symbolic::free_symbols(pool, residual)) {
    const symbolic::Symbol& symbol = pool.symbol_of(id);
    if (const Index unknown = unknown_of[symbol.base]; unknown != none)
      entries.push_back({unknown, symbol.order});
  }
  return entries;
}

/// The rows of an equation and its first derivatives, where a function in it ignores unknowns among
/// its arguments and tells its own derivative; else none.
std::vector<ToldRow> told_rows(const flat::FlatSystem& flat, Index source, ExprId residual,
                               const symbolic::NodeIndex& unknown_of) {
  constexpr Index most_orders = 4;  // a position is told of twice, and few would ask for more
  symbolic::ExprPool& pool = *flat.pool;
  std::vector<ToldRow> rows;
  for (Index order = 0; order <= most_orders; ++order) {
    const ExprId inlined = symbolic::inline_calls(pool, residual);
    rows.push_back({source, order, entries_of(pool, inlined, unknown_of)});
    if (order == 0 && rows.front().entries.size() == entries_of(pool, residual, unknown_of).size())
      return {};
    if (inlined == residual) break;  // from here on a row and its derivatives make the next
    residual = time_derivative(pool, residual, flat::delayed_symbols(flat));
  }
  return rows;
}

}  // namespace

Structure extract_structure(const flat::FlatSystem& flat) {
  std::vector<ExprId> residuals;
  for (const flat::FlatEquation& equation : flat.equations)
    residuals.push_back(residual(*flat.pool, equation));
  return extract_structure(flat, residuals);
}

Structure extract_structure(const flat::FlatSystem& flat, std::span<const ExprId> residuals) {
  const symbolic::ExprPool& pool = *flat.pool;
  Structure structure;
  structure.n_unknowns = static_cast<Index>(flat.unknowns.size());
  structure.n_sources = static_cast<Index>(flat.equations.size());

  std::vector<ExprId> symbols;
  symbolic::NodeIndex unknown_of(pool);
  for (Index j = 0; j < structure.n_unknowns; ++j) {
    symbols.push_back(flat.unknowns[j].symbol);
    unknown_of.set(flat.unknowns[j].symbol, j);
  }
  // Chains are numbered once it is known how long they are; until then an item is an occurrence.
  struct Occurrence {
    Index unknown;
    Index order;
  };
  std::vector<Occurrence> occurrences;
  std::vector<Index> highest(structure.n_unknowns, 0);
  graph::IndexLists rows;  // by equation of the flat system
  ReadAhead ahead(pool);
  std::vector<ExprId> few_nodes;
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    ahead.before(
        e, residuals.size(), [&](std::size_t i) { return residuals[i]; },
        [&](ExprId symbol) {
          const Index unknown = unknown_of[pool.symbol_of(symbol).base];
          if (unknown != none) __builtin_prefetch(&highest[unknown]);
          return unknown;
        });
    const std::size_t begin = occurrences.size();
    bool told = false;
    const auto read = [&](std::span<const ExprId> nodes) {
      for (const ExprId node : nodes) {
        told = told || symbolic::may_be_inlined(pool, node);
        if (!pool.is_symbol(node)) continue;
        const symbolic::Symbol& symbol = pool.symbol_of(node);
        const Index unknown = unknown_of[symbol.base];
        if (unknown == none) continue;
        occurrences.push_back({unknown, symbol.order});
        highest[unknown] = std::max(highest[unknown], Index{symbol.order});
      }
    };
    if (find_few_nodes(pool, residuals[e], few_nodes))
      read(few_nodes);
    else
      read(symbolic::Reach(pool, residuals[e]).nodes());
    if (told)
      for (ToldRow& version : told_rows(flat, static_cast<Index>(e), residuals[e], unknown_of)) {
        if (version.order > 0) {
          structure.told_rows.push_back(std::move(version));
          continue;
        }
        occurrences.resize(begin);
        for (const auto& [unknown, order] : version.entries)
          occurrences.push_back({unknown, order});
      }
    rows.begin.push_back(static_cast<Index>(occurrences.size()));
  }

  std::vector<Index> first(structure.n_unknowns);
  for (const Index j : canonical_order(pool, symbols)) {
    first[j] = static_cast<Index>(structure.variables.size());
    for (Index k = 0; k <= highest[j]; ++k)
      structure.variables.push_back({j, k, k < highest[j] ? first[j] + k + 1 : none});
  }
  for (const Occurrence& o : occurrences) rows.items.push_back(first[o.unknown] + o.order);
  for (Index e = 0; e < structure.n_sources; ++e)
    std::sort(rows.items.begin() + rows.begin[e], rows.items.begin() + rows.begin[e + 1]);
  structure.incidence.items.reserve(rows.items.size());
  for (const Index e : order_of_equations(pool, rows, residuals)) {
    structure.equations.push_back({.source = e});
    structure.incidence.items.insert(structure.incidence.items.end(), rows[e].begin(),
                                     rows[e].end());
    structure.incidence.end_list();
  }
  return structure;
}

std::vector<Index> highest_variables(const Structure& structure) {
  std::vector<Index> highest(structure.n_unknowns, none);
  for (Index v = 0; v < structure.variables.size(); ++v)
    if (structure.is_highest(v)) highest[structure.variables[v].unknown] = v;
  return highest;
}

std::vector<Index> highest_equations(const Structure& structure) {
  std::vector<Index> highest(structure.n_sources, none);
  for (Index e = 0; e < structure.equations.size(); ++e)
    if (structure.equations[e].derivative == none) highest[structure.equations[e].source] = e;
  return highest;
}

void match_highest(Structure& structure) {
  if (!structure.var_to_eq.empty()) return;
  graph::IndexLists rows;
  rows.items.reserve(structure.incidence.items.size());
  for (Index e = 0; e < structure.n_sources; ++e) {
    for (const Index v : structure.incidence[e])
      if (structure.is_highest(v)) rows.items.push_back(v);
    rows.end_list();
  }
  const auto n_variables = static_cast<Index>(structure.variables.size());
  structure.var_to_eq =
      graph::maximum_matching(graph::BipartiteGraph(n_variables, std::move(rows))).var_to_eq;
}

}  // namespace alembert::structure
