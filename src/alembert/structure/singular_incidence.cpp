// SPDX-License-Identifier: Apache-2.0
#include <span>

#include "alembert/flat/short_text.hpp"
#include "alembert/structure/simplify.hpp"
#include "alembert/structure/singular_parts.hpp"

namespace alembert::structure {

namespace {

std::string equation_name(const flat::FlatSystem& flat, Index equation) {
  return flat::short_text(flat, flat.equations[equation]);
}

/// 0 .. n-1, the chosen ones first.
struct Order {
  explicit Order(std::size_t n) : position(n, none) {}

  void take(std::span<const Index> items) {
    for (const Index i : items) take(i);
  }
  void take_rest() {
    for (Index i = 0; i < position.size(); ++i) take(i);
  }
  void take(Index i) {
    if (position[i] != none) return;
    position[i] = static_cast<Index>(items.size());
    items.push_back(i);
  }

  std::vector<Index> position;  // [n]
  std::vector<Index> items;     // in order
};

SingularIncidence incidence_of(const flat::FlatSystem& flat) {
  Structure s = extract_structure(flat);
  const SingularParts parts = singular_parts(s);
  Order rows(s.n_sources);
  Order columns(s.n_unknowns);
  for (const auto* group : {&parts.over, &parts.under})
    for (const graph::SystemPart& part : *group) {
      rows.take(part.equations);
      columns.take(part.unknowns);
    }
  SingularIncidence result;
  result.n_equations_at_fault = static_cast<Index>(rows.items.size());
  result.n_unknowns_at_fault = static_cast<Index>(columns.items.size());
  rows.take_rest();
  columns.take_rest();
  std::vector<Index> row_of(s.n_sources);
  for (Index e = 0; e < s.n_sources; ++e) row_of[s.equations[e].source] = e;
  for (const Index e : rows.items) {
    result.equations.push_back(equation_name(flat, e));
    Index last = none;
    for (const Index v : s.incidence[row_of[e]]) {
      const Index column = columns.position[s.variables[v].unknown];
      if (column != last) result.entries.items.push_back(column);  // a chain is one unknown here
      last = column;
    }
    result.entries.end_list();
  }
  for (const Index j : columns.items)
    result.unknowns.push_back(flat.pool->symbol_text(flat.unknowns[j].symbol));
  return result;
}

}  // namespace

SingularIncidence singular_incidence(const flat::FlatSystem& flat) {
  try {
    return incidence_of(simplify_system(flat).flat);
  } catch (const Error&) {
    return incidence_of(flat);
  }
}

}  // namespace alembert::structure
