// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/node_walk.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "alembert/symbolic/expr.hpp"

namespace alembert::symbolic {
namespace {

class NodeWalk : public ::testing::Test {
 protected:
  ExprPool pool;
  ExprId x = pool.unknown("x"), y = pool.unknown("y"), z = pool.unknown("z");
  ExprId product = pool.mul(x, y);
  ExprId root = pool.add(pool.apply(Op::sin, product), pool.apply(Op::cos, z));
};

TEST_F(NodeWalk, MeetsEachNodeOnceInAllWalks) {
  NodeWalks walks(pool);
  std::vector<ExprId> met;
  const auto visit = [&](ExprId node) {
    met.push_back(node);
    return Walk::down;
  };
  EXPECT_TRUE(walks.walk(product, visit));
  EXPECT_EQ(met.size(), 3u);
  EXPECT_TRUE(walks.walk(root, visit));
  EXPECT_TRUE(walks.walk(root, visit));
  const Reach all(pool, root);
  std::sort(met.begin(), met.end());
  EXPECT_EQ(met, std::vector<ExprId>(all.nodes().begin(), all.nodes().end()));
}

TEST_F(NodeWalk, LeavesOutWhatLiesBelow) {
  NodeWalks walks(pool);
  bool met_x = false;
  EXPECT_TRUE(walks.walk(root, [&](ExprId node) {
    met_x |= node == x;
    return node == product ? Walk::past : Walk::down;
  }));
  EXPECT_FALSE(met_x);
}

TEST_F(NodeWalk, EndsAtTheFirstAnswer) {
  int n_asked = 0;
  const auto is_any = [&](ExprId) {
    ++n_asked;
    return true;
  };
  EXPECT_TRUE(any_symbol(pool, std::span(&root, 1), is_any));
  EXPECT_EQ(n_asked, 1);
  EXPECT_TRUE(any_symbol(pool, std::span(&root, 1), [&](ExprId node) { return node == z; }));
  EXPECT_FALSE(any_symbol(pool, std::span(&product, 1), [&](ExprId node) { return node == z; }));
}

}  // namespace
}  // namespace alembert::symbolic
