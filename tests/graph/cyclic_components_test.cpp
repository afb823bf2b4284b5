// SPDX-License-Identifier: Apache-2.0
// Second route: Tarjan's search of the whole graph.
#include "alembert/graph/cyclic_components.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <set>

namespace alembert::graph {
namespace {

using Sets = std::set<std::vector<Index>>;

Sets of_more_than_one(const StrongComponents& components) {
  Sets sets;
  for (Index c = 0; c < components.size(); ++c)
    if (components[c].size() > 1) sets.emplace(components[c].begin(), components[c].end());
  return sets;
}

/// Edges lead mostly one way, as those of a system that is written in order do; `share` of them do
/// not.
IndexLists nearly_ordered(Index n, double degree, double share, bool descending, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  IndexLists lists;
  for (Index v = 0; v < n; ++v) {
    const int n_edges = std::poisson_distribution<int>(degree)(random);
    for (int k = 0; k < n_edges && n > 1; ++k) {
      const Index low = static_cast<Index>(uniform(random) * v);
      const Index high = static_cast<Index>(v + uniform(random) * (n - v));
      const Index w = (uniform(random) < share) == descending ? low : high;
      if (w != v && w < n) lists.items.push_back(w);
    }
    lists.end_list();
  }
  return lists;
}

TEST(CyclicComponents, AreThoseOfTarjansSearch) {
  for (unsigned seed = 0; seed < 2000; ++seed)
    for (const bool descending : {false, true}) {
      const Index n = 1 + seed % 60;
      const double share = seed % 5 == 0 ? 0.5 : 0.02 * (seed % 5);
      const IndexLists graph = nearly_ordered(n, 0.3 + 0.1 * (seed % 30), share, descending, seed);
      const StrongComponents found = cyclic_components(graph);
      ASSERT_EQ(of_more_than_one(found), of_more_than_one(strong_components(graph))) << seed;
      for (Index c = 0; c < found.size(); ++c) EXPECT_GT(found[c].size(), 1u);
    }
}

TEST(CyclicComponents, OfNothingAndOfOneLoop) {
  EXPECT_EQ(cyclic_components({}).size(), 0u);
  IndexLists ring;
  const Index n = 100000;
  for (Index v = 0; v < n; ++v) {
    ring.items.push_back((v + 1) % n);
    ring.end_list();
  }
  const StrongComponents found = cyclic_components(ring);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].size(), n);
}

}  // namespace
}  // namespace alembert::graph
