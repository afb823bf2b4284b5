// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Which unknowns are equal up to sign. In: pairs x = y or x = -y, as integers.
// Out: classes, each with a root and every member's sign against it. Union by size with path
// halving (Tarjan, J. ACM 22(2), 1975), so that chains of a million aliases cost a million steps.
#pragma once

#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

using graph::Index;

class AliasClasses {
 public:
  explicit AliasClasses(Index n_unknowns);

  struct Signed {
    Index root;
    bool negative;  // unknown = -root
  };

  Signed find(Index unknown);
  /// Joins the classes of two roots with a = b, or a = -b; returns the root that is one no longer.
  Index join(Index a, Index b, bool negative);
  Index size(Index root) const { return size_[root]; }

 private:
  std::vector<Index> parent_;   // [n_unknowns]
  std::vector<char> negative_;  // [n_unknowns]: against the parent
  std::vector<Index> size_;     // [n_unknowns], of roots
};

}  // namespace alembert::structure
