// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/structure.hpp"

#include <algorithm>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/structure/delay_derivative.hpp"
#include "alembert/structure/given_twice.hpp"
#include "alembert/structure/read_ahead.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/singular_parts.hpp"
#include "alembert/structure/user_place.hpp"
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
    residual = time_derivative(pool, residual, flat.delays);
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
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    ahead.before(
        e, residuals.size(), [&](std::size_t i) { return residuals[i]; },
        [&](ExprId symbol) { return unknown_of[pool.symbol_of(symbol).base]; });
    const std::size_t begin = occurrences.size();
    bool told = false;
    {
      const symbolic::Reach reach(pool, residuals[e]);
      for (const ExprId node : reach.nodes()) {
        told = told || symbolic::may_be_inlined(pool, node);
        if (!pool.is_symbol(node)) continue;
        const symbolic::Symbol& symbol = pool.symbol_of(node);
        const Index unknown = unknown_of[symbol.base];
        if (unknown == none) continue;
        occurrences.push_back({unknown, symbol.order});
        highest[unknown] = std::max(highest[unknown], Index{symbol.order});
      }
    }
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

namespace {

/// Cuts a part into pieces that share nothing, so that every mistake gets a message of its own.
std::vector<graph::SystemPart> connected_pieces(const graph::BipartiteGraph& graph,
                                                const graph::SystemPart& part) {
  constexpr Index outside = none;
  constexpr Index waiting = none - 1;
  std::vector<Index> eq_piece(graph.n_equations(), outside);
  std::vector<Index> var_piece(graph.n_unknowns(), outside);
  for (const Index e : part.equations) eq_piece[e] = waiting;
  for (const Index v : part.unknowns) var_piece[v] = waiting;

  Index n_pieces = 0;
  std::vector<Index> stack;  // equations
  const auto reach_unknown = [&](Index v) {
    if (var_piece[v] != waiting) return;
    var_piece[v] = n_pieces;
    for (const Index e : graph.equations_of(v))
      if (eq_piece[e] == waiting) {
        eq_piece[e] = n_pieces;
        stack.push_back(e);
      }
  };
  const auto finish_piece = [&] {
    while (!stack.empty()) {
      const Index e = stack.back();
      stack.pop_back();
      for (const Index v : graph.unknowns_of(e)) reach_unknown(v);
    }
    ++n_pieces;
  };
  for (const Index v : part.unknowns)
    if (var_piece[v] == waiting) {
      reach_unknown(v);
      finish_piece();
    }
  for (const Index e : part.equations)  // without unknowns
    if (eq_piece[e] == waiting) eq_piece[e] = n_pieces++;

  std::vector<graph::SystemPart> pieces(n_pieces);
  for (const Index e : part.equations) pieces[eq_piece[e]].equations.push_back(e);
  for (const Index v : part.unknowns) pieces[var_piece[v]].unknowns.push_back(v);
  return pieces;
}

std::vector<Note> equation_notes(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  constexpr std::size_t most = 10;
  std::vector<Note> notes;
  for (const Index i : part.equations) {
    if (notes.size() == most) {
      notes.push_back({"and " + flat::counted(part.equations.size() - most, "more equation"), {}});
      break;
    }
    notes.push_back({flat::equation_text(flat, flat.equations[i]), flat.equations[i].origin});
  }
  return notes;
}

std::vector<std::string> names_of(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  std::vector<std::string> names;
  for (const Index j : part.unknowns)
    names.push_back(flat::in_quotes(flat.pool->symbol_text(flat.unknowns[j].symbol)));
  return names;
}

/// True if a parameter that could be an unknown instead is in one of the equations.
bool has_parameter(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  for (const Index e : part.equations) {
    const ExprId sides[] = {flat.equations[e].left, flat.equations[e].right};
    for (const ExprId symbol : symbolic::free_symbols(*flat.pool, sides))
      if (flat.pool->symbol_of(symbol).kind == symbolic::SymbolKind::parameter) return true;
  }
  return false;
}

Diagnostic too_many_equations(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  std::vector<Origin> places;
  for (const Index e : part.equations) places.push_back(flat.equations[e].origin);
  const Origin origin = user_place(flat, places);
  if (part.unknowns.empty())
    return {"S001",
            flat::equation_text(flat, flat.equations[part.equations.front()]) +
                " contains no unknown, so it determines nothing. Remove it" +
                (has_parameter(flat, part) ? ", or make a parameter in it an unknown." : "."),
            origin,
            {}};
  const std::size_t excess = part.equations.size() - part.unknowns.size();
  if (has_connection(flat, part.equations))
    return {"S001",
            "too many equations: " + flat::counted(part.equations.size(), "equation") + " for " +
                flat::counted(part.unknowns.size(), "unknown") + ", " +
                flat::listed(names_of(flat, part)) + ". " +
                repair_of_contradiction(flat, part.equations) + given_twice(flat, part.equations),
            origin, equation_notes(flat, part)};
  return {"S001",
          "too many equations: " + flat::counted(part.equations.size(), "equation") + " for " +
              flat::counted(part.unknowns.size(), "unknown") + ", " +
              flat::listed(names_of(flat, part)) + ". Remove " +
              (excess == 1 ? "one" : std::to_string(excess)) + " of the equations listed" +
              (!has_parameter(flat, part) ? "."
               : excess == 1
                   ? ", or make a parameter in them an unknown."
                   : ", or make " + flat::counted(excess, "parameter") + " in them unknowns.") +
              given_twice(flat, part.equations),
          origin, equation_notes(flat, part)};
}

Diagnostic too_few_equations(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  const flat::Unknown& first = flat.unknowns[part.unknowns.front()];
  std::vector<Origin> places;
  for (const Index j : part.unknowns) places.push_back(flat.unknowns[j].origin);
  for (const Index e : part.equations) places.push_back(flat.equations[e].origin);
  const std::size_t lack = part.unknowns.size() - part.equations.size();
  const bool alone = part.unknowns.size() == 1;
  const std::string names = alone
                                ? flat::located(flat.pool->symbol_text(first.symbol), first.origin)
                                : "all of " + flat::listed(names_of(flat, part));
  return {"S002",
          "structurally singular: " + flat::counted(part.equations.size(), "equation") + " for " +
              flat::counted(part.unknowns.size(), "unknown") + "; nothing determines " + names +
              ". Add " + (lack == 1 ? "an equation" : flat::counted(lack, "equation")) +
              " or make " +
              (alone       ? "it a parameter."
               : lack == 1 ? "one of them a parameter."
                           : std::to_string(lack) + " of them parameters."),
          user_place(flat, places), equation_notes(flat, part)};
}

}  // namespace

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

SingularParts singular_parts(Structure& structure) {
  // Most models need no differentiation, and then one matching answers both questions.
  match_highest(structure);
  const auto n_matched = static_cast<std::size_t>(
      std::ranges::count_if(structure.var_to_eq, [](Index e) { return e != none; }));
  if (structure.n_sources == structure.n_unknowns && n_matched == structure.n_unknowns) return {};
  graph::IndexLists rows;  // by equation of the flat system, for messages in the user's order
  std::vector<Index> row_of(structure.n_sources);
  for (Index e = 0; e < structure.n_sources; ++e) row_of[structure.equations[e].source] = e;
  for (const Index e : row_of) {
    for (const Index v : structure.incidence[e])
      rows.items.push_back(structure.variables[v].unknown);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(structure.n_unknowns, std::move(rows));
  const graph::Matching matching = graph::maximum_matching(graph);
  if (matching.perfect()) return {};
  const graph::DulmageMendelsohn parts = graph::dulmage_mendelsohn(graph, matching);
  return {connected_pieces(graph, parts.over), connected_pieces(graph, parts.under)};
}

std::vector<Diagnostic> singular_findings(const flat::FlatSystem& flat,
                                          const SingularParts& parts) {
  std::vector<Diagnostic> findings;
  for (const graph::SystemPart& piece : parts.over)
    findings.push_back(too_many_equations(flat, piece));
  for (const graph::SystemPart& piece : parts.under)
    findings.push_back(too_few_equations(flat, piece));
  return findings;
}

void require_structurally_regular(const flat::FlatSystem& flat, Structure& structure) {
  std::vector<Diagnostic> findings = singular_findings(flat, singular_parts(structure));
  if (!findings.empty()) throw Error(std::move(findings));
}

}  // namespace alembert::structure
