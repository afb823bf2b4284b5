// SPDX-License-Identifier: Apache-2.0
// Tests of graph: generators of bipartite graphs, small ones for properties and large ones for
// timing.
#pragma once

#include <rapidcheck.h>

#include <random>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::graph {

/// Any graph with up to `max_side` equations and unknowns; edges may repeat.
inline rc::Gen<BipartiteGraph> arbitrary_graph(Index max_side) {
  return rc::gen::mapcat(
      rc::gen::pair(rc::gen::inRange<Index>(1, max_side + 1),
                    rc::gen::inRange<Index>(1, max_side + 1)),
      [](std::pair<Index, Index> sides) {
        const auto edge = rc::gen::construct<Edge>(rc::gen::inRange<Index>(0, sides.first),
                                                   rc::gen::inRange<Index>(0, sides.second));
        return rc::gen::map(rc::gen::container<std::vector<Edge>>(edge),
                            [sides](const std::vector<Edge>& edges) {
                              return BipartiteGraph(sides.first, sides.second, edges);
                            });
      });
}

/// n equations and unknowns with a hidden perfect matching and `extra` more entries a row.
inline BipartiteGraph solvable_graph(Index n, Index extra, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Index> hidden(n);
  for (Index i = 0; i < n; ++i) hidden[i] = i;
  for (Index i = n; i-- > 1;) std::swap(hidden[i], hidden[random() % (i + 1)]);
  IndexLists rows;
  rows.items.reserve(std::size_t{n} * (extra + 1));
  for (Index e = 0; e < n; ++e) {
    rows.items.push_back(hidden[e]);
    for (Index k = 0; k < extra; ++k) rows.items.push_back(random() % n);
    rows.end_list();
  }
  return BipartiteGraph(n, std::move(rows));
}

inline std::vector<Edge> edges_of(const BipartiteGraph& graph) {
  std::vector<Edge> edges;
  for (Index e = 0; e < graph.n_equations(); ++e)
    for (Index v : graph.unknowns_of(e)) edges.push_back({e, v});
  return edges;
}

}  // namespace alembert::graph

namespace rc {
inline void showValue(const alembert::graph::BipartiteGraph& graph, std::ostream& out) {
  out << graph.n_equations() << "x" << graph.n_unknowns() << ":";
  for (const auto& edge : alembert::graph::edges_of(graph))
    out << " (" << edge.equation << "," << edge.unknown << ")";
}
}  // namespace rc
