// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/bipartite_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "alembert/base/error.hpp"
#include "graph/random_graph.hpp"

namespace alembert::graph {
namespace {

TEST(BipartiteGraph, SortsAndDropsDuplicates) {
  const std::vector<Edge> edges = {{1, 2}, {0, 1}, {1, 0}, {1, 2}, {1, 2}};
  const BipartiteGraph graph(3, 3, edges);
  EXPECT_EQ(graph.n_edges(), 3u);
  EXPECT_EQ(edges_of(graph), (std::vector<Edge>{{0, 1}, {1, 0}, {1, 2}}));
  EXPECT_TRUE(graph.unknowns_of(2).empty());
  EXPECT_TRUE(graph.has_edge(1, 2));
  EXPECT_FALSE(graph.has_edge(2, 2));
}

TEST(BipartiteGraph, EmptySidesAreGraphsToo) {
  EXPECT_EQ(BipartiteGraph().n_equations(), 0u);
  EXPECT_EQ(BipartiteGraph(0, 4, {}).n_unknowns(), 4u);
  EXPECT_EQ(BipartiteGraph(4, 0, {}).n_equations(), 4u);
}

TEST(BipartiteGraph, AnEdgeOutsideTheGraphIsOurMistake) {
  const std::vector<Edge> bad_equation = {{2, 0}}, bad_unknown = {{0, 2}};
  EXPECT_THROW(BipartiteGraph(2, 2, bad_equation), InternalError);
  EXPECT_THROW(BipartiteGraph(2, 2, bad_unknown), InternalError);
}

RC_GTEST_PROP(BipartiteGraph, BothDirectionsHoldTheSameEdges, ()) {
  const auto sides = *rc::gen::pair(rc::gen::inRange<Index>(1, 9), rc::gen::inRange<Index>(1, 9));
  const auto pairs = *rc::gen::container<std::vector<std::pair<Index, Index>>>(rc::gen::pair(
      rc::gen::inRange<Index>(0, sides.first), rc::gen::inRange<Index>(0, sides.second)));
  std::vector<Edge> edges;
  for (auto [e, v] : pairs) edges.push_back({e, v});
  const BipartiteGraph graph(sides.first, sides.second, edges);

  const std::set<std::pair<Index, Index>> expected(pairs.begin(), pairs.end());
  std::vector<std::pair<Index, Index>> by_row, by_column;
  for (Index e = 0; e < graph.n_equations(); ++e)
    for (Index v : graph.unknowns_of(e)) by_row.emplace_back(e, v);
  for (Index v = 0; v < graph.n_unknowns(); ++v) {
    const auto column = graph.equations_of(v);
    RC_ASSERT(std::is_sorted(column.begin(), column.end()));
    for (Index e : column) by_column.emplace_back(e, v);
  }
  std::sort(by_column.begin(), by_column.end());
  RC_ASSERT(by_row == std::vector(expected.begin(), expected.end()));
  RC_ASSERT(by_column == by_row);
}

}  // namespace
}  // namespace alembert::graph
