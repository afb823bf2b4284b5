// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/structure.hpp"

#include <algorithm>
#include <iterator>
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

/// 0 .. n-1 in the canonical order of the expressions. Models are often written in that order, or
/// are families of names in that order that take turns: x[1], y[1], x[2], y[2]. Each expression
/// goes to the end of a list that it continues; few such lists are soon merged, many are sorted.
std::vector<Index> canonical_order(const symbolic::ExprPool& pool,
                                   std::span<const ExprId> expressions) {
  constexpr std::size_t few = 16;
  const auto before = [&](Index a, Index b) {
    return pool.precedes(expressions[a], expressions[b]);
  };
  std::vector<std::vector<Index>> lists;  // by their last ones, descending
  const auto n = static_cast<Index>(expressions.size());
  for (Index k = 0; k < n && lists.size() <= few; ++k) {
    const auto place = std::ranges::find_if(
        lists, [&](const std::vector<Index>& list) { return !before(k, list.back()); });
    if (place == lists.end())
      lists.emplace_back(1, k);
    else
      place->push_back(k);
  }
  std::vector<Index> order;
  if (lists.size() > few) {
    order.resize(n);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), before);
    return order;
  }
  // Neighbours are merged, so that each number is moved as often as the lists can be halved.
  for (; lists.size() > 1; lists.resize((lists.size() + 1) / 2))
    for (std::size_t i = 0; i < lists.size(); i += 2) {
      if (i + 1 == lists.size()) {
        lists[i / 2] = std::move(lists[i]);
        continue;
      }
      std::vector<Index> merged;
      merged.reserve(lists[i].size() + lists[i + 1].size());
      std::ranges::merge(lists[i], lists[i + 1], std::back_inserter(merged), before);
      lists[i / 2] = std::move(merged);
    }
  return lists.empty() ? order : std::move(lists.front());
}

/// By the first and the last variable, so that equations about neighbours are neighbours, which
/// memory likes; then by content. Equations without variables come last.
std::vector<Index> order_of_equations(const symbolic::ExprPool& pool,
                                      const graph::IndexLists& variables, Index n_variables,
                                      std::span<const ExprId> residuals) {
  struct Key {
    Index last, equation;
  };
  const auto first_of = [&](Index e) {
    const auto row = variables[e];
    return row.empty() ? n_variables : row.front();
  };
  std::vector<Index> begin(std::size_t{n_variables} + 2,
                           0);  // of the keys with each first variable
  for (Index e = 0; e < residuals.size(); ++e) ++begin[first_of(e) + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Index> end(begin.begin(), begin.end() - 1);
  std::vector<Key> keys(residuals.size());
  for (Index e = 0; e < residuals.size(); ++e)
    keys[end[first_of(e)]++] = {variables[e].empty() ? none : variables[e].back(), e};
  const auto before = [&](const Key& a, const Key& b) {
    if (a.last != b.last) return a.last < b.last;
    const ExprId left = residuals[a.equation], right = residuals[b.equation];
    return left == right ? a.equation < b.equation : pool.precedes(left, right);
  };
  for (std::size_t i = 0; i + 1 < begin.size(); ++i)
    if (begin[i + 1] - begin[i] > 1)
      std::sort(keys.begin() + begin[i], keys.begin() + begin[i + 1], before);
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

/// The equations and their rows, in that order. Rows come from anywhere, so they are called for
/// ahead. `written_for`: by source, the variable that each equation is written for, a highest one;
/// or nothing. Where these are a matching it becomes that of the structure: no graph is needed for
/// it, and most models are written like this.
void put_in_order(std::span<const Index> order, const graph::IndexLists& rows,
                  std::span<const Index> written_for, Structure& structure) {
  constexpr std::size_t stride = 16;
  structure.equations.reserve(order.size());
  structure.incidence.begin.reserve(order.size() + 1);
  structure.incidence.items.reserve(rows.items.size());
  bool is_matching = !written_for.empty() && structure.n_sources == structure.n_unknowns;
  if (is_matching) structure.var_to_eq.assign(structure.variables.size(), none);
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k + 2 * stride < order.size()) {
      __builtin_prefetch(&rows.begin[order[k + 2 * stride]]);
      if (is_matching) __builtin_prefetch(&written_for[order[k + 2 * stride]]);
    }
    if (k + stride < order.size()) {
      __builtin_prefetch(rows[order[k + stride]].data());
      if (is_matching) __builtin_prefetch(&structure.var_to_eq[written_for[order[k + stride]]]);
    }
    structure.equations.push_back({.source = order[k]});
    const auto row = rows[order[k]];
    structure.incidence.items.insert(structure.incidence.items.end(), row.begin(), row.end());
    structure.incidence.end_list();
    if (!is_matching) continue;
    // One that is given twice, or has cancelled in its own equation, makes it none.
    Index& matched_to = structure.var_to_eq[written_for[order[k]]];
    is_matching =
        matched_to == none && std::binary_search(row.begin(), row.end(), written_for[order[k]]);
    matched_to = static_cast<Index>(k);
  }
  if (!is_matching) structure.var_to_eq.clear();
}

/// Of an unknown that is differentiated.
struct DifferentiatedItem {
  std::size_t place;  // among the items of rows
  Index order;
};

/// The variables of the structure, unknown by unknown in this order, each with its derivatives up
/// to the highest; items of rows, which were unknowns, become variables. Out: the first variable of
/// each unknown.
std::vector<Index> number_chains(const std::vector<Index>& order, const std::vector<Index>& highest,
                                 const std::vector<DifferentiatedItem>& differentiated,
                                 graph::IndexLists& rows, Structure& structure) {
  std::vector<Index> first(structure.n_unknowns);
  structure.variables.reserve(
      std::accumulate(highest.begin(), highest.end(), std::size_t{structure.n_unknowns}));
  for (const Index j : order) {
    first[j] = static_cast<Index>(structure.variables.size());
    for (Index k = 0; k <= highest[j]; ++k)
      structure.variables.push_back({j, k, k < highest[j] ? first[j] + k + 1 : none});
  }
  for (Index& item : rows.items) item = first[item];
  for (const auto& [place, times] : differentiated) rows.items[place] += times;
  return first;
}

/// What an equation is written for: x = ..., der(x) = ...
struct WrittenFor {
  Index unknown = none;
  Index order = 0;
};

/// The variables that equations are written for; nothing where one is not the highest of its
/// chain.
std::vector<Index> highest_written_for(std::span<const WrittenFor> written_for,
                                       std::span<const Index> first_of_unknown,
                                       std::span<const Index> highest_order) {
  std::vector<Index> variables;
  variables.reserve(written_for.size());
  for (const auto& [unknown, order] : written_for) {
    if (order != highest_order[unknown]) return {};
    variables.push_back(first_of_unknown[unknown] + order);
  }
  return variables;
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
  symbols.reserve(structure.n_unknowns);
  symbolic::NodeIndex unknown_of(pool);
  for (Index j = 0; j < structure.n_unknowns; ++j) {
    symbols.push_back(flat.unknowns[j].symbol);
    unknown_of.set(flat.unknowns[j].symbol, j);
  }
  // Chains are numbered once it is known how long they are; until then an item is an unknown, and
  // of those that are differentiated the order is beside it.
  std::vector<DifferentiatedItem> differentiated;
  std::vector<Index> highest(structure.n_unknowns, 0);
  graph::IndexLists rows;  // by equation of the flat system
  rows.begin.reserve(residuals.size() + 1);
  rows.items.reserve(4 * residuals.size());
  const auto add = [&](Index unknown, Index order) {
    if (order > 0) differentiated.push_back({rows.items.size(), order});
    rows.items.push_back(unknown);
  };
  // As long as every equation is written for something; then as many as there are equations.
  std::vector<WrittenFor> written_for;
  written_for.reserve(residuals.size());
  ReadAhead ahead(pool);
  std::vector<ExprId> few_nodes;
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    ahead.before(
        e, residuals.size(), [&](std::size_t i) { return residuals[i]; },
        [&](ExprId symbol) { return unknown_of[symbol]; },
        [&](ExprId symbol) {
          return unknown_of[symbol] == none ? pool.symbol_of(symbol).order : 0;
        });
    bool told = false;
    const bool all_written = written_for.size() == e;
    WrittenFor by_left, by_right;
    const auto note_side = [&](ExprId node, WrittenFor what) {
      if (!all_written) return;
      if (node == flat.equations[e].left) by_left = what;
      if (node == flat.equations[e].right) by_right = what;
    };
    const auto read = [&](std::span<const ExprId> nodes) {
      for (const ExprId node : nodes) {
        told = told || symbolic::may_be_inlined(pool, node);
        if (!pool.is_symbol(node)) continue;
        // Symbols are large, and no cache holds them: only those of derivatives are looked at.
        if (const Index unknown = unknown_of[node]; unknown != none) {
          add(unknown, 0);
          note_side(node, {unknown, 0});
          continue;
        }
        const symbolic::Symbol& symbol = pool.symbol_of(node);
        if (symbol.order == 0) continue;
        const Index unknown = unknown_of[symbol.base];
        if (unknown == none) continue;
        add(unknown, symbol.order);
        note_side(node, {unknown, symbol.order});
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
        rows.items.resize(rows.begin.back());
        while (!differentiated.empty() && differentiated.back().place >= rows.items.size())
          differentiated.pop_back();
        for (const auto& [unknown, order] : version.entries) add(unknown, order);
      }
    rows.end_list();
    const WrittenFor& side = by_left.unknown != none ? by_left : by_right;
    if (all_written && side.unknown != none) written_for.push_back(side);
  }

  const std::vector<Index> first_of_unknown =
      number_chains(canonical_order(pool, symbols), highest, differentiated, rows, structure);
  for (Index e = 0; e < structure.n_sources; ++e)
    std::sort(rows.items.begin() + rows.begin[e], rows.items.begin() + rows.begin[e + 1]);
  const auto n_variables = static_cast<Index>(structure.variables.size());
  std::vector<Index> written_variables;  // [n_sources], or nothing
  if (written_for.size() == residuals.size())
    written_variables = highest_written_for(written_for, first_of_unknown, highest);
  put_in_order(order_of_equations(pool, rows, n_variables, residuals), rows, written_variables,
               structure);
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
  const auto n_variables = static_cast<Index>(structure.variables.size());
  // Asked for at random, so it is a bit each, which the nearest caches hold for a million.
  std::vector<bool> is_highest(n_variables);
  for (Index v = 0; v < n_variables; ++v) is_highest[v] = structure.is_highest(v);
  graph::IndexLists rows;
  rows.begin.reserve(std::size_t{structure.n_sources} + 1);
  rows.items.reserve(structure.incidence.items.size());
  for (Index e = 0; e < structure.n_sources; ++e) {
    for (const Index v : structure.incidence[e])
      if (is_highest[v]) rows.items.push_back(v);
    rows.end_list();
  }
  structure.var_to_eq =
      graph::maximum_matching(graph::BipartiteGraph(n_variables, std::move(rows))).var_to_eq;
}

}  // namespace alembert::structure
