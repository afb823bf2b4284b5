// SPDX-License-Identifier: Apache-2.0
// Stage: graph. A maximum matching of equations and unknowns: which equation is solved for which
// unknown. In: a BipartiteGraph. Out: partners in both directions. Karp and Sipser (1981) for the
// start, then Pothen and Fan (1990) with the look-ahead of Duff's MC21 and the fairness of Duff,
// Kaya and Ucar (ACM TOMS 38(2), 2011). Iterative, deterministic, near-linear in practice.
#pragma once

#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::graph {

struct Matching {
  std::vector<Index> eq_to_var;  // [n_equations], `none` where unmatched
  std::vector<Index> var_to_eq;  // [n_unknowns], `none` where unmatched
  Index size = 0;

  Matching() = default;
  Matching(Index n_equations, Index n_unknowns)
      : eq_to_var(n_equations, none), var_to_eq(n_unknowns, none) {}

  /// Every equation and every unknown has a partner.
  bool perfect() const { return size == eq_to_var.size() && size == var_to_eq.size(); }
  /// Makes the two partners; both must be free.
  void join(Index equation, Index unknown) {
    eq_to_var[equation] = unknown;
    var_to_eq[unknown] = equation;
    ++size;
  }
};

/// A maximal matching, in most sparse systems within a few per cent of the maximum; linear time.
Matching karp_sipser_matching(const BipartiteGraph& graph);

/// A maximum matching. The second form starts from a valid matching, whose vertices all stay
/// matched.
Matching maximum_matching(const BipartiteGraph& graph);
Matching maximum_matching(const BipartiteGraph& graph, Matching start);

}  // namespace alembert::graph
