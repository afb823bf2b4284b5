// SPDX-License-Identifier: Apache-2.0
// Counts and incidence: F001, F002, F003, F014.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/findings.hpp"
#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::flat {

using symbolic::ExprPool;
using symbolic::Op;
using symbolic::Reach;
using symbolic::SymbolKind;

namespace {

using graph::Index;

/// Which unknowns are in which equations, those alone that are there with their highest derivative
/// if `highest_only`.
graph::BipartiteGraph incidence_of(const FlatSystem& system, bool highest_only) {
  const ExprPool& pool = *system.pool;
  std::unordered_map<ExprId, Index> unknown_of;  // looked up, never iterated
  for (Index j = 0; j < system.unknowns.size(); ++j)
    unknown_of.emplace(system.unknowns[j].symbol, j);
  struct Occurrence {
    Index equation, unknown, order;
  };
  std::vector<Occurrence> occurrences;
  std::vector<Index> highest(system.unknowns.size(), 0);
  for (Index e = 0; e < system.equations.size(); ++e) {
    const ExprId sides[] = {system.equations[e].left, system.equations[e].right};
    for (const ExprId symbol : symbolic::free_symbols(pool, sides)) {
      const symbolic::Symbol& data = pool.symbol_of(symbol);
      const auto unknown = unknown_of.find(data.order == 0 ? symbol : data.base);
      if (unknown == unknown_of.end()) continue;
      occurrences.push_back({e, unknown->second, data.order});
      highest[unknown->second] = std::max(highest[unknown->second], Index{data.order});
    }
  }
  graph::IndexLists rows;
  auto next = occurrences.begin();
  for (Index e = 0; e < system.equations.size(); ++e) {
    const auto first = static_cast<std::ptrdiff_t>(rows.items.size());
    for (; next != occurrences.end() && next->equation == e; ++next)
      if (!highest_only || next->order == highest[next->unknown])
        rows.items.push_back(next->unknown);
    std::sort(rows.items.begin() + first, rows.items.end());
    rows.items.erase(std::unique(rows.items.begin() + first, rows.items.end()), rows.items.end());
    rows.end_list();
  }
  return {static_cast<Index>(system.unknowns.size()), std::move(rows)};
}

/// The part of a system with too few equations that lacks them. States are taken as given where
/// that leaves something to do for every equation, which makes the part smaller.
graph::SystemPart lacking_part(const FlatSystem& system) {
  for (const bool highest_only : {true, false}) {
    const graph::BipartiteGraph graph = incidence_of(system, highest_only);
    const graph::Matching matching = graph::maximum_matching(graph);
    if (highest_only && matching.size < system.equations.size()) continue;
    return graph::dulmage_mendelsohn(graph, matching).under;
  }
  return {};
}

void check_counts(Findings& findings, const std::vector<const Unknown*>& unused) {
  const FlatSystem& system = findings.system;
  const std::size_t n_equations = system.equations.size();
  const std::size_t n_unknowns = system.unknowns.size();
  if (n_equations >= n_unknowns) {
    for (const Unknown* unknown : unused) {
      findings.add("F002",
                   fmt::format("unknown '{}' is in none of the {} of model '{}', so nothing "
                               "determines it. Use it in an equation or remove it.",
                               findings.name(unknown->symbol), counted(n_equations, "equation"),
                               system.name),
                   unknown->origin);
    }
  }
  // Of too many, some may say the same: that is for the structure to tell, which names those that
  // do not fit (S001, S004).
  if (n_equations >= n_unknowns) return;

  std::string text = fmt::format("model '{}' has {} for {}", system.name,
                                 counted(n_equations, "equation"), counted(n_unknowns, "unknown"));
  const std::size_t missing = n_unknowns - n_equations;
  std::vector<Note> notes;
  std::vector<std::string> names;
  for (const Unknown* unknown : unused) {
    names.push_back(located(findings.name(unknown->symbol), unknown->origin));
    constexpr std::size_t most_notes = 20;
    if (notes.size() < most_notes)
      notes.push_back(
          {fmt::format("'{}' is in no equation", findings.name(unknown->symbol)), unknown->origin});
  }
  if (unused.empty()) {
    const graph::SystemPart lacking = lacking_part(system);
    for (const Index j : lacking.unknowns)
      names.push_back(in_quotes(findings.name(system.unknowns[j].symbol)));
    const bool all = names.size() == n_unknowns;
    text += (all ? ", " : "; nothing determines all of ") + listed(names);
    constexpr std::size_t most_notes = 10;
    if (!all && lacking.equations.size() <= most_notes)
      for (const Index e : lacking.equations)
        notes.push_back({equation_text(system, system.equations[e]), system.equations[e].origin});
  } else {
    text += "; nothing determines " + listed(names);
  }
  text += fmt::format(". Add {}, or make {} {}.", counted(missing, "equation"),
                      counted(missing, "unknown"), missing == 1 ? "a parameter" : "parameters");
  findings.add("F001", std::move(text), system.origin, std::move(notes));
}

/// F014: one equation for each discrete variable.
void check_discrete_counts(Findings& findings) {
  const FlatSystem& system = findings.system;
  const std::size_t n_equations = system.discrete_equations.size();
  const std::size_t n_variables = system.discrete_variables.size();
  if (n_equations == n_variables) return;
  findings.add(
      "F014",
      fmt::format("model '{}' has {} for {} that change at events only. {}.", system.name,
                  counted(n_equations, "equation"), counted(n_variables, "variable"),
                  n_equations > n_variables ? "Remove what assigns a variable twice"
                                            : "Assign each of them in an equation or when-clause"),
      system.origin);
}

/// Terms of a side that hold an unknown, in canonical order.
std::vector<ExprId> varying_terms(const ExprPool& pool, ExprId side, const Reach& reach,
                                  const std::vector<char>& has_unknown) {
  std::vector<ExprId> terms;
  const auto keep = [&](ExprId term) {
    if (has_unknown[reach.index_of(term)]) terms.push_back(term);
  };
  if (pool.op(side) != Op::add)
    keep(side);
  else
    for (const ExprId term : pool.children(side)) keep(term);
  return terms;
}

void check_equation(Findings& findings, const Place& place, const Reach& reach,
                    const std::vector<char>& has_unknown) {
  const ExprPool& pool = findings.pool;
  const FlatEquation& equation = *place.equation;
  const auto left = varying_terms(pool, equation.left, reach, has_unknown);
  const auto right = varying_terms(pool, equation.right, reach, has_unknown);
  // Sums are canonical, so unknowns cancel exactly where both sides have the same varying terms.
  if (left != right) return;
  const std::string text = findings.describe(place);
  if (!left.empty()) {
    findings.add("F003",
                 fmt::format("the unknowns in {} cancel, so it determines nothing. Correct it or "
                             "remove it.",
                             text),
                 *place.origin);
    return;
  }
  std::vector<std::string> parameters;
  for (const ExprId symbol : symbolic::free_symbols(pool, place.roots))
    if (pool.symbol_of(symbol).kind == SymbolKind::parameter)
      parameters.push_back(in_quotes(pool.symbol_text(symbol)));
  std::string advice = "Remove it.";
  if (parameters.size() == 1)
    advice = fmt::format("Remove it, or make {} an unknown.", parameters.front());
  else if (parameters.size() > 1)
    advice = fmt::format("Remove it, or make one of {} an unknown.", listed(parameters));
  findings.add("F003",
               fmt::format("{} has no unknown in it, so it determines nothing. {}", text, advice),
               *place.origin);
}

/// An initial equation may give a discrete variable, or what it was before the start.
bool gives_discrete(const ExprPool& pool, const FlatEquation& equation) {
  const auto discrete = [&](ExprId side) {
    return pool.is_symbol(side) && pool.symbol_of(side).kind == SymbolKind::discrete;
  };
  return discrete(equation.left) || discrete(equation.right);
}

}  // namespace

void check_incidence(Findings& findings, const std::vector<Place>& places) {
  const ExprPool& pool = findings.pool;
  std::vector<ExprId> roots;
  for (const Place& place : places)
    if (place.equation != nullptr)
      roots.insert(roots.end(), place.roots.begin(), place.roots.end());
  const Reach reach(pool, roots);
  std::unordered_set<ExprId> solved_at_start;  // looked up, never iterated
  for (const Parameter& parameter : findings.system.parameters)
    if (parameter.solved_for) solved_at_start.insert(parameter.symbol);
  std::vector<char> has_unknown(reach.size(), 0);
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    has_unknown[i] = pool.is_symbol(node) && (pool.symbol_of(node).kind == SymbolKind::unknown ||
                                              solved_at_start.contains(node));
    for (const ExprId child : pool.children(node))
      has_unknown[i] |= has_unknown[reach.index_of(child)];
  }
  for (const Place& place : places) {
    if (place.equation == nullptr || place.kind == "discrete equation") continue;
    if (place.kind == "initial equation" && gives_discrete(pool, *place.equation)) continue;
    check_equation(findings, place, reach, has_unknown);
  }

  roots.clear();
  for (const FlatEquation& equation : findings.system.equations) {
    roots.push_back(equation.left);
    roots.push_back(equation.right);
  }
  std::unordered_set<ExprId> used;  // looked up, never iterated
  const Reach in_equations(pool, roots);
  for (const ExprId node : in_equations.nodes())
    if (pool.is_symbol(node)) used.insert(pool.symbol_of(node).base);
  std::vector<const Unknown*> unused;
  for (const Unknown& unknown : findings.system.unknowns)
    if (!used.contains(unknown.symbol)) unused.push_back(&unknown);
  check_counts(findings, unused);
  check_discrete_counts(findings);
}

}  // namespace alembert::flat
