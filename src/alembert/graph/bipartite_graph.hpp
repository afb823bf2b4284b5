// SPDX-License-Identifier: Apache-2.0
// Stage: graph. The sparse incidence of equations (rows) and unknowns (columns), integers only.
// In: an edge list or row lists, in any order, duplicates allowed. Out: both directions in
// compressed rows, neighbours sorted and unique, so that every algorithm on it is deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace alembert::graph {

using Index = std::uint32_t;

/// "No partner", "not there": the one index that never names a vertex.
inline constexpr Index none = std::numeric_limits<Index>::max();

struct Edge {
  Index equation;
  Index unknown;

  friend bool operator==(const Edge&, const Edge&) = default;
};

/// Lists of indices of differing lengths, stored end to end: list i is items[begin[i] ..
/// begin[i+1]).
struct IndexLists {
  std::vector<Index> begin = {0};  // [n_lists + 1]
  std::vector<Index> items;

  Index size() const { return static_cast<Index>(begin.size() - 1); }
  std::span<const Index> operator[](Index i) const {
    return {items.data() + begin[i], items.data() + begin[i + 1]};
  }
  /// Ends the list that the items pushed since the last call belong to.
  void end_list() { begin.push_back(static_cast<Index>(items.size())); }
};

class BipartiteGraph {
 public:
  BipartiteGraph() = default;
  BipartiteGraph(Index n_equations, Index n_unknowns, std::span<const Edge> edges);
  /// From the unknowns of each equation; cheaper than edges when the rows are at hand.
  BipartiteGraph(Index n_unknowns, IndexLists unknowns_of_equations);

  Index n_equations() const { return rows_.size(); }
  Index n_unknowns() const { return columns_.size(); }
  std::size_t n_edges() const { return rows_.items.size(); }

  std::span<const Index> unknowns_of(Index equation) const { return rows_[equation]; }
  std::span<const Index> equations_of(Index unknown) const { return columns_[unknown]; }
  const IndexLists& unknowns() const { return rows_; }      // of each equation
  const IndexLists& equations() const { return columns_; }  // of each unknown
  bool has_edge(Index equation, Index unknown) const;

 private:
  IndexLists rows_;     // equation -> unknowns
  IndexLists columns_;  // unknown -> equations
};

}  // namespace alembert::graph
