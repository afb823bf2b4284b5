// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/dulmage_mendelsohn.hpp"

#include "alembert/base/error.hpp"

namespace alembert::graph {

DulmageMendelsohn dulmage_mendelsohn(const BipartiteGraph& graph, const Matching& maximum) {
  const Index n_eq = graph.n_equations(), n_var = graph.n_unknowns();
  ensure(maximum.eq_to_var.size() == n_eq && maximum.var_to_eq.size() == n_var,
         "the matching belongs to another graph");
  enum class Part : std::uint8_t { well, over, under };
  std::vector<Part> eq_part(n_eq, Part::well), var_part(n_var, Part::well);
  std::vector<Index> queue;

  // Over-determined: all that alternating paths reach from an unmatched equation.
  for (Index e = 0; e < n_eq; ++e)
    if (maximum.eq_to_var[e] == none) {
      eq_part[e] = Part::over;
      queue.push_back(e);
    }
  while (!queue.empty()) {
    const Index e = queue.back();
    queue.pop_back();
    for (Index v : graph.unknowns_of(e)) {
      if (var_part[v] == Part::over) continue;
      var_part[v] = Part::over;
      const Index owner = maximum.var_to_eq[v];
      ensure(owner != none, "the matching has an augmenting path: it is not maximum");
      if (eq_part[owner] == Part::over) continue;
      eq_part[owner] = Part::over;
      queue.push_back(owner);
    }
  }

  // Under-determined: all that alternating paths reach from an unmatched unknown.
  for (Index v = 0; v < n_var; ++v)
    if (maximum.var_to_eq[v] == none) {
      var_part[v] = Part::under;
      queue.push_back(v);
    }
  while (!queue.empty()) {
    const Index v = queue.back();
    queue.pop_back();
    for (Index e : graph.equations_of(v)) {
      if (eq_part[e] == Part::under) continue;
      eq_part[e] = Part::under;
      const Index owned = maximum.eq_to_var[e];
      ensure(owned != none, "the matching has an augmenting path: it is not maximum");
      if (var_part[owned] == Part::under) continue;
      var_part[owned] = Part::under;
      queue.push_back(owned);
    }
  }

  DulmageMendelsohn result;
  const auto part = [&](Part p) -> SystemPart& {
    return p == Part::well ? result.well : p == Part::over ? result.over : result.under;
  };
  for (Index e = 0; e < n_eq; ++e) part(eq_part[e]).equations.push_back(e);
  for (Index v = 0; v < n_var; ++v) part(var_part[v]).unknowns.push_back(v);
  return result;
}

}  // namespace alembert::graph
