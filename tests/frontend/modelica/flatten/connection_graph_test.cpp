// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/connection_graph.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace alembert::modelica {
namespace {

using Kind = ConnectionGraphFault::Kind;

int count(const std::vector<char>& flags) { return std::accumulate(flags.begin(), flags.end(), 0); }

TEST(ConnectionGraph, ATreeKeepsItsConnections) {
  const SpanningForest forest = span_connection_graph(
      {.n_nodes = 4, .branches = {{0, 1}, {2, 3}}, .connections = {{1, 2}}, .roots = {0}});
  EXPECT_FALSE(forest.fault);
  EXPECT_EQ(count(forest.broken), 0);
  EXPECT_EQ(forest.distance, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(ConnectionGraph, ALoopLosesOneConnection) {
  const SpanningForest forest =
      span_connection_graph({.n_nodes = 4,
                             .branches = {{0, 1}, {2, 3}},
                             .connections = {{0, 2}, {1, 3}},
                             .potential_roots = {{.node = 3, .priority = 1}, {.node = 1}}});
  EXPECT_FALSE(forest.fault);
  EXPECT_EQ(forest.broken, (std::vector<char>{0, 1}));
  EXPECT_EQ(forest.is_root, (std::vector<char>{0, 1, 0, 0}));  // the lower priority number
  EXPECT_EQ(forest.distance, (std::vector<std::uint32_t>{1, 0, 2, 3}));
}

TEST(ConnectionGraph, TwoRootsAreKeptApart) {
  const SpanningForest forest =
      span_connection_graph({.n_nodes = 3, .connections = {{0, 1}, {1, 2}}, .roots = {0, 2}});
  EXPECT_FALSE(forest.fault);
  EXPECT_EQ(forest.broken, (std::vector<char>{0, 1}));
  EXPECT_EQ(forest.distance, (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(ConnectionGraph, APotentialRootYieldsToARoot) {
  const SpanningForest forest = span_connection_graph(
      {.n_nodes = 2, .connections = {{0, 1}}, .roots = {1}, .potential_roots = {{.node = 0}}});
  EXPECT_EQ(forest.is_root, (std::vector<char>{0, 1}));
}

TEST(ConnectionGraph, EachTreeHasARoot) {
  const SpanningForest forest = span_connection_graph(
      {.n_nodes = 4,
       .connections = {{0, 1}, {2, 3}},
       .potential_roots = {{.node = 0}, {.node = 1}, {.node = 2}, {.node = 3}}});
  EXPECT_EQ(forest.is_root, (std::vector<char>{1, 0, 1, 0}));
}

TEST(ConnectionGraph, FaultsAreNamed) {
  const auto loop =
      span_connection_graph({.n_nodes = 2, .branches = {{0, 1}, {1, 0}}, .roots = {0}});
  ASSERT_TRUE(loop.fault);
  EXPECT_EQ(loop.fault->kind, Kind::branch_loop);
  EXPECT_EQ(loop.fault->index, 1u);
  const auto roots = span_connection_graph({.n_nodes = 2, .branches = {{0, 1}}, .roots = {0, 1}});
  ASSERT_TRUE(roots.fault);
  EXPECT_EQ(roots.fault->kind, Kind::two_roots);
  const auto none = span_connection_graph({.n_nodes = 2, .connections = {{0, 1}}});
  ASSERT_TRUE(none.fault);
  EXPECT_EQ(none.fault->kind, Kind::no_root);
}

}  // namespace
}  // namespace alembert::modelica
