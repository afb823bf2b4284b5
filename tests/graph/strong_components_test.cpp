// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/strong_components.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "graph/random_graph.hpp"

namespace alembert::graph {
namespace {

std::vector<std::vector<Index>> as_lists(const StrongComponents& components) {
  std::vector<std::vector<Index>> lists;
  for (Index i = 0; i < components.size(); ++i)
    lists.emplace_back(components[i].begin(), components[i].end());
  return lists;
}

IndexLists lists_from(const std::vector<std::vector<Index>>& rows) {
  IndexLists lists;
  for (const auto& row : rows) {
    lists.items.insert(lists.items.end(), row.begin(), row.end());
    lists.end_list();
  }
  return lists;
}

std::vector<Index> component_of_vertex(const StrongComponents& components) {
  std::vector<Index> component(components.items.size(), none);
  for (Index i = 0; i < components.size(); ++i)
    for (Index v : components[i]) component[v] = i;
  return component;
}

TEST(StrongComponents, WhatIsNeededComesFirst) {
  // 0 needs 1; 1 and 2 need each other; 3 needs 0; 4 stands alone.
  const auto found = as_lists(strong_components(lists_from({{1}, {2}, {1}, {0}, {}})));
  EXPECT_EQ(found, (std::vector<std::vector<Index>>{{1, 2}, {0}, {3}, {4}}));
}

TEST(StrongComponents, SurvivesALongChain) {
  const Index n = 500'000;
  IndexLists chain;
  for (Index i = 0; i < n; ++i) {
    if (i + 1 < n) chain.items.push_back(i + 1);
    chain.end_list();
  }
  const StrongComponents components = strong_components(chain);
  ASSERT_EQ(components.size(), n);
  EXPECT_EQ(components[0][0], n - 1);
  EXPECT_EQ(components[n - 1][0], 0u);
}

RC_GTEST_PROP(StrongComponents, AgreeWithMutualReachability, ()) {
  const Index n = *rc::gen::inRange<Index>(1, 9);
  const auto rows = *rc::gen::container<std::vector<std::vector<Index>>>(
      n, rc::gen::container<std::vector<Index>>(rc::gen::inRange<Index>(0, n)));
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (Index i = 0; i < n; ++i) {
    reach[i][i] = true;
    for (Index j : rows[i]) reach[i][j] = true;
  }
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (reach[i][k] && reach[k][j]) reach[i][j] = true;

  const StrongComponents components = strong_components(lists_from(rows));
  RC_ASSERT(components.items.size() == n);
  const std::vector<Index> component = component_of_vertex(components);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      RC_ASSERT((component[i] == component[j]) == (reach[i][j] && reach[j][i]));
      if (reach[i][j]) RC_ASSERT(component[j] <= component[i]);
    }
}

RC_GTEST_PROP(StrongComponents, BlockOrderIsBlockTriangular, ()) {
  const BipartiteGraph graph = *arbitrary_graph(10);
  const Matching matching = maximum_matching(graph);
  const StrongComponents blocks = strong_components(graph, matching);
  std::vector<Index> all = blocks.items;
  std::sort(all.begin(), all.end());
  RC_ASSERT(all.size() == graph.n_equations());
  for (Index e = 0; e < all.size(); ++e) RC_ASSERT(all[e] == e);

  const std::vector<Index> block = component_of_vertex(blocks);
  for (const Edge& edge : edges_of(graph))
    if (const Index owner = matching.var_to_eq[edge.unknown]; owner != none)
      RC_ASSERT(block[owner] <= block[edge.equation]);
}

// Which perfect matching was found does not matter: the blocks are the same sets.
RC_GTEST_PROP(StrongComponents, BlocksDoNotDependOnTheMatching, ()) {
  const Index n = *rc::gen::inRange<Index>(1, 40);
  const BipartiteGraph graph = solvable_graph(n, 1, *rc::gen::arbitrary<std::uint32_t>());
  const Matching a = maximum_matching(graph);
  const Matching b = maximum_matching(graph, Matching(n, n));
  RC_ASSERT(a.perfect() && b.perfect());
  auto blocks_a = as_lists(strong_components(graph, a)),
       blocks_b = as_lists(strong_components(graph, b));
  std::sort(blocks_a.begin(), blocks_a.end());
  std::sort(blocks_b.begin(), blocks_b.end());
  RC_ASSERT(blocks_a == blocks_b);
}

}  // namespace
}  // namespace alembert::graph
