// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Tearing: of the unknowns of a block, few that are iterated on, so that all
// others follow one after the other. In: which equation can be solved for which unknown, as
// integers, with the sizes of coefficients where they are known. Out: tears, the equations left for
// them, and the others in solve order. Greedy: what can be solved is solved; when nothing can, the
// unknown is torn that lets most equations be solved (after Elmqvist and Otter 1994 and Cellier and
// Kofman, Continuous System Simulation, 2006, ch. 7). Finding the fewest tears is NP-hard. Solving
// onwards from a tear multiplies its error; a bound on that factor ends a chain with a new tear, so
// that a long chain is solved by multiple shooting, not by one shot that rounding would spoil.
// O(entries log entries), deterministic.
#pragma once

#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;

struct TearingEntry {
  /// Size of the coefficient where it is a constant; 0: it varies, or the equation bends it, so
  /// that the equation cannot be solved for the unknown.
  double coefficient = 0;
  /// Of one that varies, how large it is somewhere; 0: not known.
  double typical = 0;
};

struct TearingProblem {
  graph::IndexLists unknowns;         // [n] of each equation
  std::vector<TearingEntry> entries;  // by unknowns.items

  Index size() const { return unknowns.size(); }
};

struct Tearing {
  struct Assignment {
    Index unknown;
    Index equation;

    friend bool operator==(const Assignment&, const Assignment&) = default;
  };

  std::vector<Index> tears;             // ascending
  std::vector<Index> residuals;         // equations, ascending, as many
  std::vector<Assignment> assignments;  // each needs tears and earlier ones only
};

struct TearingOptions {
  /// Bound on the factor by which an error of a tear, or of a coefficient's size, may grow.
  double growth_limit = 1e5;
};

Tearing tear(const TearingProblem& problem, const TearingOptions& options = {});

}  // namespace alembert::structure
