// SPDX-License-Identifier: Apache-2.0
// Expressions on a solution against closed forms, and runs made again without compiling.
#include "alembert/integrate/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/frontend/builder/model.hpp"

namespace alembert::integrate {
namespace {

using builder::Expr;
using builder::Model;

/// x = cos(w t); what follows from it is eliminated or solved for.
struct Oscillator {
  Model m{"Oscillator"};
  Expr w = m.parameter("w", 2);
  Expr x = m.unknown("x", {.start = 1, .fixed = true});
  Expr v = m.unknown("v", {.start = 0, .fixed = true});
  Expr same = m.unknown("same");  // an alias
  Expr opposite = m.unknown("opposite");
  Expr root = m.unknown("root", {.start = 1});  // root^3 + root = 3 + x
  Oscillator() {
    m += der(x) == v;
    m += der(v) == -w * w * x;
    m += same == x;
    m += opposite == -v;
    m += root * root * root + root == 3 + x;
    m.observe("energy", v * v / 2 + w * w * x * x / 2);
  }
};

TEST(SolutionTest, AnyExpressionAtAnyTime) {
  for (const char* method : {"auto", "tsit5", "rodas5p", "radau5", "cvode"}) {
    Oscillator o;
    const double rtol = 1e-8;
    const Solution sol =
        Problem(o.m.flatten(), {.stop = 5, .tolerance = rtol, .intervals = 10, .method = method})
            .solve();
    const double near = 3e3 * rtol;
    for (double t = 0; t <= 5; t += 0.173) {
      const double x = std::cos(2 * t), v = -2 * std::sin(2 * t);
      EXPECT_NEAR(sol(t, o.x), x, near) << method << t;
      EXPECT_NEAR(sol(t, o.same * o.w + o.opposite), 2 * x - v, near) << method;
      EXPECT_NEAR(sol(t, der(o.v)), -4 * x, 4 * near) << method;
      EXPECT_NEAR(sol(t, "energy"), 2, 4 * near) << method;
      EXPECT_NEAR(sol(t, "x^2 + sin(time)"), x * x + std::sin(t), near) << method;
      const double root = sol(t, o.root);
      EXPECT_NEAR(root * root * root + root, 3 + x, near) << method;
      // The model has no derivative of this one: root' = v / (3 root^2 + 1).
      EXPECT_NEAR(sol(t, der(o.root)), v / (3 * root * root + 1), 10 * near) << method;
    }
    const std::vector<double> column = sol["same"];
    ASSERT_EQ(column.size(), sol.times().size());
    for (std::size_t i = 0; i < column.size(); ++i)
      EXPECT_NEAR(column[i], std::cos(2 * sol.times()[i]), near) << method;
    EXPECT_THROW(sol(5.1, o.x), Error);
    EXPECT_THROW(sol(1, "nothing"), Error);
  }
}

TEST(SolutionTest, EventsHaveTwoSides) {
  Model m("Ball");
  const Expr h = m.unknown("h", {.start = 1, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n", {.type = flat::ValueType::integer});
  m += der(h) == v;
  m += der(v) == -9.81;
  m.when(h < 0, {builder::reinit(v, -0.5 * builder::pre(v)), builder::set(n, builder::pre(n) + 1)});
  const Solution sol = Problem(m.flatten(), {.stop = 0.6, .tolerance = 1e-9}).solve();
  const double impact = sol.result().events.at(0).time;
  EXPECT_NEAR(impact, std::sqrt(2 / 9.81), 1e-9);
  EXPECT_NEAR(sol(impact, v, Side::before), -std::sqrt(2 * 9.81), 1e-8);
  EXPECT_NEAR(sol(impact, v), 0.5 * std::sqrt(2 * 9.81), 1e-8);
  EXPECT_EQ(sol(impact, n, Side::before), 0);
  EXPECT_EQ(sol(impact, n, Side::after), 1);
  EXPECT_NEAR(sol(impact / 2, v), -9.81 * impact / 2, 1e-8);
  // The rows tell the same.
  const std::vector<double> all = sol[v];
  const std::vector<double> rows = sol.result().trajectory.column("v");
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], rows[i], 1e-12) << i;
}

TEST(SolutionTest, DelayedQuantitiesAndChartsAreFollowed) {
  Model m("Pendulum");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0});
  const Expr lambda = m.unknown("lambda");
  m.start(der(y), 0, {.fixed = true});
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - 1;
  m += x * x + y * y == 1;
  const Expr late = m.unknown("late");
  m += late == m.delay(y, 0.5);
  const Solution sol = Problem(m.flatten(), {.stop = 12, .tolerance = 1e-8}).solve();
  ASSERT_EQ(sol.result().outcome, Outcome::done);
  EXPECT_GT(sol.result().n_switches, 2u);
  for (double t = 0.6; t < 12; t += 0.31) {
    EXPECT_NEAR(sol(t, x * x + y * y), 1, 1e-12) << t;
    EXPECT_NEAR(sol(t, (der(x) * der(x) + der(y) * der(y)) / 2 + y), 0, 1e-5) << t;
    EXPECT_NEAR(sol(t, late), sol(t - 0.5, y), 1e-5) << t;
  }
}

TEST(Remake, ChangesParametersAndStartsWithoutCompiling) {
  Oscillator o;
  const Problem problem(o.m.flatten(), {.stop = 3, .tolerance = 1e-9});
  const Problem other = problem.remake({{"w", 3}, {"x", 0.5}});
  EXPECT_EQ(&problem.model(), &other.model());
  const Solution sol = other.solve();
  EXPECT_NEAR(sol(2, o.x), 0.5 * std::cos(6.0), 1e-6);
  EXPECT_NEAR(problem.solve()(2, o.x), std::cos(4.0), 1e-6);
  // By an alias, with its sign: opposite = -v.
  const Solution pushed = problem.remake({{"opposite", -2}}).solve();
  EXPECT_NEAR(pushed(1, o.x), std::cos(2.0) + std::sin(2.0), 1e-6);
  EXPECT_NEAR(other.remake(SimulateOptions{.stop = 1, .tolerance = 1e-9}).solve()(1, o.x),
              0.5 * std::cos(3.0), 1e-6);
  EXPECT_THROW(problem.remake({{"nothing", 1}}), Error);
}

TEST(ProblemTest, DiscreteVariablesStartWithOtherValues) {
  Model m("Counter");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n", {.start = 0});
  m += der(x) == 1;
  m.when(x > 0.5, {builder::set(n, builder::pre(n) + 1)});
  const Problem problem(m.flatten(), {.stop = 1});
  EXPECT_EQ(problem.solve()(1, n), 1);
  const Solution changed = problem.remake({{"n", 3}}).solve();
  EXPECT_EQ(changed(0, n), 3);
  EXPECT_EQ(changed(1, n), 4);
}

TEST(ProblemTest, TimesOfOutputMustLieWithinTheRun) {
  Oscillator o;
  const Problem problem(o.m.flatten(), {.stop = 1});
  for (const std::vector<double>& times :
       {std::vector<double>{0.5, 2}, {-1, 0.5}, {std::nan(""), 0.5}}) {
    try {
      problem.remake(SimulateOptions{.stop = 1, .save_at = times}).solve();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "I011");
      EXPECT_NE(std::string(error.what()).find("from 0 to 1"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace alembert::integrate
