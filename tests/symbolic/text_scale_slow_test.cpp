// SPDX-License-Identifier: Apache-2.0
// Text of a million terms, levels and choices: printed and read back in linear time, without
// recursion.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "alembert/symbolic/parse.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::symbolic {
namespace {

constexpr int million = 1'000'000;
// Generous for slow machines; anything quadratic in a million takes hours.
constexpr double ample_seconds = 60.0;

void expect_quick_round_trip(ExprPool& pool, ExprId id) {
  const auto start = std::chrono::steady_clock::now();
  const std::string text = to_text(pool, id);
  EXPECT_TRUE(parse_id(pool, text) == id);
  for (const Notation notation : {Notation::modelica, Notation::latex, Notation::c})
    EXPECT_GE(to_text(pool, id, notation).size(), static_cast<std::size_t>(million));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_LT(elapsed.count(), ample_seconds);
}

TEST(text_scale, a_sum_of_a_million_terms) {
  ExprPool pool;
  std::vector<ExprId> terms;
  for (int i = 0; i < million; ++i)
    terms.push_back(pool.mul(pool.integer(i - 500), pool.unknown("x" + std::to_string(i))));
  expect_quick_round_trip(pool, pool.add(terms));
}

TEST(text_scale, a_product_of_a_million_factors) {
  ExprPool pool;
  std::vector<ExprId> factors;
  for (int i = 0; i < million; ++i)
    factors.push_back(pool.pow(pool.unknown("x" + std::to_string(i)), i % 3 == 0 ? -1 : 1));
  expect_quick_round_trip(pool, pool.mul(factors));
}

TEST(text_scale, a_chain_a_million_deep) {
  ExprPool pool;
  const ExprId y = pool.unknown("y");
  ExprId x = pool.unknown("x");
  for (int i = 0; i < million; ++i) {
    const int way = i % 4;
    x = way == 0   ? pool.apply(Op::sin, x)
        : way == 1 ? pool.add(x, y)
        : way == 2 ? pool.div(y, x)
                   : pool.pow(x, y);
  }
  expect_quick_round_trip(pool, x);
}

TEST(text_scale, a_choice_among_a_million) {
  ExprPool pool;
  const ExprId x = pool.unknown("x");
  ExprId value = pool.integer(0);
  for (int i = 1; i <= million; ++i)
    value = pool.if_then_else(pool.apply(Op::less, x, pool.integer(i)), pool.integer(i), value);
  expect_quick_round_trip(pool, value);
}

TEST(text_scale, a_million_brackets) {
  ExprPool pool;
  const ExprId x = pool.unknown("x");
  EXPECT_EQ(parse_id(pool, std::string(million, '(') + "x" + std::string(million, ')')), x);
}

}  // namespace
}  // namespace alembert::symbolic
