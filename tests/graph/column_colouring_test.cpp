// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/column_colouring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "graph/random_graph.hpp"

namespace alembert::graph {
namespace {

constexpr ColouringOrder all_orders[] = {ColouringOrder::best, ColouringOrder::natural,
                                         ColouringOrder::largest_first,
                                         ColouringOrder::smallest_last};

BipartiteGraph band(Index n, Index half_width) {
  std::vector<Edge> edges;
  for (Index i = 0; i < n; ++i)
    for (Index j = i < half_width ? 0 : i - half_width; j < std::min(n, i + half_width + 1); ++j)
      edges.push_back({i, j});
  return BipartiteGraph(n, n, edges);
}

RC_GTEST_PROP(ColumnColouring, EachRowSeesDistinctColours, ()) {
  const BipartiteGraph pattern = *arbitrary_graph(12);
  Index fewest = none;
  for (ColouringOrder order : all_orders) {
    const Colouring colouring = column_colouring(pattern, {.order = order});
    for (Index row = 0; row < pattern.n_equations(); ++row) {
      std::set<Index> colours;
      for (Index column : pattern.unknowns_of(row)) colours.insert(colouring.colour[column]);
      RC_ASSERT(colours.size() == pattern.unknowns_of(row).size());
    }
    const std::set<Index> used(colouring.colour.begin(), colouring.colour.end());
    RC_ASSERT(used.size() == colouring.n_colours && *used.rbegin() == colouring.n_colours - 1);
    fewest = std::min(fewest, colouring.n_colours);
  }
  RC_ASSERT(column_colouring(pattern).n_colours == fewest);
}

TEST(ColumnColouring, IsOptimalWhereTheOptimumIsKnown) {
  EXPECT_EQ(column_colouring(band(1000, 1)).n_colours, 3u);
  EXPECT_EQ(column_colouring(band(1000, 4)).n_colours, 9u);
  EXPECT_EQ(column_colouring(band(20, 20)).n_colours, 20u);             // dense
  EXPECT_EQ(column_colouring(BipartiteGraph(0, 5, {})).n_colours, 1u);  // nothing conflicts
  EXPECT_EQ(column_colouring(BipartiteGraph(5, 0, {})).n_colours, 0u);
}

// An arrow: a dense first column meets every row, the rest is diagonal. Two colours are enough.
TEST(ColumnColouring, ADenseColumnCostsOneColour) {
  std::vector<Edge> edges;
  for (Index i = 0; i < 1000; ++i) {
    edges.push_back({i, i});
    edges.push_back({i, 999});
  }
  for (ColouringOrder order : all_orders)
    EXPECT_EQ(column_colouring(BipartiteGraph(1000, 1000, edges), {.order = order}).n_colours, 2u);
}

}  // namespace
}  // namespace alembert::graph
