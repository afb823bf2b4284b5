// SPDX-License-Identifier: Apache-2.0
// Derivatives: every rule against differences of order 8, and the routes against each other.
#include "alembert/symbolic/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "symbolic/differences.hpp"

namespace alembert::symbolic {
namespace {

using testing::central_difference;

struct Rule {
  const char* name;
  Expr value;
  std::vector<double> at;  // values of x; y is 0.7
};

TEST(derivative, every_rule_agrees_with_differences) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const Rule rules[] = {
      {"sum", x + y - 3 * x, {-1, 2}},
      {"product", x * y * (x + 1) * (x + 2), {-1, 2}},
      {"quotient", (x + y) / (x - 3), {-1, 2}},
      {"whole power", pow(x, 5) + pow(x, -3), {-1.1, 2}},
      {"root", sqrt(x) + pow(x, rational(pool, -2, 3)), {0.6, 2}},
      {"power of a power", pow(x + 2, x * y), {-1, 0.5}},
      {"exponent", pow(Expr(pool, pool.real(2.5)), x * x), {-1, 0.5}},
      {"sin", sin(x * x), {-1.2, 0.4, 2}},
      {"cos", cos(x * x), {-1.2, 0.4, 2}},
      {"tan", tan(x), {-1.2, 0.4}},
      {"asin", asin(x), {-0.6, 0.4}},
      {"acos", acos(x), {-0.6, 0.4}},
      {"atan", atan(3 * x), {-1.2, 0.4}},
      {"sinh", sinh(x), {-1.2, 0.4}},
      {"cosh", cosh(x), {-1.2, 0.4}},
      {"tanh", tanh(x), {-1.2, 0.4}},
      {"asinh", asinh(x), {-1.2, 0.4}},
      {"acosh", acosh(x), {1.5, 3}},
      {"atanh", atanh(x), {-0.6, 0.4}},
      {"exp", exp(-x * x), {-1.2, 0.4}},
      {"log", log(x), {0.7, 2}},
      {"log10", log10(x), {0.7, 2}},
      {"abs", abs(x), {-1.2, 0.4}},
      {"sign", x * sign(x), {-1.2, 0.4}},
      {"floor", x * floor(x), {-1.3, 0.4}},
      {"ceil", x * ceil(x), {-1.3, 0.4}},
      {"integer", x * integer_part(x), {-1.3, 0.4}},
      {"noEvent", no_event(x * x), {-1.3, 0.4}},
      {"atan2", atan2(x, y) + atan2(y, x * x), {-1.3, 0.4}},
      {"atan2 behind", atan2(y, x), {-2, -0.5}},
      {"min", min(x * x, y), {-1.3, 0.4}},
      {"max", max(x * x, y), {-1.3, 0.4}},
      {"div", x * div(x, y), {-1.3, 0.4}},
      {"mod", mod(x * x, y) + mod(y, x), {-1.3, 0.4}},
      {"rem", rem(x * x, y) + rem(y, x), {-1.3, 0.4}},
      {"smooth", smooth(2, x * x), {-1.3, 0.4}},
      {"semiLinear", semi_linear(x, x * y, x + y), {-1.3, 0.4}},
      {"if", if_(x < 0, x * x, sin(x)), {-1.3, 0.4}},
      {"if on both sides", if_(x * y < y, x * x, sin(x)) * x, {-1.3, 0.4, 1.7}},
  };
  for (const Rule& rule : rules) {
    const ExprId f = rule.value.id();
    const ExprId forward = differentiate(pool, f, x.id());
    const std::vector<ExprId> inputs = {x.id(), y.id()};
    const ExprId reverse = gradient(pool, f, inputs)[0];
    for (const double at : rule.at) {
      Values values{{x.id(), at}, {y.id(), 0.7}};
      const auto expected = central_difference(
          [&](double t) {
            return evaluate(pool, f, {{x.id(), t}, {y.id(), 0.7}});
          },
          at);
      const double tolerance = expected.error;
      EXPECT_NEAR(evaluate(pool, forward, values), expected.value, tolerance) << rule.name << at;
      EXPECT_NEAR(evaluate(pool, reverse, values), expected.value, tolerance) << rule.name << at;
    }
  }
}

TEST(derivative, kinks_take_one_of_the_sides) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const auto at_zero = [&](const Expr& f) {
    return evaluate(pool, differentiate(f, x).id_in(pool), {{x.id(), 0.0}});
  };
  EXPECT_EQ(at_zero(abs(x)), 0.0);
  EXPECT_EQ(at_zero(min(x, 0 * x + 2 * x)), 2.0);  // min(0, 0) takes its second argument
  EXPECT_EQ(at_zero(sign(x) + floor(x)), 0.0);
  EXPECT_EQ(at_zero(if_(x < 0, -x, 3 * x)), 3.0);
}

TEST(derivative, total_time_derivative_follows_the_chains) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const Expr p = parameter(pool, "p");
  const Expr t = time(pool);
  EXPECT_TRUE(same(der(p), 0));
  EXPECT_TRUE(same(der(t), 1));
  EXPECT_TRUE(same(der(Expr(3)), 0));
  EXPECT_EQ(pool.symbol_text(der(der(x)).id()), "der(der(x))");
  EXPECT_TRUE(same(der(p * x * t), p * x + p * t * der(x)));
  EXPECT_TRUE(same(der(der(x * x)), 2 * pow(der(x), 2) + 2 * x * der(der(x))));
  EXPECT_TRUE(same(der(sin(x) * y), cos(x) * der(x) * y + sin(x) * der(y)));
  // The second derivative of the pendulum's constraint.
  EXPECT_TRUE(same(der(der(x * x + y * y - p * p)) / 2,
                   pow(der(x), 2) + x * der(der(x)) + pow(der(y), 2) + y * der(der(y))));
  // der(x) is a symbol of its own to a partial derivative.
  EXPECT_TRUE(same(differentiate(x * der(x), x), der(x)));
  EXPECT_TRUE(same(differentiate(x * der(x), der(x)), x));
}

TEST(derivative, user_functions) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const auto square = [](std::span<const double> a) { return a[0] * a[0] * a[1]; };
  const FunctionId by_first =
      pool.define_function("f_1", 2, [](std::span<const double> a) { return 2 * a[0] * a[1]; });
  const FunctionId f = pool.define_function("f", 2, square, {by_first, FunctionId::none()});
  const FunctionId g = pool.define_function("g", 2, square);
  const std::vector<Expr> arguments = {sin(x), y};
  EXPECT_TRUE(
      same(differentiate(call(pool, f, arguments), x), cos(x) * call(pool, by_first, arguments)));
  EXPECT_TRUE(same(differentiate(call(pool, g, arguments), unknown(pool, "z")), 0));
  const auto message = [&](FunctionId function) -> std::string {
    try {
      differentiate(call(pool, function, arguments), y);
    } catch (const Error& error) {
      return error.code() + ": " + error.diagnostics().front().text;
    }
    return "no error";
  };
  EXPECT_EQ(message(f),
            "E005: function 'f' has to be differentiated by argument 2, but no derivative function "
            "was given for it. Give one when the function is defined.");
  EXPECT_EQ(message(g),
            "E005: function 'g' has to be differentiated by argument 2, but no derivative function "
            "was given for it. Give one when the function is defined.");
  try {
    pool.define_function("h", 2, square, {by_first});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "E003");
  }
}

TEST(derivative, long_products) {
  ExprPool pool;
  for (const int n : {2, 31, 32, 33, 34, 66, 200, 1200}) {
    std::vector<Expr> x;
    std::vector<ExprId> inputs;
    Values values;
    for (int i = 0; i < n; ++i) {
      x.push_back(unknown(pool, "x" + std::to_string(i)));
      inputs.push_back(x.back().id());
      values[x.back().id()] = 1.0 + 0.3 * std::sin(i);
    }
    const ExprId f = (product(x) * 3).id();
    const double whole = evaluate(pool, f, values);
    const std::vector<ExprId> partials = gradient(pool, f, inputs);
    const std::vector<double> numbers = evaluate(pool, partials, values);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(numbers[i] * values[inputs[i]] / whole, 1.0, n * 1e-15) << n << ", " << i;
  }
}

TEST(derivative, inputs_are_given_once) {
  ExprPool pool;
  const ExprId x = pool.unknown("x");
  const ExprId twice[] = {x, x};
  EXPECT_THROW(gradient(pool, x, twice), InternalError);
}

TEST(derivative, weights_and_directions) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const Expr a = parameter(pool, "a");
  const Expr b = parameter(pool, "b");
  const std::vector<ExprId> f = {(x * x * y).id(), (sin(x) + y).id(), a.id()};
  const std::vector<ExprId> inputs = {x.id(), y.id()};
  const std::vector<ExprId> directions = {a.id(), b.id()};
  const auto forward = directional_derivatives(pool, f, inputs, directions);
  EXPECT_EQ(forward[0], (2 * x * y * a + x * x * b).id());
  EXPECT_EQ(forward[1], (cos(x) * a + b).id());
  EXPECT_TRUE(pool.is_zero(forward[2]));
  const std::vector<ExprId> weights = {a.id(), b.id(), pool.integer(5)};
  const auto reverse = weighted_gradient(pool, f, weights, inputs);
  EXPECT_EQ(reverse[0], (2 * x * y * a + cos(x) * b).id());
  EXPECT_EQ(reverse[1], (x * x * a + b).id());
}

TEST(derivative, dependencies_include_conditions) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  const Expr y = unknown(pool, "y");
  const Expr z = unknown(pool, "z");
  const std::vector<ExprId> f = {if_(z < 0, x, y).id(), x.id(), pool.integer(1)};
  const std::vector<ExprId> inputs = {z.id(), y.id(), x.id()};
  const SparseExprMatrix pattern = dependencies(pool, f, inputs);
  EXPECT_EQ(pattern.row_start, (std::vector<std::uint32_t>{0, 3, 4, 4}));
  EXPECT_EQ(pattern.column, (std::vector<std::uint32_t>{0, 1, 2, 2}));
  EXPECT_EQ(jacobian(pool, f, inputs).column, (std::vector<std::uint32_t>{1, 2, 2}));
}

}  // namespace
}  // namespace alembert::symbolic
