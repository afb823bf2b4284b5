// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/pantelides.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "alembert/graph/matching.hpp"
#include "structure/random_structure.hpp"

namespace alembert::structure {
namespace {

/// Highest versions of the equations over highest derivatives.
graph::BipartiteGraph top_graph(const Structure& s) {
  graph::IndexLists rows;
  for (const Index e : highest_equations(s)) {
    for (const Index v : s.incidence[e])
      if (s.is_highest(v)) rows.items.push_back(s.variables[v].unknown);
    rows.end_list();
  }
  return {s.n_unknowns, std::move(rows)};
}

/// x, y, lambda; two accelerations and the circle.
const Signature pendulum = {{{0, 0}, 2}, {{0, 2}, 0}, {{1, 1}, 2},
                            {{1, 2}, 0}, {{2, 0}, 0}, {{2, 1}, 0}};

TEST(Pantelides, DifferentiatesThePendulumsConstraintTwice) {
  Structure s = structure_of(3, 3, pendulum);
  // x, x', x'', y, y', y'', lambda.
  ASSERT_EQ(s.variables.size(), 7u);
  pantelides(s);
  EXPECT_EQ(s.variables.size(), 7u);
  ASSERT_EQ(s.equations.size(), 5u);
  EXPECT_EQ(s.equations[2].derivative, 3u);
  EXPECT_EQ(s.equations[3].derivative, 4u);
  EXPECT_EQ(s.equations[4].source, 2u);
  EXPECT_EQ(s.equations[4].order, 2u);
  const auto row = [&](Index e) {
    return std::vector<Index>(s.incidence[e].begin(), s.incidence[e].end());
  };
  EXPECT_EQ(row(2), (std::vector<Index>{0, 3}));
  EXPECT_EQ(row(3), (std::vector<Index>{0, 1, 3, 4}));
  EXPECT_EQ(row(4), (std::vector<Index>{0, 1, 2, 3, 4, 5}));
}

TEST(Pantelides, DoesNothingToWhatIsReadyToSolve) {
  Structure s = structure_of(2, 2, {{{0, 0}, 1}, {{0, 1}, 0}, {{1, 1}, 0}});
  pantelides(s);
  EXPECT_EQ(s.equations.size(), 2u);
  EXPECT_EQ(s.variables.size(), 3u);
}

TEST(Pantelides, HighestVersionsCanBeMatchedAndChainsHaveNoGap) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    const RandomShape shape{1 + Index(random() % 12), Index(random() % 4), Index(random() % 4)};
    Structure s = structure_of(shape.n, shape.n, random_regular_signature(shape, random));
    pantelides(s);
    ASSERT_TRUE(graph::maximum_matching(top_graph(s)).perfect());
    // The matching that later passes go on from: each highest derivative with an equation of its
    // own, in its highest version, and nothing else.
    std::vector<char> taken(s.equations.size(), 0);
    for (Index v = 0; v < s.variables.size(); ++v) {
      const Index e = s.var_to_eq[v];
      ASSERT_EQ(e != none, s.is_highest(v));
      if (e == none) continue;
      ASSERT_EQ(s.equations[e].derivative, none);
      ASSERT_TRUE(std::ranges::binary_search(s.incidence[e], v));
      ASSERT_FALSE(taken[e]);
      taken[e] = 1;
    }
    ASSERT_EQ(s.incidence.size(), s.equations.size());
    for (const Variable& variable : s.variables)
      if (variable.derivative != none) {
        ASSERT_EQ(s.variables[variable.derivative].unknown, variable.unknown);
        ASSERT_EQ(s.variables[variable.derivative].order, variable.order + 1);
      }
    // A derivative contains what its equation contains, and the derivatives of that.
    for (Index e = 0; e < s.equations.size(); ++e) {
      const auto row = s.incidence[e];
      ASSERT_TRUE(std::is_sorted(row.begin(), row.end()));
      if (s.equations[e].derivative == none) continue;
      const auto next = s.incidence[s.equations[e].derivative];
      for (const Index v : row) {
        ASSERT_TRUE(std::binary_search(next.begin(), next.end(), v));
        ASSERT_TRUE(std::binary_search(next.begin(), next.end(), s.variables[v].derivative));
      }
    }
  }
}

/// One search through 200,000 equations, which recursion would not survive: equation i holds
/// x_i and x_(i+1) as derivatives, the last a constraint on x_0.
TEST(Pantelides, FollowsALongPath) {
  constexpr Index n = 200'000;
  Signature sigma;
  for (Index i = 0; i + 1 < n; ++i) sigma[{i, i}] = sigma[{i, i + 1}] = 1;
  sigma[{n - 1, 0}] = 0;
  Structure s = structure_of(n, n, sigma);
  pantelides(s);
  EXPECT_EQ(s.equations.size(), n + 1);
}

/// Offsets that differ from one equation to the next: x_0 = f, x_(i+1) = der(x_i).
TEST(Pantelides, DifferentiatesAChainOfDerivatives) {
  constexpr Index n = 60;
  Signature sigma = {{{0, 0}, 0}};
  for (Index i = 1; i < n; ++i) sigma[{i, i}] = 0, sigma[{i, i - 1}] = 1;
  Structure s = structure_of(n, n, sigma);
  pantelides(s);
  for (Index i = 0; i < n; ++i)
    EXPECT_EQ(s.equations[highest_equations(s)[i]].order, n - 1 - i) << "equation " << i;
}

}  // namespace
}  // namespace alembert::structure
