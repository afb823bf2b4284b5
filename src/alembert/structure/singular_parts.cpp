// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/singular_parts.hpp"

#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/structure/given_twice.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/surplus.hpp"
#include "alembert/structure/user_place.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/node_walk.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::ExprId;

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
  constexpr std::size_t most = 25;
  std::vector<Note> notes;
  std::vector<Index> equations(part.equations.begin(), part.equations.end());
  // Where not all can be named: what gives a derivative is hardly ever the one too many.
  if (equations.size() > most)
    std::ranges::stable_partition(equations, [&](Index e) {
      const ExprId sides[] = {flat.equations[e].left, flat.equations[e].right};
      return !symbolic::any_symbol(
          *flat.pool, sides, [&](ExprId symbol) { return flat.pool->symbol_of(symbol).order > 0; });
    });
  for (const Index i : equations) {
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

/// True if as many parameters as equations are too many could be unknowns instead, each in an
/// equation of its own.
bool can_free_parameters(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  if (!has_parameter(flat, part)) return false;
  symbolic::NodeIndex column(*flat.pool);
  Index n_columns = 0;
  for (const Index j : part.unknowns) column.set(flat.unknowns[j].symbol, n_columns++);
  graph::IndexLists rows;
  for (const Index e : part.equations) {
    const ExprId sides[] = {flat.equations[e].left, flat.equations[e].right};
    for (const ExprId symbol : symbolic::free_symbols(*flat.pool, sides)) {
      const ExprId base = flat.pool->symbol_of(symbol).base;
      if (!column.contains(base)) {
        if (flat.pool->symbol_of(symbol).kind != symbolic::SymbolKind::parameter) continue;
        column.set(base, n_columns++);
      }
      rows.items.push_back(column[base]);
    }
    rows.end_list();
  }
  const graph::Matching matching =
      graph::maximum_matching(graph::BipartiteGraph(n_columns, std::move(rows)));
  return std::ranges::count(matching.eq_to_var, none) == 0;
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
  constexpr std::size_t most_named = 5;
  const std::size_t excess = part.equations.size() - part.unknowns.size();
  if (has_connection(flat, part.equations))
    return {"S001",
            "too many equations: " + flat::counted(part.equations.size(), "equation") + " for " +
                flat::counted(part.unknowns.size(), "unknown") + ", " +
                flat::listed(names_of(flat, part)) + ". " +
                repair_of_contradiction(flat, part.equations) + given_twice(flat, part.equations),
            origin, equation_notes(flat, part)};
  const std::optional<GivenTwice> twice = find_given_twice(flat, part.equations);
  if (twice && excess == 1) {
    std::vector<Note> notes;
    for (const Index e : {twice->first, twice->second})
      notes.push_back({flat::equation_text(flat, flat.equations[e]), flat.equations[e].origin});
    const Origin given[] = {flat.equations[twice->second].origin};
    const Index both[] = {twice->first, twice->second};
    const auto surplus = find_surplus(flat, both);
    return {"S001",
            twice->sentence + " That makes one equation too many: " +
                flat::counted(part.equations.size(), "equation") + " for " +
                flat::counted(part.unknowns.size(), "unknown") + ", " +
                flat::listed(names_of(flat, part)) + ". " +
                (surplus ? removal_text(flat, *surplus, 2, "one of the two")
                         : std::string("Remove one of the two")) +
                ".",
            user_place(flat, given), std::move(notes)};
  }
  const std::optional<Surplus> surplus = find_surplus(flat, part.equations);
  const bool is_part = surplus && surplus->n_equations == part.equations.size();
  return {"S001",
          (twice ? twice->sentence + " In all there are " : std::string()) +
              "too many equations: " + flat::counted(part.equations.size(), "equation") + " for " +
              flat::counted(part.unknowns.size(), "unknown") + ", " +
              flat::listed(names_of(flat, part)) + ". " +
              (is_part && excess == 1 ? removal_text(flat, *surplus, part.equations.size(),
                                                     "one of the equations listed")
                                      : "Remove " + (excess == 1 ? "one" : std::to_string(excess)) +
                                            " of the equations listed") +
              (is_part && excess > 1 && !surplus->removal.empty() &&
                       surplus->removal.size() <= most_named
                   ? ", for example " + equations_listed(flat, surplus->removal, "and")
                   : "") +
              (!can_free_parameters(flat, part) ? "."
               : excess == 1
                   ? ", or make a parameter in them an unknown."
                   : ", or make " + flat::counted(excess, "parameter") + " in them unknowns."),
          origin, equation_notes(flat, part)};
}

/// Unknowns without which there are as many equations as unknowns, and each has its own: any as
/// many would not do. What is differentiated is hardly meant to stay constant.
graph::SystemPart could_be_parameters(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  symbolic::NodeIndex column(*flat.pool);
  for (Index k = 0; k < part.unknowns.size(); ++k)
    column.set(flat.unknowns[part.unknowns[k]].symbol, k);
  graph::IndexLists rows, differentiated;
  std::vector<char> is_differentiated(part.unknowns.size(), 0);
  for (const Index e : part.equations) {
    const ExprId sides[] = {flat.equations[e].left, flat.equations[e].right};
    for (const ExprId symbol : symbolic::free_symbols(*flat.pool, sides)) {
      const Index k = column[flat.pool->symbol_of(symbol).base];
      if (k == none) continue;
      rows.items.push_back(k);
      if (flat.pool->symbol_of(symbol).order > 0) is_differentiated[k] = 1;
    }
    rows.end_list();
  }
  for (Index e = 0; e < rows.size(); ++e) {
    for (const Index k : rows[e])
      if (is_differentiated[k]) differentiated.items.push_back(k);
    differentiated.end_list();
  }
  // Whatever has an equation keeps one: those that are not to be constant come first.
  const auto n = static_cast<Index>(part.unknowns.size());
  const graph::Matching matching = graph::maximum_matching(
      graph::BipartiteGraph(n, std::move(rows)),
      graph::maximum_matching(graph::BipartiteGraph(n, std::move(differentiated))));
  graph::SystemPart free;
  for (Index k = 0; k < n; ++k)
    if (matching.var_to_eq[k] == none) free.unknowns.push_back(part.unknowns[k]);
  return free;
}

Diagnostic too_few_equations(const flat::FlatSystem& flat, const graph::SystemPart& part) {
  const flat::Unknown& first = flat.unknowns[part.unknowns.front()];
  std::vector<Origin> places;
  for (const Index j : part.unknowns) places.push_back(flat.unknowns[j].origin);
  for (const Index e : part.equations) places.push_back(flat.equations[e].origin);
  const std::size_t lack = part.unknowns.size() - part.equations.size();
  const bool alone = part.unknowns.size() == 1;
  const std::vector<std::string> free = lack > 1 && !part.equations.empty()
                                            ? names_of(flat, could_be_parameters(flat, part))
                                            : std::vector<std::string>{};
  const std::string names = alone
                                ? flat::located(flat.pool->symbol_text(first.symbol), first.origin)
                                : "all of " + flat::listed(names_of(flat, part));
  return {"S002",
          "structurally singular: " + flat::counted(part.equations.size(), "equation") + " for " +
              flat::counted(part.unknowns.size(), "unknown") + "; nothing determines " + names +
              ". Add " + (lack == 1 ? "an equation" : flat::counted(lack, "equation")) +
              " or make " +
              (alone          ? "it a parameter."
               : lack == 1    ? "one of them a parameter."
               : free.empty() ? std::to_string(lack) + " of them parameters."
                              : std::to_string(lack) + " of them parameters, for example " +
                                    flat::listed(free) + "."),
          user_place(flat, places), equation_notes(flat, part)};
}

}  // namespace

graph::IndexLists unknowns_by_source(const Structure& structure) {
  std::vector<Index> row_of(structure.n_sources);
  for (Index e = 0; e < structure.n_sources; ++e) row_of[structure.equations[e].source] = e;
  graph::IndexLists rows;
  for (const Index e : row_of) {
    for (const Index v : structure.incidence[e])
      rows.items.push_back(structure.variables[v].unknown);
    rows.end_list();
  }
  return rows;
}

SingularParts singular_parts(Structure& structure) {
  // Most models need no differentiation, and then one matching answers both questions.
  match_highest(structure);
  const auto n_matched = static_cast<std::size_t>(
      std::ranges::count_if(structure.var_to_eq, [](Index e) { return e != none; }));
  if (structure.n_sources == structure.n_unknowns && n_matched == structure.n_unknowns) return {};
  const graph::BipartiteGraph graph(structure.n_unknowns, unknowns_by_source(structure));
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
