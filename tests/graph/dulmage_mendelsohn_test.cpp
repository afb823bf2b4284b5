// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/dulmage_mendelsohn.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "alembert/base/error.hpp"
#include "graph/random_graph.hpp"

namespace alembert::graph {
namespace {

using Indices = std::vector<Index>;

TEST(DulmageMendelsohn, NamesAllThreeParts) {
  // Equations 0 and 1 both fix unknown 0; equation 2 fixes 1; equation 3 relates 2 and 3.
  const std::vector<Edge> edges = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {3, 3}};
  const BipartiteGraph graph(4, 4, edges);
  const DulmageMendelsohn parts = dulmage_mendelsohn(graph, maximum_matching(graph));
  EXPECT_EQ(parts.over.equations, (Indices{0, 1}));
  EXPECT_EQ(parts.over.unknowns, (Indices{0}));
  EXPECT_EQ(parts.well.equations, (Indices{2}));
  EXPECT_EQ(parts.well.unknowns, (Indices{1}));
  EXPECT_EQ(parts.under.equations, (Indices{3}));
  EXPECT_EQ(parts.under.unknowns, (Indices{2, 3}));
}

TEST(DulmageMendelsohn, RefusesAMatchingThatIsNotMaximum) {
  const std::vector<Edge> edges = {{0, 0}};
  EXPECT_THROW(dulmage_mendelsohn(BipartiteGraph(1, 1, edges), Matching(1, 1)), InternalError);
}

RC_GTEST_PROP(DulmageMendelsohn, PartsHaveTheRightShapeAndCoupling, ()) {
  const BipartiteGraph graph = *arbitrary_graph(9);
  const Matching matching = maximum_matching(graph);
  const DulmageMendelsohn parts = dulmage_mendelsohn(graph, matching);

  const Index free_equations = graph.n_equations() - matching.size;
  const Index free_unknowns = graph.n_unknowns() - matching.size;
  RC_ASSERT(parts.over.equations.size() == parts.over.unknowns.size() + free_equations);
  RC_ASSERT(parts.well.equations.size() == parts.well.unknowns.size());
  RC_ASSERT(parts.under.unknowns.size() == parts.under.equations.size() + free_unknowns);
  RC_ASSERT(parts.over.equations.size() + parts.well.equations.size() +
                parts.under.equations.size() ==
            graph.n_equations());

  // Block triangular: over needs only over, well needs no unknown of under.
  const auto contains = [](const Indices& list, Index i) {
    return std::binary_search(list.begin(), list.end(), i);
  };
  for (const Edge& edge : edges_of(graph)) {
    if (contains(parts.over.equations, edge.equation))
      RC_ASSERT(contains(parts.over.unknowns, edge.unknown));
    if (contains(parts.well.equations, edge.equation))
      RC_ASSERT(!contains(parts.under.unknowns, edge.unknown));
  }
}

RC_GTEST_PROP(DulmageMendelsohn, DoesNotDependOnTheMatching, ()) {
  const BipartiteGraph graph = *arbitrary_graph(9);
  const auto a = dulmage_mendelsohn(graph, maximum_matching(graph));
  const auto b = dulmage_mendelsohn(
      graph, maximum_matching(graph, Matching(graph.n_equations(), graph.n_unknowns())));
  RC_ASSERT(a.over.equations == b.over.equations && a.over.unknowns == b.over.unknowns);
  RC_ASSERT(a.under.equations == b.under.equations && a.under.unknowns == b.under.unknowns);
}

}  // namespace
}  // namespace alembert::graph
