// SPDX-License-Identifier: Apache-2.0
// The canonical form: what is one expression, what stays as written, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/print.hpp"
#include "symbolic/message.hpp"

namespace alembert::symbolic {
namespace {

using testing::message;

constexpr double infinity = std::numeric_limits<double>::infinity();

class Canonical : public ::testing::Test {
 protected:
  Expr number(double value) { return {pool, pool.real(value)}; }
  Expr fraction(int p, int q) { return rational(pool, p, q); }
  double value(const Expr& e, double at = 0.7) {
    return evaluate(pool, e.id_in(pool), {{x.id(), at}, {y.id(), -1.3}, {p.id(), 2.5}});
  }
  std::string text(const Expr& e) { return to_text(e); }

  ExprPool pool;
  Expr x = unknown(pool, "x");
  Expr y = unknown(pool, "y");
  Expr z = unknown(pool, "z");
  Expr p = parameter(pool, "p");
};

TEST_F(Canonical, like_terms_are_collected) {
  EXPECT_TRUE(same(x + x, 2 * x));
  EXPECT_TRUE(same(x + y - x, y));
  EXPECT_TRUE(same(x - x, 0));
  EXPECT_TRUE(same(3 * x * y - y * x, 2 * x * y));
  EXPECT_TRUE(same((x + 1) + (y - 1), x + y));
  EXPECT_TRUE(same(2 * (x + y), 2 * x + 2 * y));
  EXPECT_TRUE(same(-(x - y), y - x));
  EXPECT_TRUE(same(fraction(1, 3) * x + fraction(2, 3) * x, x));
}

TEST_F(Canonical, like_factors_are_collected) {
  EXPECT_TRUE(same(x * x, pow(x, 2)));
  EXPECT_TRUE(same(x / x, 1));
  EXPECT_TRUE(same(x * y / x, y));
  EXPECT_TRUE(same(pow(x, y) * pow(x, z), pow(x, y + z)));
  EXPECT_TRUE(same(pow(x, y) / pow(x, y), 1));
  EXPECT_TRUE(same((x + y) * (y + x), pow(x + y, 2)));
  EXPECT_TRUE(same(sqrt(x) * sqrt(x), x));
  EXPECT_TRUE(same(sqrt(x * y) * sqrt(x * y), x * y));
  EXPECT_TRUE(same(1 / (1 / x), x));
  EXPECT_TRUE(same(x / (y / z), x * z / y));
}

TEST_F(Canonical, powers_of_powers) {
  EXPECT_TRUE(same(pow(pow(x, 2), 3), pow(x, 6)));
  EXPECT_TRUE(same(pow(sqrt(x), 2), x));
  EXPECT_TRUE(same(pow(pow(x, y), 2), pow(x, 2 * y)));
  EXPECT_TRUE(same(pow(x * y, 3), pow(x, 3) * pow(y, 3)));
  EXPECT_TRUE(same(pow(2 * x, 3), 8 * pow(x, 3)));
  // sqrt(x^2) is |x|, not x; sqrt(x*y) need not be sqrt(x)*sqrt(y).
  EXPECT_FALSE(same(sqrt(pow(x, 2)), x));
  EXPECT_EQ(value(sqrt(pow(x, 2)), -3.0), 3.0);
  EXPECT_FALSE(same(sqrt(x * y), sqrt(x) * sqrt(y)));
}

TEST_F(Canonical, numbers_fold_exactly) {
  EXPECT_TRUE(same(fraction(1, 3) + fraction(1, 6), fraction(1, 2)));
  EXPECT_TRUE(same(pow(fraction(4, 9), fraction(1, 2)), fraction(2, 3)));
  EXPECT_TRUE(same(pow(fraction(4, 9), fraction(-3, 2)), fraction(27, 8)));
  EXPECT_TRUE(same(pow(fraction(2, 3), -2), fraction(9, 4)));
  EXPECT_EQ(value(pow(number(2), fraction(1, 2))), std::sqrt(2.0));
  EXPECT_TRUE(same(pow(number(0), number(0)), 1));
  EXPECT_TRUE(same(pow(x, 0), 1));
  EXPECT_TRUE(same(sin(number(0)) + cos(number(0)) + exp(number(0)), 2));
  EXPECT_EQ(value(sin(number(1))), std::sin(1.0));  // exact argument, no exact value: stays
  EXPECT_EQ(text(sin(number(1))), "sin(1)");
}

TEST_F(Canonical, what_does_not_fit_64_bits_is_a_double) {
  const Expr big = number(9007199254740992.0);
  EXPECT_EQ(value(big * big), 0x1p106);
  EXPECT_EQ(value(big * big * x / big, 3.0), 3.0 * 0x1p53);
  EXPECT_EQ(value(pow(number(10), 300)), 1e300);
  EXPECT_EQ(value(pow(number(10), 400)), infinity);
}

TEST_F(Canonical, what_has_no_finite_value_stays_as_written) {
  const Expr zero = number(0);
  EXPECT_EQ(value(1 / zero), infinity);
  EXPECT_EQ(value(-1 / zero), -infinity);
  EXPECT_TRUE(std::isnan(value(log(number(-1)))));
  EXPECT_FALSE(pool.is_number((1 / zero).id()));
  EXPECT_FALSE(pool.is_number(log(number(-1)).id()));
  EXPECT_EQ(value(log(zero)), -infinity);
  EXPECT_TRUE(std::isnan(value(sqrt(number(-2)))));
  EXPECT_TRUE(std::isnan(value(pow(number(-2), number(0.3)))));
  EXPECT_EQ(value(pow(zero, number(-0.5))), infinity);
  EXPECT_TRUE(std::isnan(value(mod(number(3), zero))));
  EXPECT_TRUE(std::isnan(value(mod(number(infinity), number(3)))));
  EXPECT_FALSE(pool.is_number(mod(number(infinity), number(3)).id()));
  EXPECT_TRUE(std::isnan(value(asin(number(1.5)))));
}

// Nothing times something is nothing, but not where that has no value.
TEST_F(Canonical, a_quotient_by_zero_has_no_value) {
  const Expr zero = number(0), pole = 1 / zero;
  for (const Expr& quotient :
       {zero / zero, 0 * pole, pole * zero, zero / (x - x), pole - pole, pole / pole,
        0 * pole * sqrt(number(2)), 0 * (2 * pole), 3 * (zero / zero), zero / zero + 1,
        pow(zero, -2) * zero, (zero / zero) / (zero / zero)}) {
    EXPECT_FALSE(pool.is_number(quotient.id()));
    EXPECT_TRUE(std::isnan(value(quotient))) << value(quotient);
  }
  EXPECT_FALSE(std::isfinite(value(x * pole - x * pole, 2.0)));
  EXPECT_FALSE(std::isfinite(value(0 * (x * pole), 2.0)));
  EXPECT_EQ((0 * x / y).id(), zero.id());
  EXPECT_EQ((0 * sqrt(number(2)) * x).id(), zero.id());
}

TEST_F(Canonical, odd_and_even_functions) {
  EXPECT_TRUE(same(sin(-x), -sin(x)));
  EXPECT_TRUE(same(sin(y - x), -sin(x - y)));
  EXPECT_TRUE(same(cos(-x), cos(x)));
  EXPECT_TRUE(same(cosh(y - x), cosh(x - y)));
  EXPECT_TRUE(same(abs(-2 * x), abs(2 * x)));
  EXPECT_TRUE(same(tanh(-x * y), -tanh(x * y)));
  EXPECT_TRUE(same(sign(-x), -sign(x)));
  EXPECT_FALSE(same(acos(-x), acos(x)));
  EXPECT_FALSE(same(exp(-x), exp(x)));
  for (const double at : {-0.4, 0.0, 0.9}) {
    EXPECT_EQ(value(asin(-x), at), std::asin(-at));
    EXPECT_EQ(value(asinh(y - x), at), std::asinh(-1.3 - at));
  }
}

TEST_F(Canonical, functions_that_undo_each_other) {
  EXPECT_TRUE(same(log(exp(x)), x));
  EXPECT_TRUE(same(exp(log(x)), x));
  EXPECT_FALSE(same(asin(sin(x)), x));
  EXPECT_TRUE(same(abs(abs(x)), abs(x)));
  EXPECT_TRUE(same(floor(ceil(x)), ceil(x)));
  EXPECT_TRUE(same(abs(pow(x, 2)), pow(x, 2)));
  EXPECT_FALSE(same(abs(pow(x, 3)), pow(x, 3)));
}

TEST_F(Canonical, choices) {
  EXPECT_TRUE(same(if_(number(1) < number(2), x, y), x));
  EXPECT_TRUE(same(if_(number(3) < number(2), x, y), y));
  EXPECT_TRUE(same(if_(x < y, z, z), z));
  EXPECT_TRUE(same(if_(x < x, y, z), z));
  EXPECT_TRUE(same(if_(x < y && !(number(1) < 2), y, z), z));
  EXPECT_EQ((x < y && y < z).id(), (y < z && x < y && x < y).id());
  EXPECT_EQ((!!(x < y)).id(), (x < y).id());
  EXPECT_EQ((!equal(x, y)).id(), not_equal(y, x).id());
  EXPECT_TRUE(same(min(x, y), min(y, x)));
  EXPECT_TRUE(same(max(number(2), number(0.5)), 2));
  EXPECT_TRUE(same(min(fraction(1, 3), fraction(1, 2)), fraction(1, 3)));
}

TEST_F(Canonical, comparisons_of_constants_agree_with_their_values) {
  const Expr third = fraction(1, 3);
  const Expr rounded = number(1.0 / 3.0);
  const auto holds = [&](const Condition& c) { return evaluate_constant(pool, c.id()); };
  EXPECT_EQ(holds(third <= rounded), 1.0);
  EXPECT_EQ(holds(rounded <= third), 1.0);
  EXPECT_EQ(holds(equal(third, rounded)), 1.0);
  EXPECT_EQ(holds(not_equal(third, rounded)), 0.0);
  const Expr nan = number(std::nan(""));
  EXPECT_EQ(holds(equal(nan, nan)), 0.0);
  EXPECT_EQ(holds(nan <= nan), 0.0);
  EXPECT_EQ(holds(not_equal(nan, nan)), 1.0);
}

TEST_F(Canonical, whole_quotients_of_constants_agree_with_their_values) {
  // 0.3/0.1 is below 3 in doubles, though 0.3*(1/0.1) is not.
  EXPECT_EQ(value(div(number(0.3), number(0.1))), std::trunc(0.3 / 0.1));
  EXPECT_EQ(value(mod(number(0.3), number(0.1))), 0.3 - std::floor(0.3 / 0.1) * 0.1);
  EXPECT_EQ(value(mod(number(-7), number(3))), 2.0);
  EXPECT_EQ(value(rem(number(-7), number(3))), -1.0);
  EXPECT_EQ(value(div(number(-7), number(3))), -2.0);
  EXPECT_TRUE(same(mod(fraction(7, 2), fraction(1, 3)), fraction(1, 6)));
  EXPECT_TRUE(same(floor(fraction(-7, 2)), -4));
  EXPECT_TRUE(same(ceil(fraction(-7, 2)), -3));
  EXPECT_TRUE(same(integer_part(number(-2.5)), -3));
}

TEST_F(Canonical, sums_shared_by_sums_take_linear_time) {
  const auto integer = [&](std::int64_t n) { return Expr(pool, pool.integer(n)); };
  constexpr std::int64_t two_to_60 = std::int64_t{1} << 60;
  Expr doubled = x + y;
  for (int k = 0; k < 60; ++k) doubled = doubled + doubled;
  EXPECT_TRUE(same(doubled, integer(two_to_60) * (x + y)));
  Expr a = x;
  Expr b = y;
  for (int k = 0; k < 80; ++k) {  // Fibonacci
    const Expr next = a + b;
    a = b;
    b = next;
  }
  EXPECT_TRUE(same(b, integer(23416728348467685) * x + integer(37889062373143906) * y));
  Expr squared = x * y;
  for (int k = 0; k < 60; ++k) squared = squared * squared;
  EXPECT_TRUE(same(squared, pow(x, integer(two_to_60)) * pow(y, integer(two_to_60))));
  Expr ratio = x / y;
  for (int k = 0; k < 60; ++k) ratio = ratio / ratio;
  EXPECT_TRUE(same(ratio, 1));
}

TEST_F(Canonical, one_pool_at_a_time) {
  ExprPool other;
  const Expr u = unknown(other, "u");
  EXPECT_EQ(message([&] { x + u; }),
            "E001: 'x' and 'u' belong to two different expression pools and cannot be combined. "
            "Create all symbols of a model from the same pool.");
  EXPECT_EQ(message([&] {
              sum(std::vector<Expr>{x, u});
            }),
            "E001: 'u' belongs to another expression pool. Create all symbols of a model from the "
            "same pool.");
  EXPECT_EQ(
      message([&] { if_(x < y, 2, u); }),
      "E001: 'x < y' and 'u' belong to two different expression pools and cannot be combined. "
      "Create all symbols of a model from the same pool.");
  Expr long_sum = u;
  for (int i = 0; i < 1000; ++i) long_sum += unknown(other, "u" + std::to_string(i));
  EXPECT_LT(message([&] { x* long_sum; }).size(), 300u);
}

TEST_F(Canonical, conditions_are_not_numbers) {
  const ExprId condition = (x < y).id();
  EXPECT_EQ(
      message([&] { pool.add(x.id(), condition); }),
      "E002: '+' needs numbers, but 'x < y' is a condition. Write 'if x < y then 1 else 0' to "
      "make it a number.");
  EXPECT_EQ(message([&] { pool.apply(Op::sin, condition); }),
            "E002: 'sin' needs numbers, but 'x < y' is a condition. Write 'if x < y then 1 else 0' "
            "to make it a number.");
  EXPECT_EQ(message([&] { pool.apply(Op::logical_and, condition, x.id()); }),
            "E002: 'and' needs conditions, but 'x' is a number. Write a comparison, e.g. 'x > 0'.");
  EXPECT_EQ(message([&] { pool.if_then_else(x.id(), y.id(), z.id()); }),
            "E002: 'if' needs a condition, but 'x' is a number. Write a comparison, e.g. 'x > 0'.");
  EXPECT_EQ(
      message([&] { pool.if_then_else(condition, y.id(), condition); }),
      "E002: the branches of 'if' must both be numbers or both be conditions: 'y' and 'x < y' "
      "are not");
  EXPECT_EQ(message([&] { pool.add(pool.integer(0), condition); }).substr(0, 4), "E002");
  EXPECT_EQ(message([&] { pool.mul(condition, pool.integer(1)); }).substr(0, 4), "E002");
  EXPECT_EQ(message([&] { Expr(pool, condition) + x; }).substr(0, 4), "E002");
}

TEST_F(Canonical, one_kind_a_name) {
  EXPECT_EQ(message([&] { pool.parameter("x"); }),
            "N001: 'x' is already an unknown and cannot also be a parameter. Give one of them "
            "another name.");
  EXPECT_EQ(message([&] { pool.unknown(""); }).substr(0, 4), "N002");
  EXPECT_EQ(pool.unknown("x"), x.id());
}

TEST_F(Canonical, wrong_number_of_arguments) {
  EXPECT_EQ(message([&] { pool.apply(Op::sin, x.id(), y.id()); }),
            "E003: 'sin' takes 1 argument, 2 given");
  const FunctionId f =
      pool.define_function("f", 2, [](std::span<const double> a) { return a[0] + a[1]; });
  EXPECT_EQ(message([&] { call(pool, f, std::vector<Expr>{x}); }),
            "E003: function 'f' takes 2 arguments, 1 given");
  EXPECT_EQ(message([&] { pool.define_function("f", 1, nullptr); }),
            "N003: a function named 'f' is already defined");
  EXPECT_EQ(message([&] { evaluate(pool, x.id()); }), "E006: 'x' has no value to evaluate with");
}

TEST_F(Canonical, order_is_natural_and_does_not_depend_on_creation) {
  ExprPool first;
  ExprPool second;
  for (const char* name : {"x10", "x2", "a", "b"}) first.unknown(name);
  for (const char* name : {"b", "a", "x2", "x10"}) second.unknown(name);
  const auto sum = [](ExprPool& at) {
    return to_text(unknown(at, "x10") + unknown(at, "b") + unknown(at, "x2") + unknown(at, "a"));
  };
  EXPECT_EQ(sum(first), "a + b + x2 + x10");
  EXPECT_EQ(sum(second), sum(first));
}

TEST_F(Canonical, operators_and_pool_make_one_expression) {
  const Expr e = (x + 2 * y) * (x - y) / z - x * x;
  const ExprId product = pool.div(
      pool.mul(pool.add(x.id(), pool.mul(pool.integer(2), y.id())), pool.sub(x.id(), y.id())),
      z.id());
  EXPECT_EQ(e.id(), pool.sub(product, pool.pow(x.id(), 2)));
}

TEST_F(Canonical, a_number_meets_a_sum_in_any_order) {
  const Expr inner = 2 * (x + y);
  inner.id();  // looked at: canonical from now on
  EXPECT_TRUE(same(inner * z, 2 * (x + y) * z));
  EXPECT_TRUE(same(inner * z, (2 * x + 2 * y) * z));
  EXPECT_EQ(to_text(inner * z), "2*(x + y)*z");
  EXPECT_TRUE(same(z / (2 * (x + y)), z / 2 / (x + y)));
  EXPECT_TRUE(same((y - x) * z, -(x - y) * z));
  EXPECT_TRUE(same(pow(y - x, 2), pow(x - y, 2)));
  EXPECT_TRUE(same(sqrt(2 * x + 2 * y) * sqrt(2 * x + 2 * y), 2 * x + 2 * y));
  const Expr tenth = 0.1 * (x + y);
  tenth.id();
  EXPECT_TRUE(same(tenth * z, 0.1 * ((x + y) * z)));
  EXPECT_TRUE(same(10 * tenth - x, y));
  EXPECT_TRUE(same(0.5 * (x + y) + 1.5 * (x + y), 2 * x + 2 * y));
  EXPECT_TRUE(same(x + y - (x + y), 0));
}

}  // namespace
}  // namespace alembert::symbolic
