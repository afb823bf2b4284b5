// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hidden_kinks.hpp"

#include <gtest/gtest.h>

#include "alembert/symbolic/parse.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert {
namespace {

using symbolic::ExprId;

class HiddenKinks : public testing::Test {
 protected:
  HiddenKinks() {
    pool.unknown("x");
    pool.unknown("y");
    pool.parameter("a");
    pool.parameter("b");
  }
  std::vector<std::string> kinks(std::string_view text) {
    const ExprId expression = symbolic::parse_id(pool, text);
    std::vector<std::string> found;
    for (const ExprId kink : structure::hidden_kinks(pool, std::span(&expression, 1), {}))
      found.push_back(symbolic::to_text(pool, kink));
    return found;
  }

  symbolic::ExprPool pool;
};

using Texts = std::vector<std::string>;

TEST_F(HiddenKinks, AreWhereSidesAreEqual) {
  EXPECT_EQ(kinks("noEvent(if x < y then x else 2*y)"), Texts{"x - y"});
  EXPECT_EQ(kinks("3*max(x, a)"), Texts{"a - x"});
  EXPECT_EQ(kinks("abs(x + y)^2"), Texts{"x + y"});
}

TEST_F(HiddenKinks, AreNoneInWhatDoesNotVary) {
  EXPECT_EQ(kinks("x*max(a, b) + abs(a)*y"), Texts{});
  EXPECT_EQ(kinks("sin(x)*y^2"), Texts{});
}

TEST_F(HiddenKinks, AreListedOnce) {
  EXPECT_EQ(kinks("abs(x)*y + noEvent(if x < 0 then y else 1)"), Texts{"x"});
}

}  // namespace
}  // namespace alembert
