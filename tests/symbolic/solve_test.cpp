// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::symbolic {
namespace {

class Solve : public ::testing::Test {
 protected:
  std::optional<Solution> solve(const Expr& left, const Expr& right) {
    return solve_for(pool, left.id_in(pool), right.id_in(pool), x.id());
  }
  /// The solution put into the equation, at some values of the other symbols.
  void expect_solved(const Expr& left, const Expr& right) {
    const auto solution = solve(left, right);
    ASSERT_TRUE(solution) << to_text(left == right);
    ASSERT_FALSE(depends_on(pool, solution->value, x.id()));
    Values values{{y.id(), 0.6}, {p.id(), 1.7}};
    const double at = evaluate(pool, solution->value, values);
    values[x.id()] = at;
    const double l = evaluate(pool, left.id_in(pool), values);
    const double r = evaluate(pool, right.id_in(pool), values);
    EXPECT_NEAR(l, r, 1e-13 * (1 + std::abs(l))) << to_text(left == right) << " at " << at;
  }

  ExprPool pool;
  Expr x = unknown(pool, "x");
  Expr y = unknown(pool, "y");
  Expr p = parameter(pool, "p");
};

TEST_F(Solve, linear_equations) {
  expect_solved(2 * x + 3, y);
  expect_solved(p * x + y, x - 1);
  expect_solved((x + y) * p - (x - y) * y, sin(y));
  expect_solved(if_(y < p, 2 * x, 3 * x + 1), y);
  expect_solved(no_event(x * y) + smooth(1, x), 1);
  expect_solved(x / p - y / 3, x);
}

TEST_F(Solve, nested_one_to_one_functions) {
  expect_solved(exp(2 * x + y), p);
  expect_solved(log(x) * p, y);
  expect_solved(log10(x + 1), y);
  expect_solved(sinh(x / p) + 1, y);
  expect_solved(asinh(x * p), y);
  expect_solved(tanh(x - y), y / 3);
  expect_solved(atanh(x), y);
  expect_solved(pow(x, 3) + 1, y);
  expect_solved(pow(2 * x - y, -3), -p);
  expect_solved(p / x, y);
  expect_solved(y / (x + p), p);
  expect_solved(pow(Expr(pool, pool.integer(3)), x), p);
  expect_solved(exp(pow(sinh(log(x) + y), 5)), p);
  expect_solved(1 / (1 + exp(-x)), y);
}

TEST_F(Solve, what_has_no_unique_closed_solution) {
  EXPECT_FALSE(solve(x * x, y));
  EXPECT_FALSE(solve(sin(x), y));
  EXPECT_FALSE(solve(y, p));  // x is not there
  EXPECT_FALSE(solve(x, x));  // holds for every x
  EXPECT_FALSE(solve(x + exp(x), y));
  EXPECT_FALSE(solve(abs(x), y));
  EXPECT_FALSE(solve(if_(x < 0, x, 2 * x), y));
  EXPECT_FALSE(solve(pow(y, x), p));  // y could be negative
  EXPECT_FALSE(solve(sqrt(x), y));    // only for y >= 0
  EXPECT_FALSE(solve(x * exp(x), y));
  EXPECT_FALSE(solve(min(x, y), p));
}

TEST_F(Solve, divisors_are_named) {
  const auto linear = solve(p * x + y * x, 1);
  ASSERT_TRUE(linear);
  ASSERT_EQ(linear->divisors.size(), 1u);
  EXPECT_EQ(linear->divisors[0], (p + y).id());
  const auto numeric = solve(2 * x, y);
  ASSERT_TRUE(numeric);
  EXPECT_TRUE(numeric->divisors.empty());
  const auto nested = solve(p * exp(y * x), 1);
  ASSERT_TRUE(nested);
  ASSERT_EQ(nested->divisors.size(), 2u);
  EXPECT_EQ(nested->divisors[0], p.id());
  EXPECT_EQ(nested->divisors[1], y.id());
}

TEST_F(Solve, parts_that_cancel_leave_nothing_behind) {
  // (x + 1)*y - x*y is y, which only the linear form sees.
  const Expr hidden = (x + 1) * y - x * y;
  const auto solution = solve(x + sin(hidden), p);
  ASSERT_TRUE(solution);
  EXPECT_EQ(solution->value, (p - sin(y)).id());
  EXPECT_FALSE(solve(sin(hidden), p));
  const auto form = linear_form(pool, exp(hidden).id(), x.id());
  ASSERT_TRUE(form);
  EXPECT_TRUE(pool.is_zero(form->slope));
  EXPECT_EQ(form->offset, exp(y).id());
}

TEST_F(Solve, linear_combinations) {
  const std::vector<ExprId> both = {x.id(), y.id()};
  const auto form = linear_combination(pool, (p * x - 3 * (y - x) + sin(p)).id(), both);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->slopes[0], (p + 3).id());
  EXPECT_EQ(form->slopes[1], pool.integer(-3));
  EXPECT_EQ(form->offset, sin(p).id());
  EXPECT_FALSE(linear_combination(pool, (x * y).id(), both));
  EXPECT_FALSE(linear_combination(pool, abs(x).id(), both));
  EXPECT_FALSE(linear_combination(pool, floor(x).id(), both));
  EXPECT_FALSE(linear_combination(pool, if_(x < 1, p, 2 * p).id(), both));
  EXPECT_TRUE(linear_combination(pool, if_(p < 1, x, 2 * y).id(), both));
  const FunctionId f = pool.define_function("f", 1, [](std::span<const double> a) { return a[0]; });
  EXPECT_FALSE(linear_combination(pool, call(pool, f, std::vector<Expr>{x}).id(), both));
  EXPECT_TRUE(linear_combination(pool, (x + call(pool, f, std::vector<Expr>{p})).id(), both));
}

TEST_F(Solve, error_for_people) {
  EXPECT_TRUE(same(solve_for(2 * x == y, x), y / 2));
  try {
    solve_for(x * x == y, x);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "E007");
    EXPECT_EQ(
        error.diagnostics().front().text,
        "'x^2 = y' has no unique closed solution for 'x'. Leave it implicit: the solver finds "
        "it by Newton's method.");
  }
}

TEST_F(Solve, deep_nests_take_linear_time) {
  Expr nest = x;
  for (int i = 0; i < 30000; ++i) nest = sinh(nest) + y;
  const auto solution = solve(nest, p);
  ASSERT_TRUE(solution);
  EXPECT_FALSE(depends_on(pool, solution->value, x.id()));
}

}  // namespace
}  // namespace alembert::symbolic
