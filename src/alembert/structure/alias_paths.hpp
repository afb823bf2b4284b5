// SPDX-License-Identifier: Apache-2.0
// Stage: structure, for messages. By which equations two names are one. In: the equations that say
// x = y or x = -y. Out: the shortest chain of them between two unknowns.
#pragma once

#include <span>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;

struct AliasEquation {
  Index one, other;  // unknowns
  Index equation;
};

class AliasPaths {
 public:
  AliasPaths(std::size_t n_unknowns, std::span<const AliasEquation> equations);

  /// Equations, from the end; none where the unknowns are not joined.
  std::vector<Index> between(Index from, Index to) const;

 private:
  struct Step {
    Index other;
    Index equation;
  };

  std::vector<std::vector<Step>> steps_;  // [n unknowns]
};

}  // namespace alembert::structure
