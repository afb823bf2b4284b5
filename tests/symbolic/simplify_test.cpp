// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/simplify.hpp"

#include <gtest/gtest.h>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::symbolic {
namespace {

class Simplify : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr x = unknown(pool, "x");
  Expr y = unknown(pool, "y");
  Expr a = parameter(pool, "a");
};

TEST_F(Simplify, sines_and_cosines) {
  EXPECT_TRUE(same(simplify(pow(sin(x), 2) + pow(cos(x), 2)), 1));
  EXPECT_TRUE(same(simplify(a * pow(sin(x), 2) + a * pow(cos(x), 2) + y), a + y));
  EXPECT_TRUE(same(simplify(3 * pow(sin(x + y), 2) + 3 * pow(cos(x + y), 2)), 3));
  EXPECT_TRUE(same(simplify(pow(cosh(x), 2) - pow(sinh(x), 2)), 1));
  EXPECT_TRUE(same(simplify(a * pow(sinh(x), 2) - a * pow(cosh(x), 2)), -a));
  const Expr left = pow(sin(x), 2) + pow(cos(y), 2);
  EXPECT_TRUE(same(simplify(left), left));
  const Expr plus = pow(cosh(x), 2) + pow(sinh(x), 2);
  EXPECT_TRUE(same(simplify(plus), plus));
  // The speed of a pendulum's bob.
  const Expr vx = der(a * sin(x));
  const Expr vy = der(-a * cos(x));
  EXPECT_TRUE(same(simplify(vx * vx + vy * vy), pow(a, 2) * pow(der(x), 2)));
  // A double pendulum: the products of both angles stay, the squares go.
  const Expr wx = vx + der(sin(y));
  const Expr wy = vy + der(-cos(y));
  EXPECT_LT(operation_count(pool, simplify(wx * wx + wy * wy).id()),
            operation_count(pool, expand(wx * wx + wy * wy).id()));
}

TEST_F(Simplify, roots_of_even_powers) {
  EXPECT_TRUE(same(simplify(sqrt(pow(x, 2))), abs(x)));
  EXPECT_TRUE(same(simplify(sqrt(pow(x, 4))), pow(x, 2)));
  EXPECT_TRUE(same(simplify(pow(abs(x), 2)), pow(x, 2)));
  EXPECT_FALSE(same(simplify(sqrt(pow(x, 3))), pow(x, rational(pool, 3, 2))));
}

TEST_F(Simplify, choices_on_one_condition) {
  const Condition c = x < y;
  EXPECT_TRUE(same(simplify(if_(c, if_(c, x, y), a)), if_(c, x, a)));
  EXPECT_TRUE(same(simplify(if_(c, x, if_(c, y, a))), if_(c, x, a)));
}

TEST_F(Simplify, products_open_where_that_cancels) {
  EXPECT_TRUE(same(simplify((x + y) * (x - y) - x * x + y * y), 0));
  EXPECT_TRUE(same(simplify(pow(x + 1, 2) - 2 * x - 1), pow(x, 2)));
  const Expr closed = pow(x + y, 3);
  EXPECT_TRUE(same(simplify(closed), closed));
}

TEST_F(Simplify, expand) {
  EXPECT_TRUE(same(expand(pow(x + y, 2)), pow(x, 2) + 2 * x * y + pow(y, 2)));
  EXPECT_TRUE(same(expand((x + 1) * (x + 2) * (x + 3)), pow(x, 3) + 6 * pow(x, 2) + 11 * x + 6));
  EXPECT_TRUE(same(expand(sin((x + y) * a)), sin(a * x + a * y)));
  // Too large a result is left alone.
  Expr large = 1;
  for (int i = 0; i < 12; ++i)
    large *= unknown(pool, "u" + std::to_string(i)) + unknown(pool, "v" + std::to_string(i));
  EXPECT_TRUE(same(expand(large), large));
  EXPECT_FALSE(same(expand(large, 5000), large));
  EXPECT_TRUE(same(expand(Expr(2)), 2));
  EXPECT_TRUE(same(expand(pow(x + y, 1000)), pow(x + y, 1000)));
}

}  // namespace
}  // namespace alembert::symbolic
