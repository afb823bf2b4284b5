// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/narrow_choices.hpp"

#include <algorithm>

#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/one_by_one.hpp"

namespace alembert::structure {

namespace {

/// The block of each equation, by source, in the order in which highest derivatives are solved for.
std::vector<Index> blocks_of_highest(const Structure& s) {
  const std::vector<Index> highest = highest_equations(s);
  graph::IndexLists needed;  // sources that give the other highest derivatives of each
  for (Index source = 0; source < s.n_sources; ++source) {
    for (const Index v : s.incidence[highest[source]])
      if (const Index by = s.var_to_eq[v]; by != none && by != highest[source])
        needed.items.push_back(s.equations[by].source);
    needed.end_list();
  }
  const graph::StrongComponents components = graph::strong_components(needed);
  std::vector<Index> block_of(s.n_sources);
  for (Index c = 0; c < components.size(); ++c)
    for (const Index source : components[c]) block_of[source] = c;
  return block_of;
}

/// [n sources]: equations that were differentiated more often than what they give. Others can have
/// that for a dummy on each of their levels. A function that tells its own derivative may tell of
/// more than it depends on.
std::vector<char> give_too_little(const StructuralPlan& plan) {
  const Structure& s = plan.structure;
  std::vector<char> result(s.n_sources, 0);
  for (Index v = 0; v < s.variables.size(); ++v)
    if (const Index by = s.var_to_eq[v]; by != none && s.variables[v].order < s.equations[by].order)
      result[s.equations[by].source] = 1;
  return result;
}

std::vector<symbolic::ExprId> at_places(std::span<const symbolic::ExprId> jacobian,
                                        std::span<const Index> places) {
  std::vector<symbolic::ExprId> result;
  result.reserve(places.size());
  for (const Index k : places) result.push_back(jacobian[k]);
  return result;
}

}  // namespace

std::vector<Index> narrow_to_blocks(StructuralPlan& plan, std::span<const char> stays) {
  const Structure& s = plan.structure;
  const std::vector<Index> block_of = blocks_of_highest(s);
  const std::vector<Index> highest = highest_variables(s);
  graph::IndexLists narrow;
  std::vector<Index> places;
  for (Index r = 0; r < plan.selection_rows.size(); ++r) {
    const Index block = block_of[plan.selection_rows[r]];
    for (Index k = plan.selection_incidence.begin[r]; k < plan.selection_incidence.begin[r + 1];
         ++k) {
      const Index j = plan.selection_incidence.items[k];
      if (!stays[r] && block_of[s.equations[s.var_to_eq[highest[j]]].source] != block) continue;
      narrow.items.push_back(j);
      places.push_back(k);
    }
    narrow.end_list();
  }
  plan.selection_incidence = std::move(narrow);
  cut_into_parts(plan);
  return places;
}

void narrow_choices(const flat::FlatSystem& flat, StructuralPlan& plan,
                    std::vector<symbolic::ExprId>& jacobian) {
  std::vector<char> stays(plan.selection_rows.size(), 0);
  if (stays.empty()) return;
  const std::vector<char> too_little = give_too_little(plan);
  for (const SelectionPart& part : plan.selection_parts)
    if (std::ranges::any_of(part.unknowns,
                            [&](Index j) { return flat.unknowns[j].state_priority != 0; }) ||
        std::ranges::any_of(part.rows, [&](Index r) { return too_little[plan.selection_rows[r]]; }))
      for (const Index r : part.rows) stays[r] = 1;
  if (std::ranges::find(stays, 0) == stays.end()) return;

  const graph::IndexLists wide = plan.selection_incidence;
  const std::vector<SelectionPart> wide_parts = plan.selection_parts;
  std::vector<Index> places = narrow_to_blocks(plan, stays);
  if (places.size() == wide.items.size()) return;

  std::vector<symbolic::ExprId> entries = at_places(jacobian, places);
  Chart all{std::vector<Index>(plan.highest_order.size(), 0)};
  for (const SelectionPart& part : plan.selection_parts)
    if (part.unknowns.size() == part.rows.size())
      for (const Index j : part.unknowns) all.n_dummies[j] = 1;
  OneByOne one_by_one(flat, plan, all, entries);
  std::vector<char> unsafe(stays.size(), 0);
  for (const SelectionPart& part : plan.selection_parts)
    if (part.unknowns.size() == part.rows.size() && !one_by_one.can_be_found(part, 1))
      for (const Index r : part.rows) unsafe[r] = 1;
  bool any = false;
  for (const SelectionPart& part : wide_parts) {
    if (std::ranges::none_of(part.rows, [&](Index r) { return unsafe[r] && !stays[r]; })) continue;
    for (const Index r : part.rows) stays[r] = 1;
    any = true;
  }
  if (any) {
    plan.selection_incidence = wide;
    entries = at_places(jacobian, narrow_to_blocks(plan, stays));
  }
  jacobian = std::move(entries);
}

}  // namespace alembert::structure
