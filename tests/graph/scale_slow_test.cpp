// SPDX-License-Identifier: Apache-2.0
// Every pass of graph must stay near-linear: the cost at 10 n is held against ten times the cost at
// n.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "alembert/graph/column_colouring.hpp"
#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "graph/random_graph.hpp"

namespace alembert::graph {
namespace {

struct Cost {
  double build = 0, karp_sipser = 0, augment = 0, tarjan = 0, parts = 0, colouring = 0;
  double structural() const { return karp_sipser + augment + tarjan; }
};

template <class F>
auto timed(double& seconds, F f) {
  const auto begin = std::chrono::steady_clock::now();
  auto result = f();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

Cost measure(Index n) {
  Cost cost;
  const BipartiteGraph graph = timed(cost.build, [&] { return solvable_graph(n, 3, 7); });
  Matching start = timed(cost.karp_sipser, [&] { return karp_sipser_matching(graph); });
  const Index from_start = start.size;
  const Matching matching =
      timed(cost.augment, [&] { return maximum_matching(graph, std::move(start)); });
  const auto blocks = timed(cost.tarjan, [&] { return strong_components(graph, matching); });
  const auto parts = timed(cost.parts, [&] { return dulmage_mendelsohn(graph, matching); });
  const auto colouring = timed(cost.colouring, [&] { return column_colouring(graph); });
  EXPECT_TRUE(matching.perfect());
  EXPECT_TRUE(parts.over.empty() && parts.under.empty());
  std::printf(
      "n %8u  edges %8zu  build %.3f s  Karp-Sipser %.3f s (%.2f %%)  augment %.3f s  Tarjan %.3f "
      "s "
      "(%u blocks)  parts %.3f s  colouring %.3f s (%u)\n",
      n, graph.n_edges(), cost.build, cost.karp_sipser, 100.0 * from_start / n, cost.augment,
      cost.tarjan, blocks.size(), cost.parts, cost.colouring, colouring.n_colours);
  return cost;
}

TEST(GraphAtScale, AMillionEquationsTakeSeconds) {
  // Quadratic cost would be hours; what is asked for here holds on a busy machine too. Growth is
  // measured by benchmarks/micro/graph_scaling.
  EXPECT_LT(measure(1'000'000).structural(), 60.0);
}

}  // namespace
}  // namespace alembert::graph
