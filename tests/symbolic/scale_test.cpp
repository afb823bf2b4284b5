// SPDX-License-Identifier: Apache-2.0
// Sizes at which anything quadratic would show, in pools whose memory stays linear.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/simplify.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::symbolic {
namespace {

std::vector<Expr> unknowns(ExprPool& pool, int n) {
  std::vector<Expr> x;
  for (int i = 0; i < n; ++i) x.push_back(unknown(pool, "x" + std::to_string(i)));
  return x;
}

std::vector<ExprId> ids(const std::vector<Expr>& expressions) {
  std::vector<ExprId> result;
  for (const Expr& e : expressions) result.push_back(e.id());
  return result;
}

constexpr int many = 30'000;

TEST(scale, sums_in_any_order_and_by_any_way_are_one) {
  ExprPool pool;
  std::vector<Expr> x = unknowns(pool, many);
  const ExprId whole = sum(x).id();
  std::shuffle(x.begin(), x.end(), std::mt19937(3));
  EXPECT_EQ(sum(x).id(), whole);
  Expr total = 0;
  for (const Expr& e : x) total += e;
  EXPECT_EQ(total.id(), whole);
  EXPECT_LT(pool.memory_bytes(), std::size_t{many} * 1000);
}

TEST(scale, running_totals_from_the_first) {
  ExprPool pool;
  std::vector<ExprId> totals;
  Expr total = 0;
  for (const Expr& e : unknowns(pool, many)) {
    total += e;
    totals.push_back(total.id());
  }
  EXPECT_LT(pool.memory_bytes(), std::size_t{many} * 3000);
  Values values;
  for (const Symbol& symbol : pool.symbols()) values[symbol.base] = 1.0;
  const std::vector<double> numbers = evaluate(pool, totals, values);
  for (int i = 0; i < many; ++i) ASSERT_EQ(numbers[i], i + 1.0);
}

TEST(scale, running_totals_from_the_last) {
  ExprPool pool;
  std::vector<Expr> totals;
  Expr total = 0;
  for (const Expr& e : unknowns(pool, many)) totals.push_back(total += e);
  std::vector<ExprId> looked_at(many);
  for (int i = many; i-- > 0;) looked_at[i] = totals[i].id();
  EXPECT_LT(pool.memory_bytes(), std::size_t{many} * 3000);
  Values values;
  for (const Symbol& symbol : pool.symbols()) values[symbol.base] = 1.0;
  const std::vector<double> numbers = evaluate(pool, looked_at, values);
  for (int i = 0; i < many; ++i) ASSERT_EQ(numbers[i], i + 1.0);
}

TEST(scale, one_long_sum_in_many_others) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, many);
  Expr total = 0;
  for (const Expr& e : x) total += e;
  for (int i = 0; i < 1000; ++i) (total + sin(x[i])).id();
  EXPECT_LT(pool.memory_bytes(), std::size_t{many} * 3000);
}

TEST(scale, running_products) {
  ExprPool pool;
  Expr total = 1;
  for (const Expr& e : unknowns(pool, many)) {
    total *= e;
    total.id();
  }
  EXPECT_LT(pool.memory_bytes(), std::size_t{many} * 1000);
}

TEST(scale, a_long_product_and_its_gradient) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, many);
  const ExprId f = product(x).id();
  const std::vector<ExprId> inputs = ids(x);
  const std::vector<ExprId> partials = gradient(pool, f, inputs);
  EXPECT_LT(pool.memory_bytes(), std::size_t{many} * 3000);
  Values values;
  for (int i = 0; i < many; ++i) values[inputs[i]] = i % 2 == 0 ? 2.0 : 0.5;
  const std::vector<double> numbers = evaluate(pool, partials, values);
  for (int i = 0; i < many; ++i) ASSERT_EQ(numbers[i], i % 2 == 0 ? 0.5 : 2.0);
}

TEST(scale, long_conditions) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, 20'000);
  Condition all = true;
  for (const Expr& e : x) all = all && e > 0;
  EXPECT_LT(pool.memory_bytes(), x.size() * 2000);
  Values values;
  for (const Expr& e : x) values[e.id()] = 1.0;
  EXPECT_EQ(evaluate(pool, all.id(), values), 1.0);
  values[x[777].id()] = 0.0;
  EXPECT_EQ(evaluate(pool, all.id(), values), 0.0);
}

TEST(scale, powers_of_one_base_with_many_exponents) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, 20'000);
  const Expr base = parameter(pool, "b");
  Expr total = 1;
  for (const Expr& e : x) total *= pow(base, e);
  EXPECT_TRUE(same(total, pow(base, sum(x))));
  EXPECT_LT(pool.memory_bytes(), x.size() * 2000);
}

TEST(scale, gradient_of_a_sum_of_neighbours) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, many);
  Expr total = 0;
  for (int i = 0; i + 1 < many; ++i) total += x[i] * x[i + 1];
  const std::vector<ExprId> inputs = ids(x);
  const std::vector<ExprId> partials = gradient(pool, total.id(), inputs);
  EXPECT_EQ(partials[500], (x[499] + x[501]).id());
}

TEST(scale, linear_form_of_a_long_sum) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, many);
  const auto solution = solve_for(pool, sum(x).id(), pool.integer(1), x[5].id());
  ASSERT_TRUE(solution);
  EXPECT_FALSE(depends_on(pool, solution->value, x[5].id()));
  const auto form = linear_combination(pool, sum(x).id(), ids(x));
  ASSERT_TRUE(form);
  EXPECT_TRUE(pool.is_zero(form->offset));
}

TEST(scale, simplify_a_long_sum) {
  ExprPool pool;
  const std::vector<Expr> x = unknowns(pool, 20'000);
  Expr total = 0;
  for (const Expr& e : x) total += e * pow(sin(e), 2) + e * pow(cos(e), 2);
  EXPECT_EQ(simplify(total).id(), sum(x).id());
}

}  // namespace
}  // namespace alembert::symbolic
