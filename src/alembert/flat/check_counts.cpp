// SPDX-License-Identifier: Apache-2.0
// Counts and incidence: F001, F002, F003, F014.
#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/findings.hpp"
#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/symbolic/node_walk.hpp"
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

bool is_open_input(const Unknown& unknown) { return unknown.origin.derived_from == open_input; }

/// "Connect the input 'a.u' to an output, or give it a value": what to do about missing equations.
std::string advice_for_missing(const Findings& findings, std::size_t missing,
                               std::span<const Unknown* const> lacking) {
  std::vector<std::string> inputs;
  for (const Unknown* unknown : lacking)
    if (is_open_input(*unknown)) inputs.push_back(in_quotes(findings.name(unknown->symbol)));
  const auto equations = [](std::size_t n) {
    return fmt::format("{}, or make {} {}", counted(n, "equation"), counted(n, "unknown"),
                       n == 1 ? "a parameter" : "parameters");
  };
  if (inputs.empty()) return fmt::format("Add {}.", equations(missing));
  const std::string connect = fmt::format(
      "Connect {} {} to {}, or give {}", inputs.size() == 1 ? "the input" : "the inputs",
      listed(inputs), inputs.size() == 1 ? "an output" : "outputs",
      inputs.size() == 1 ? "it a value" : "them values");
  if (inputs.size() >= missing) return connect + ".";
  return fmt::format("{}; then add {}.", connect, equations(missing - inputs.size()));
}

/// What to do about an unknown that no equation has.
std::string advice_for_unused(const Findings& findings, const Unknown& unknown) {
  const std::string& name = findings.name(unknown.symbol);
  if (is_open_input(unknown))
    return "It is an input that nothing is connected to: connect it to an output, or give it a "
           "value.";
  if (unknown.origin.derived_from == open_potential)
    return fmt::format("Nothing is connected to {}: connect it.",
                       in_quotes(name.substr(0, name.rfind('.'))));
  return "Use it in an equation or remove it.";
}

/// Where an unknown has no equation though there are enough, others have too many: which.
struct Surplus {
  explicit Surplus(const Findings& findings) {
    const FlatSystem& system = findings.system;
    const graph::BipartiteGraph graph = incidence_of(system, /*highest_only=*/false);
    const graph::SystemPart over =
        graph::dulmage_mendelsohn(graph, graph::maximum_matching(graph)).over;
    constexpr std::size_t most = 10;
    if (over.unknowns.empty()) return;  // equations without any unknown: F003 tells them
    if (over.equations.size() <= over.unknowns.size() || over.equations.size() > most) return;
    std::vector<std::string> names;
    for (const Index j : over.unknowns)
      names.push_back(in_quotes(findings.name(system.unknowns[j].symbol)));
    text = fmt::format(", while {} are about {} alone", counted(over.equations.size(), "equation"),
                       listed(names));
    for (const Index e : over.equations)
      notes.push_back({equation_text(system, system.equations[e]), system.equations[e].origin});
  }

  std::string text;
  std::vector<Note> notes;
};

void check_counts(Findings& findings, const std::vector<const Unknown*>& unused) {
  const FlatSystem& system = findings.system;
  const std::size_t n_equations = system.equations.size();
  const std::size_t n_unknowns = system.unknowns.size();
  if (n_equations >= n_unknowns && !unused.empty()) {
    const Surplus surplus(findings);
    for (const Unknown* unknown : unused) {
      const bool is_users = unknown->origin.derived_from.empty();
      findings.add(
          "F002",
          fmt::format("unknown '{}' is {} of model '{}', so nothing determines it{}. {}",
                      findings.name(unknown->symbol),
                      n_equations == 1 ? "not in the one equation"
                                       : "in none of the " + counted(n_equations, "equation"),
                      system.name, surplus.text,
                      is_users && !surplus.text.empty()
                          ? "Use it in one of those, or remove it with one of them."
                          : advice_for_unused(findings, *unknown)),
          unknown->origin, surplus.notes);
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
  std::vector<const Unknown*> lacking_unknowns = unused;
  for (const Unknown* unknown : unused) {
    names.push_back(located(findings.name(unknown->symbol), unknown->origin));
    constexpr std::size_t most_notes = 20;
    if (notes.size() < most_notes)
      notes.push_back(
          {fmt::format("'{}' is in no equation", findings.name(unknown->symbol)), unknown->origin});
  }
  if (unused.empty()) {
    const graph::SystemPart lacking = lacking_part(system);
    for (const Index j : lacking.unknowns) {
      lacking_unknowns.push_back(&system.unknowns[j]);
      names.push_back(in_quotes(findings.name(system.unknowns[j].symbol)));
    }
    const bool all = names.size() == n_unknowns;
    text += (all ? ", " : "; nothing determines all of ") + listed(names);
    constexpr std::size_t most_notes = 10;
    if (!all && lacking.equations.size() <= most_notes)
      for (const Index e : lacking.equations)
        notes.push_back({equation_text(system, system.equations[e]), system.equations[e].origin});
  } else {
    if (unused.size() < missing)
      for (const Index j : lacking_part(system).unknowns)
        if (is_open_input(system.unknowns[j]) &&
            std::ranges::find(unused, &system.unknowns[j]) == unused.end()) {
          lacking_unknowns.push_back(&system.unknowns[j]);
          names.push_back(in_quotes(findings.name(system.unknowns[j].symbol)));
        }
    text += "; nothing determines " + listed(names);
  }
  text += ". " + advice_for_missing(findings, missing, lacking_unknowns);
  findings.add("F001", std::move(text), system.origin, std::move(notes));
}

/// The variable that a side of a discrete equation gives, as it is or negated; none if it gives
/// none.
ExprId given_discrete(const ExprPool& pool, ExprId side) {
  if (!pool.is_symbol(side) && pool.op(side) != Op::add) return {};
  const auto symbols = symbolic::free_symbols(pool, side);  // 1 - v negates a truth value
  const bool gives = symbols.size() == 1 &&
                     pool.symbol_of(symbols[0]).kind == SymbolKind::discrete &&
                     !pool.symbol_of(symbols[0]).previous_of.valid();
  return gives ? symbols[0] : ExprId{};
}

/// A variable that a front end made for a call, such as when(...), initial() or integer(...), and
/// gave an equation of its own.
bool stands_for_call(const ExprPool& pool, ExprId symbol) {
  return pool.symbol_of(symbol).name.find('(') != std::string::npos;
}

/// The equation; of one that a front end made from a when-clause only what it gives, as nobody
/// wrote the rest of it.
std::string assignment_text(const FlatSystem& system, const DiscreteEquation& equation) {
  const ExprPool& pool = *system.pool;
  const ExprId sides[] = {equation.left, equation.right};
  for (const ExprId symbol : symbolic::free_symbols(pool, sides))
    if (stands_for_call(pool, symbol))
      for (const ExprId side : sides)
        if (const ExprId given = given_discrete(pool, side); given.valid())
          return "an assignment of " + in_quotes(pool.symbol_text(given));
  return equation_text(system, equation);
}

/// F014: one equation for each discrete variable.
void check_discrete_counts(Findings& findings, std::size_t n_without_variables) {
  const FlatSystem& system = findings.system;
  const std::size_t n_equations = system.discrete_equations.size() - n_without_variables;
  const std::size_t n_variables = system.discrete_variables.size();
  if (n_equations == n_variables) return;
  std::unordered_map<ExprId, Index> variable_of;  // looked up, never iterated
  for (Index j = 0; j < n_variables; ++j)
    variable_of.emplace(system.discrete_variables[j].symbol, j);
  graph::IndexLists rows;
  for (const DiscreteEquation& equation : system.discrete_equations) {
    for (const ExprId side : {equation.left, equation.right})
      if (const auto found = variable_of.find(given_discrete(findings.pool, side));
          found != variable_of.end() &&
          (rows.items.size() == rows.begin.back() || rows.items.back() != found->second))
        rows.items.push_back(found->second);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(static_cast<Index>(n_variables), std::move(rows));
  const auto parts = graph::dulmage_mendelsohn(graph, graph::maximum_matching(graph));
  const bool too_many = n_equations > n_variables;
  std::vector<std::string> names;
  for (const Index j : too_many ? parts.over.unknowns : parts.under.unknowns)
    names.push_back(in_quotes(findings.name(system.discrete_variables[j].symbol)));
  std::vector<Note> notes;
  constexpr std::size_t most_notes = 10;
  if (too_many)
    for (const Index e : parts.over.equations)
      if (notes.size() < most_notes)
        notes.push_back({assignment_text(system, system.discrete_equations[e]),
                         system.discrete_equations[e].origin});
  const auto n_made = static_cast<std::size_t>(
      std::ranges::count_if(system.discrete_variables, [&](const DiscreteVariable& variable) {
        return stands_for_call(findings.pool, variable.symbol);
      }));
  std::string text = fmt::format("model '{}' has {} for {} that change at events only", system.name,
                                 counted(n_equations - n_made, "equation"),
                                 counted(n_variables - n_made, "variable"));
  if (!names.empty())
    text += (too_many ? "; more than one gives " : "; none gives ") + listed(names);
  text += too_many ? ". Remove what assigns a variable twice."
                   : ". Assign each variable in an equation or when-clause, or connect it.";
  findings.add("F014", std::move(text), system.origin, std::move(notes));
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

bool has_discrete(const ExprPool& pool, const Place& place) {
  return symbolic::any_symbol(pool, place.roots, [&](ExprId symbol) {
    return pool.symbol_of(symbol).kind == SymbolKind::discrete;
  });
}

/// Parameters to be solved for, and those that are defined by them. Looked up, never iterated.
std::unordered_set<ExprId> found_at_start(const FlatSystem& system) {
  std::unordered_set<ExprId> found;
  for (const Parameter& parameter : system.parameters)
    if (parameter.solved_for) found.insert(parameter.symbol);
  for (std::size_t n_before = 0; n_before != found.size();) {
    n_before = found.size();
    for (const Parameter& parameter : system.parameters) {
      if (!parameter.value.valid() || found.contains(parameter.symbol)) continue;
      const auto symbols = symbolic::free_symbols(*system.pool, parameter.value);
      if (std::ranges::any_of(symbols, [&](ExprId symbol) { return found.contains(symbol); }))
        found.insert(parameter.symbol);
    }
  }
  return found;
}

}  // namespace

void check_incidence(Findings& findings, const std::vector<Place>& places) {
  const ExprPool& pool = findings.pool;
  std::vector<ExprId> roots;
  for (const Place& place : places)
    if (place.equation != nullptr)
      roots.insert(roots.end(), place.roots.begin(), place.roots.end());
  const Reach reach(pool, roots);
  const std::unordered_set<ExprId> solved_at_start = found_at_start(findings.system);
  std::vector<char> has_unknown(reach.size(), 0);
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    has_unknown[i] = pool.is_symbol(node) && (pool.symbol_of(node).kind == SymbolKind::unknown ||
                                              solved_at_start.contains(node));
    for (const ExprId child : pool.children(node))
      has_unknown[i] |= has_unknown[reach.index_of(child)];
  }
  std::size_t n_without_variables = 0;  // of discrete equations
  for (const Place& place : places) {
    if (place.equation == nullptr) continue;
    if (place.kind == "discrete equation") {
      if (has_discrete(pool, place)) continue;
      ++n_without_variables;
    }
    // It may give a discrete variable, or what that was before the start.
    if (place.kind == "initial equation" && has_discrete(pool, place)) continue;
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
  check_discrete_counts(findings, n_without_variables);
}

}  // namespace alembert::flat
