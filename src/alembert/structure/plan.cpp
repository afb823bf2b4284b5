// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/plan.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/disjoint_sets.hpp"
#include "alembert/structure/floating_network.hpp"
#include "alembert/structure/pantelides.hpp"
#include "alembert/structure/singular_parts.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

void state_selection_problem(StructuralPlan& plan) {
  const Structure& s = plan.structure;
  if (s.equations.size() == s.n_sources) return;  // nothing was differentiated
  const std::vector<Index> highest = highest_equations(s);
  for (Index e = 0; e < s.n_sources; ++e) {
    const Index source = s.equations[e].source;
    if (plan.differentiations[source] == 0) continue;
    plan.selection_rows.push_back(source);
    for (const Index v : s.incidence[highest[source]])
      if (s.is_highest(v) && s.variables[v].order > 0)
        plan.selection_incidence.items.push_back(s.variables[v].unknown);
    plan.selection_incidence.end_list();
  }
}

/// A part of the smaller system in the user's terms: with the unknowns that were eliminated in
/// favour of its own, and the equations that said so. It lacks, or has too many, as before.
graph::SystemPart as_given(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                           const graph::SystemPart& part) {
  graph::SystemPart result;
  std::vector<char> is_of_part(given.unknowns.size(), 0);
  symbolic::NodeIndex kept(*given.pool);
  for (const Index j : part.unknowns) {
    is_of_part[simplified.kept_unknowns[j]] = 1;
    kept.set(simplified.flat.unknowns[j].symbol, j);
  }
  for (const EliminatedUnknown& eliminated : simplified.eliminated) {
    if (eliminated.constant) continue;
    const bool negative = !given.pool->is_symbol(eliminated.value);
    if (kept.contains(negative ? given.pool->neg(eliminated.value) : eliminated.value))
      is_of_part[eliminated.unknown] = 1;
  }
  symbolic::NodeIndex unknown_of(*given.pool);
  for (Index j = 0; j < given.unknowns.size(); ++j) {
    unknown_of.set(given.unknowns[j].symbol, j);
    if (is_of_part[j]) result.unknowns.push_back(j);
  }
  std::vector<char> is_taken(given.equations.size(), 0);  // or an equation of another kind
  for (const Index e : simplified.kept_equations) is_taken[e] = 1;
  for (const RedundantEquation& redundant : simplified.redundant) is_taken[redundant.equation] = 1;
  for (const Index e : part.equations) result.equations.push_back(simplified.kept_equations[e]);
  for (Index e = 0; e < given.equations.size(); ++e) {
    if (is_taken[e]) continue;
    const ExprId sides[] = {given.equations[e].left, given.equations[e].right};
    const auto symbols = symbolic::free_symbols(*given.pool, sides);
    const auto is_other = [&](ExprId symbol) {
      const ExprId base = given.pool->symbol_of(symbol).base;
      return !base.valid() || !unknown_of.contains(base) || !is_of_part[unknown_of[base]];
    };
    if (!symbols.empty() && std::ranges::none_of(symbols, is_other)) result.equations.push_back(e);
  }
  std::ranges::sort(result.equations);
  return result;
}

}  // namespace

StructuralPlan make_plan(const flat::FlatSystem& flat) {
  Structure structure = extract_structure(flat);
  require_structurally_regular(flat, structure);
  return make_plan(std::move(structure));
}

StructuralPlan make_plan(const flat::FlatSystem& given, const SimplifiedSystem& simplified) {
  Structure structure = extract_structure(simplified.flat, simplified.residuals);
  require_regular(given, simplified, structure);
  return make_plan(std::move(structure));
}

void require_regular(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                     Structure& structure) {
  SingularParts parts = singular_parts(structure);
  if (parts.empty()) return;
  std::vector<Diagnostic> floating;
  std::erase_if(parts.under, [&](const graph::SystemPart& part) {
    auto found = floating_networks(given, simplified, part);
    if (found) std::ranges::move(*found, std::back_inserter(floating));
    return found.has_value();
  });
  for (auto* list : {&parts.over, &parts.under})
    for (graph::SystemPart& part : *list) part = as_given(given, simplified, part);
  std::vector<Diagnostic> diagnostics = singular_findings(given, parts);
  if (floating.empty()) {
    Structure as_given = extract_structure(given);
    require_structurally_regular(given, as_given);
    // Only what was taken out as redundant made it singular, so it belongs to the reason.
    for (const RedundantEquation& redundant : simplified.redundant) {
      const flat::FlatEquation& equation = given.equations[redundant.equation];
      diagnostics.front().notes.push_back(
          {flat::equation_text(given, equation) + " says nothing that others do not say already",
           equation.origin});
    }
  }
  std::ranges::move(floating, std::back_inserter(diagnostics));
  throw Error(std::move(diagnostics));
}

void cut_into_parts(StructuralPlan& plan) {
  plan.selection_parts.clear();
  if (plan.selection_rows.empty()) return;
  graph::DisjointSets connected(static_cast<Index>(plan.highest_order.size()));  // unknowns
  const auto n_rows = static_cast<Index>(plan.selection_rows.size());
  for (Index r = 0; r < n_rows; ++r)
    for (const Index j : plan.selection_incidence[r])
      connected.unite(plan.selection_incidence[r][0], j);

  std::vector<Index> part_of_root(connected.size(), none);
  for (Index r = 0; r < n_rows; ++r) {
    Index& part = part_of_root[connected.find(plan.selection_incidence[r][0])];
    if (part == none) {
      part = static_cast<Index>(plan.selection_parts.size());
      plan.selection_parts.emplace_back();
    }
    plan.selection_parts[part].rows.push_back(r);
  }
  for (const Variable& variable : plan.structure.variables) {
    if (variable.order > 0) continue;
    const Index part = part_of_root[connected.find(variable.unknown)];
    if (part != none) plan.selection_parts[part].unknowns.push_back(variable.unknown);
  }
  for (SelectionPart& part : plan.selection_parts)
    std::stable_sort(part.unknowns.begin(), part.unknowns.end(), [&](Index a, Index b) {
      return plan.highest_order[a] > plan.highest_order[b];
    });
}

StructuralPlan make_plan(Structure regular) {
  StructuralPlan plan;
  plan.structure = std::move(regular);
  pantelides(plan.structure);
  const Structure& s = plan.structure;

  plan.differentiations.assign(s.n_sources, 0);
  for (const Equation& equation : std::span(s.equations).subspan(s.n_sources))  // others: 0
    plan.differentiations[equation.source] =
        std::max(plan.differentiations[equation.source], equation.order);
  plan.highest_order.assign(s.n_unknowns, 0);
  for (const Variable& variable : s.variables)
    plan.highest_order[variable.unknown] =
        std::max(plan.highest_order[variable.unknown], variable.order);

  state_selection_problem(plan);
  cut_into_parts(plan);

  if (s.n_unknowns == 0) return plan;
  const auto& c = plan.differentiations;
  const auto& d = plan.highest_order;
  plan.structural_index =
      *std::max_element(c.begin(), c.end()) + (*std::min_element(d.begin(), d.end()) == 0 ? 1 : 0);
  plan.degrees_of_freedom =
      std::accumulate(d.begin(), d.end(), Index{0}) - std::accumulate(c.begin(), c.end(), Index{0});
  return plan;
}

}  // namespace alembert::structure
