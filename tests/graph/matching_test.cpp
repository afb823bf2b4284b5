// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/matching.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "graph/random_graph.hpp"

namespace alembert::graph {
namespace {

void expect_valid(const BipartiteGraph& graph, const Matching& matching) {
  Index size = 0;
  for (Index e = 0; e < graph.n_equations(); ++e) {
    const Index v = matching.eq_to_var[e];
    if (v == none) continue;
    ++size;
    RC_ASSERT(graph.has_edge(e, v));
    RC_ASSERT(matching.var_to_eq[v] == e);
  }
  RC_ASSERT(size == matching.size);
  RC_ASSERT(static_cast<Index>(std::count_if(matching.var_to_eq.begin(), matching.var_to_eq.end(),
                                             [](Index e) { return e != none; })) == size);
}

// Most equations matched, over all subsets of at most 8 unknowns in use.
Index brute_force_size(const BipartiteGraph& graph) {
  const std::size_t n_sets = std::size_t{1} << graph.n_unknowns();
  std::vector<int> best(n_sets, -1);
  best[0] = 0;
  for (Index e = 0; e < graph.n_equations(); ++e) {
    std::vector<int> next = best;
    for (std::size_t used = 0; used < n_sets; ++used)
      for (Index v : graph.unknowns_of(e))
        if (best[used] >= 0 && !(used >> v & 1))
          next[used | std::size_t{1} << v] =
              std::max(next[used | std::size_t{1} << v], best[used] + 1);
    best = next;
  }
  return static_cast<Index>(*std::max_element(best.begin(), best.end()));
}

RC_GTEST_PROP(Matching, SizeEqualsBruteForce, ()) {
  const BipartiteGraph graph = *arbitrary_graph(8);
  const Matching matching = maximum_matching(graph);
  expect_valid(graph, matching);
  RC_ASSERT(matching.size == brute_force_size(graph));
}

RC_GTEST_PROP(Matching, StartDoesNotChangeTheSizeAndStaysMatched, ()) {
  const BipartiteGraph graph = *arbitrary_graph(8);
  const Matching empty(graph.n_equations(), graph.n_unknowns());
  const Matching start = karp_sipser_matching(graph);
  expect_valid(graph, start);
  const Matching from_empty = maximum_matching(graph, empty);
  const Matching from_start = maximum_matching(graph, start);
  expect_valid(graph, from_empty);
  expect_valid(graph, from_start);
  RC_ASSERT(from_empty.size == from_start.size);
  for (Index e = 0; e < graph.n_equations(); ++e)
    RC_ASSERT(start.eq_to_var[e] == none || from_start.eq_to_var[e] != none);
  for (Index v = 0; v < graph.n_unknowns(); ++v)
    RC_ASSERT(start.var_to_eq[v] == none || from_start.var_to_eq[v] != none);
}

TEST(Matching, FindsTheHiddenPerfectMatching) {
  const BipartiteGraph graph = solvable_graph(2000, 3, 1);
  const Matching matching = maximum_matching(graph);
  EXPECT_TRUE(matching.perfect());
  EXPECT_EQ(matching.eq_to_var, maximum_matching(graph).eq_to_var);  // same again
}

// A start that leaves one augmenting path through every vertex: recursion would need 200,000
// frames.
TEST(Matching, FollowsALongAugmentingPath) {
  const Index n = 200'000;
  std::vector<Edge> edges;
  Matching start(n, n);
  for (Index i = 0; i < n; ++i) {
    edges.push_back({i, i});
    if (i + 1 < n) {
      edges.push_back({i + 1, i});
      start.join(i + 1, i);
    }
  }
  EXPECT_TRUE(maximum_matching(BipartiteGraph(n, n, edges), start).perfect());
}

// Many equations compete for few unknowns: failing searches must share one phase, not take one
// each.
TEST(Matching, ManyUnmatchableEquationsCostNoMoreThanOnePass) {
  const Index n = 100'000, shared = 50;
  std::vector<Edge> edges;
  for (Index e = 0; e < n; ++e)
    for (Index k = 0; k < 3; ++k) edges.push_back({e, (e * 7 + k * 11) % shared});
  EXPECT_EQ(maximum_matching(BipartiteGraph(n, n, edges)).size, shared);
}

// An unknown that is in more equations than a byte counts loses them one by one, down to the last.
TEST(Matching, CountsTheNeighboursOfAHub) {
  for (const Index n_own : {200u, 251u, 252u, 253u, 254u, 255u, 256u, 600u}) {
    const Index hub = n_own, a = n_own + 1, b = n_own + 2;
    std::vector<Edge> edges;
    for (Index e = 0; e < n_own; ++e) {
      edges.push_back({e, e});
      edges.push_back({e, hub});
    }
    const Index last = n_own;  // the hub is matched to it, if it is seen to be a leaf in the end
    for (const Index unknown : {hub, a, b}) edges.push_back({last, unknown});
    for (const Index e : {last + 1, last + 2})
      for (const Index unknown : {a, b}) edges.push_back({e, unknown});
    const Matching start = karp_sipser_matching(BipartiteGraph(n_own + 3, n_own + 3, edges));
    EXPECT_TRUE(start.perfect()) << n_own;
    EXPECT_EQ(start.var_to_eq[hub], last) << n_own;
  }
}

}  // namespace
}  // namespace alembert::graph
