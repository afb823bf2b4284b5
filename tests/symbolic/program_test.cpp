// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/function_body.hpp"
#include "alembert/symbolic/transplant.hpp"

namespace alembert::symbolic {
namespace {

/// Expressions of x, y and z, put together at random, choices and powers among them.
std::vector<ExprId> random_expressions(ExprPool& pool, const std::vector<ExprId>& symbols,
                                       std::mt19937& random) {
  std::vector<ExprId> known = symbols;
  for (int i = 1; i <= 3; ++i) known.push_back(pool.integer(i));
  const auto any = [&] { return known[random() % known.size()]; };
  for (int k = 0; k < 60; ++k) {
    switch (random() % 6) {
      case 0: known.push_back(pool.add(any(), any())); break;
      case 1: known.push_back(pool.mul(any(), any())); break;
      case 2: known.push_back(pool.apply(Op::sin, any())); break;
      case 3: known.push_back(pool.pow(pool.apply(Op::cos, any()), pool.integer(3))); break;
      default: known.push_back(pool.if_then_else(pool.apply(Op::less, any(), any()), any(), any()));
    }
  }
  return {known.end() - 12, known.end()};
}

TEST(Program, GivesWhatTheExpressionsGive) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    ExprPool pool;
    const std::vector<ExprId> symbols = {pool.unknown("x"), pool.unknown("y"), pool.unknown("z")};
    const auto outputs = random_expressions(pool, symbols, random);
    const Program program(pool, symbols, outputs);
    for (const double x : {-1.3, 0.2, 2.5}) {
      const double inputs[] = {x, 0.7 - x * x, 0.1 * x};
      std::vector<double> values(outputs.size());
      program.run(inputs, values.data());
      const auto expected =
          evaluate(pool, outputs,
                   {{symbols[0], inputs[0]}, {symbols[1], inputs[1]}, {symbols[2], inputs[2]}});
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected[i], 1e-12 * (1 + std::abs(expected[i])));
    }
  }
}

TEST(Program, RunsOnlyTheBranchThatIsTakenAndCallsAFamilyOnce) {
  ExprPool pool;
  int n_left = 0;
  int n_right = 0;
  const ExprId x = pool.unknown("x");
  const auto left =
      pool.define_functions("left", 1, 2, [&](std::span<const double> in, std::span<double> out) {
        ++n_left;
        out[0] = in[0] + 1;
        out[1] = in[0] + 2;
      });
  const auto right = pool.define_function("right", 1, [&](std::span<const double> in) {
    ++n_right;
    return 2 * in[0];
  });
  const ExprId arguments[] = {x};
  const ExprId a = pool.call(left[0], arguments);
  const ExprId b = pool.call(left[1], arguments);
  const ExprId c = pool.call(right, arguments);
  const ExprId is_positive = pool.apply(Op::less, pool.integer(0), x);
  const ExprId inputs[] = {x};
  const ExprId outputs[] = {pool.if_then_else(is_positive, pool.mul(a, b), c),
                            pool.if_then_else(is_positive, a, pool.add(c, pool.integer(1)))};
  const Program program(pool, inputs, outputs);
  double values[2];
  double at = 3;
  program.run(&at, values);
  EXPECT_EQ(values[0], 20);
  EXPECT_EQ(values[1], 4);
  EXPECT_EQ(n_right, 0);
  at = -1;
  program.run(&at, values);
  EXPECT_EQ(values[0], -2);
  EXPECT_EQ(values[1], -1);
  EXPECT_EQ(n_left, 1);
  EXPECT_EQ(n_right, 1);
}

/// Heron's method: y := (y + a/y)/2 until y^2 is a.
FunctionId root_by_iteration(ExprPool& pool) {
  const ExprId y = pool.parameter("y");
  const ExprId a = pool.parameter("a");
  const ExprId error = pool.apply(Op::abs, pool.sub(pool.mul(y, y), a));
  const ExprId next = pool.div(pool.add(y, pool.div(a, y)), pool.integer(2));
  const Loop loop{.state = {y},
                  .fixed = {a},
                  .condition = pool.apply(Op::less, pool.real(1e-12), error),
                  .next = {next}};
  return define_loop(pool, "root", loop).front();
}

TEST(Program, LoopsHaveExactDerivatives) {
  ExprPool pool;
  const FunctionId root = root_by_iteration(pool);
  const ExprId x = pool.unknown("x");
  const ExprId arguments[] = {pool.integer(1), x};
  const ExprId value = pool.call(root, arguments);
  const ExprId first = differentiate(pool, value, x);
  const ExprId second = differentiate(pool, first, x);
  for (const double at : {0.3, 2.0, 50.0}) {
    EXPECT_NEAR(evaluate(pool, value, {{x, at}}), std::sqrt(at), 1e-11);
    EXPECT_NEAR(evaluate(pool, first, {{x, at}}), 0.5 / std::sqrt(at), 1e-6 / std::sqrt(at));
    EXPECT_NEAR(evaluate(pool, second, {{x, at}}), -0.25 / (at * std::sqrt(at)), 1e-4 / at);
  }
}

// Three arguments follow x, and one state is a number from the first round on. The derivative takes
// one run of the loop with its tangent: a round asks once for the slope of a function that counts.
TEST(Program, TheDerivativeOfALoopIsOneRun) {
  ExprPool pool;
  static int n_slopes;
  n_slopes = 0;
  const FunctionId slope = pool.define_function(
      {.name = "slope", .arity = 1, .function = [](const double* x, const void*) {
         ++n_slopes;
         return 2 * x[0];
       }});
  const FunctionId square =
      pool.define_function({.name = "square",
                            .arity = 1,
                            .function = [](const double* x, const void*) { return x[0] * x[0]; },
                            .partials = {slope}});
  // n times: y := y + b square(y)/4, s := s + y; k := 0.5.
  std::vector<ExprId> state, start;
  for (const char* name : {"n", "y", "s", "k"}) state.push_back(pool.parameter(name));
  const ExprId b = pool.parameter("b");
  const ExprId y = state[1];
  const ExprId square_of_y = pool.call(square, std::array{y});
  const ExprId next_y =
      pool.add(y, pool.mul(pool.mul(pool.number(Number::rational(1, 4)), b), square_of_y));
  const Loop loop{.state = state,
                  .fixed = {b},
                  .condition = pool.apply(Op::less, pool.integer(0), state[0]),
                  .next = {pool.sub(state[0], pool.integer(1)), next_y, pool.add(state[2], next_y),
                           pool.real(0.5)}};
  const std::vector<FunctionId> functions = define_loop(pool, "steps", loop);
  const ExprId x = pool.unknown("x");
  const ExprId arguments[] = {pool.integer(5), x, pool.mul(x, x), pool.integer(1),
                              pool.apply(Op::sin, x)};
  const ExprId value =
      pool.add(pool.call(functions[2], arguments), pool.call(functions[3], arguments));
  const ExprId derivative = differentiate(pool, value, x);
  const auto by_hand = [](double at) {
    double y = at, dy = 1, s = at * at, ds = 2 * at;
    const double b = std::sin(at), db = std::cos(at);
    for (int n = 0; n < 5; ++n) {
      dy += (db * y * y + 2 * b * y * dy) / 4;
      y += b * y * y / 4;
      s += y;
      ds += dy;
    }
    return std::pair{s + 0.5, ds};
  };
  for (const double at : {-0.7, 0.2, 0.9}) {
    EXPECT_NEAR(evaluate(pool, value, {{x, at}}), by_hand(at).first, 1e-14);
    n_slopes = 0;
    EXPECT_NEAR(evaluate(pool, derivative, {{x, at}}), by_hand(at).second, 1e-13);
    EXPECT_EQ(n_slopes, 5);
  }
}

TEST(Program, ALoopWithoutEndGivesNoNumber) {
  ExprPool pool;
  const ExprId y = pool.parameter("y");
  const Loop loop{.state = {y},
                  .fixed = {},
                  .condition = pool.truth(true),
                  .next = {pool.add(y, pool.integer(1))}};
  const ExprId arguments[] = {pool.integer(1)};
  const FunctionId endless = define_loop(pool, "endless", loop).front();
  EXPECT_TRUE(std::isnan(evaluate(pool, pool.call(endless, arguments), {})));
}

TEST(Program, ALoopWhoseStateComesAgainIsGivenUpAtOnce) {
  for (const double limit : {-1.0, 0.0, 7.0}) {  // log has no value; 1, 1, ...; 1 to 7 in a circle
    ExprPool pool;
    int n_rounds = 0;
    const FunctionId step = pool.define_function("step", 1, [&](std::span<const double> in) {
      ++n_rounds;
      return limit < 0 ? std::log(limit) : in[0] < limit ? in[0] + 1 : 1;
    });
    const ExprId y = pool.parameter("y");
    const ExprId from[] = {y};
    const Loop loop{.state = {y},
                    .fixed = {},
                    .condition = pool.apply(Op::not_equal, y, pool.integer(0)),
                    .next = {pool.call(step, from)}};
    const ExprId arguments[] = {pool.integer(1)};
    const FunctionId endless = define_loop(pool, "endless", loop).front();
    EXPECT_TRUE(std::isnan(evaluate(pool, pool.call(endless, arguments), {}))) << limit;
    EXPECT_LE(n_rounds, 20) << limit;
  }
}

TEST(Program, BodiesCallLoopsAndStayExactInAnotherPool) {
  ExprPool pool;
  const FunctionId root = root_by_iteration(pool);
  const ExprId u = pool.parameter("u");
  const ExprId v = pool.parameter("v");
  const ExprId inner[] = {v, pool.mul(u, v)};
  // Where u < 0 nothing is iterated.
  const ExprId outputs[] = {
      pool.if_then_else(pool.apply(Op::less, u, pool.integer(0)), v, pool.call(root, inner)),
      pool.apply(Op::less, u, v)};
  const ExprId formals[] = {u, v};
  const auto body = define_body(pool, "body", formals, outputs);
  ExprPool other;
  Transplant transplant(pool, other, "part.");
  const ExprId x = pool.unknown("x");
  const ExprId arguments[] = {x, pool.integer(3)};
  const ExprId value = transplant(pool.call(body[0], arguments));
  const ExprId flag = transplant(pool.call(body[1], arguments));
  const ExprId at = transplant(x);
  EXPECT_NEAR(evaluate(other, value, {{at, 2.0}}), std::sqrt(6), 1e-11);
  EXPECT_EQ(evaluate(other, value, {{at, -2.0}}), 3);
  EXPECT_EQ(evaluate(other, flag, {{at, 2.0}}), 1);
  EXPECT_EQ(evaluate(other, flag, {{at, 4.0}}), 0);
  const ExprId slope = differentiate(other, value, at);
  EXPECT_NEAR(evaluate(other, slope, {{at, 2.0}}), 1.5 / std::sqrt(6), 1e-6);
  EXPECT_EQ(evaluate(other, slope, {{at, -2.0}}), 0);
  const ExprId curvature = differentiate(other, slope, at);
  EXPECT_NEAR(evaluate(other, curvature, {{at, 2.0}}), -2.25 / (6 * std::sqrt(6)), 1e-4);
}

}  // namespace
}  // namespace alembert::symbolic
