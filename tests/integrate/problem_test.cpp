// SPDX-License-Identifier: Apache-2.0
// Expressions on a solution against closed forms, and runs made again without compiling.
#include "alembert/integrate/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

// The rows are another route to the same values: at every row, whatever ends the run.
void expect_as_rows(const Solution& sol, const Expr& quantity, const char* name) {
  const std::vector<double> all = sol[quantity];
  const std::vector<double> rows = sol.result().trajectory.column(name);
  ASSERT_EQ(all.size(), rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], rows[i], 1e-9) << name << i;
}

TEST(SolutionTest, AnEventAtTheEndHasTwoSides) {
  for (const char* method : {"auto", "tsit5", "taylor"}) {
    Model m("Jump");
    const Expr x = m.unknown("x", {.start = 0, .fixed = true});
    const Expr n = m.discrete("n");
    m += der(x) == 1;
    m.when(m.time() >= 1, {builder::reinit(x, 7)});
    m.when(m.sample(0.25, 0.25), {builder::set(n, builder::pre(n) + 1)});
    const Solution sol = Problem(m.flatten(), {.intervals = 4, .method = method}).solve();
    EXPECT_NEAR(sol(1, x, Side::before), 1, 1e-9) << method;
    EXPECT_EQ(sol(1, x), 7) << method;
    EXPECT_EQ(sol(1, n, Side::before), 3) << method;
    EXPECT_EQ(sol(1, n), 4) << method;
    expect_as_rows(sol, x, "x");
    expect_as_rows(sol, n, "n");
  }
}

TEST(SolutionTest, AnEventThatEndsTheRunHasTwoSides) {
  Model m("Ends");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n");
  m += der(x) == 1;
  m.when(x > 0.5, {builder::set(n, 3), builder::reinit(x, 7), builder::terminate("that was all")});
  const Solution sol = Problem(m.flatten()).solve();
  ASSERT_EQ(sol.result().outcome, Outcome::terminated);
  const double end = sol.result().end_time;
  EXPECT_NEAR(sol(end, x, Side::before), 0.5, 1e-9);
  EXPECT_EQ(sol(end, x), 7);
  EXPECT_EQ(sol(end, n), 3);
  expect_as_rows(sol, x, "x");
}

TEST(SolutionTest, ARunThatFailsIsKnownUpToItsEnd) {
  Model m("Guarded");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  m += der(x) == 1;
  m.require(x < 0.5, "x is too large");
  const Solution guarded = Problem(m.flatten()).solve();
  ASSERT_EQ(guarded.result().outcome, Outcome::assertion_failed);
  EXPECT_NEAR(guarded(0.49, x), 0.49, 1e-9);
  expect_as_rows(guarded, x, "x");

  Model r("Root");
  const Expr y = r.unknown("y", {.start = 1, .fixed = true});
  const Expr root = r.unknown("root");
  r += der(y) == -1;
  r += root == sqrt(y - 0.25);
  const Solution ends = Problem(r.flatten(), {.stop = 2}).solve();
  ASSERT_NE(ends.result().outcome, Outcome::done);
  EXPECT_NEAR(ends.result().end_time, 0.75, 1e-6);
  EXPECT_NEAR(ends(0.74, y), 0.26, 1e-9);
  expect_as_rows(ends, y, "y");
}

// What was before the checkpoint is in the rows alone.
TEST(SolutionTest, OfAResumedRunIsKnownWhatCameAfter) {
  Oscillator o;
  SimulateOptions options{.stop = 5};
  Checkpoint kept;
  options.checkpoint_every = 2;
  options.on_checkpoint = [&](const Checkpoint& checkpoint) {
    kept = checkpoint;
    return false;
  };
  const Problem problem(o.m.flatten(), options);
  const Solution paused = problem.solve();
  ASSERT_EQ(paused.result().outcome, Outcome::paused);
  const Solution sol = problem.remake(SimulateOptions{.stop = 5, .resume = &kept}).solve();
  ASSERT_EQ(sol.result().outcome, Outcome::done);
  const std::vector<double> all = sol[o.x];
  ASSERT_EQ(all.size(), sol.times().size());
  EXPECT_EQ(sol.times().front(), 0);
  const double known = paused.result().end_time;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double t = sol.times()[i];
    EXPECT_EQ(std::isnan(all[i]), t < known) << t;
    if (t < known) continue;
    EXPECT_NEAR(all[i], std::cos(2 * t), 1e-4) << t;
  }
  EXPECT_THROW(sol(1, o.x), Error);
}

// c = 2x with x = exp(-2t): all variables are states of a method that takes the model as it is.
TEST(SolutionTest, DerivativesThatTheModelHasNotAreHadWithEveryMethod) {
  for (const char* method : {"auto", "taylor", "rk4", "cvode"}) {
    Model m("Decay");
    const Expr x = m.unknown("x", {.start = 1, .fixed = true});
    const Expr c = m.unknown("c");
    m += der(x) == -2 * x;
    m += c == 2 * x;
    const Solution sol =
        Problem(m.flatten(), {.tolerance = 1e-9, .method = method, .step = 1e-3}).solve();
    for (const double t : {0.0, 0.3, 1.0})
      EXPECT_NEAR(sol(t, der(c)), -4 * std::exp(-2 * t), 1e-6) << method << t;
  }
  for (const char* method : {"rattle", "rattle4", "manifold-midpoint"}) {
    Model m("Pendulum");
    const Expr x = m.unknown("x", {.start = 1, .fixed = true});
    const Expr y = m.unknown("y", {.start = 0});
    const Expr lambda = m.unknown("lambda");
    const Expr sum = m.unknown("sum");
    m.start(der(y), 0, {.fixed = true});
    m += der(der(x)) == lambda * x;
    m += der(der(y)) == lambda * y - 1;
    m += x * x + y * y == 1;
    m += sum == x + y;
    const Solution sol = Problem(m.flatten(), {.method = method, .step = 1e-3}).solve();
    for (const double t : {0.0, 0.41, 1.0})
      EXPECT_NEAR(sol(t, der(sum)), sol(t, der(x) + der(y)), 1e-5) << method << t;
  }
}

TEST(SolutionTest, ObservedNamesStandInExpressions) {
  Oscillator o;
  const Solution sol = Problem(o.m.flatten(), {.tolerance = 1e-9}).solve();
  EXPECT_NEAR(sol(0.3, "energy^2"), 4, 1e-6);
  EXPECT_NEAR(sol(0.3, "energy - v^2/2 + x"), 2 * std::pow(std::cos(0.6), 2) + std::cos(0.6), 1e-6);
  EXPECT_NEAR(sol(0.3, "der(energy)"), 0, 1e-6);
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

TEST(Remake, TellsOfAStartThatTheEquationsDetermine) {
  Model m("Decay");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}), al = m.unknown("al");
  m += der(x) == -x;
  m += al == 2 * x;
  const Problem problem(m.flatten(), {.stop = 1});
  EXPECT_TRUE(problem.remake({{"x", 3}}).solve().result().warnings.empty());
  const auto warnings = problem.remake({{"al", 3}}).solve().result().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "'al' starts with 2, not with the 3 that was given: the equations determine it, so "
            "that its start value is a first guess only.");
  EXPECT_TRUE(problem.remake({{"al", 2}}).solve().result().warnings.empty());
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

TEST(ProblemTest, OptionsThatCannotBeMeantAreRefused) {
  Oscillator o;
  const Problem problem(o.m.flatten());
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const SimulateOptions wrong[] = {{.start = 2, .stop = 1},
                                   {.stop = nan},
                                   {.stop = inf},
                                   {.start = nan},
                                   {.tolerance = 0},
                                   {.tolerance = -1e-6},
                                   {.tolerance = nan},
                                   {.tolerance = inf},
                                   {.step = -0.1},
                                   {.step = nan},
                                   {.baumgarte_omega = -1},
                                   {.baumgarte_omega = nan},
                                   {.baumgarte_omega = inf},
                                   {.baumgarte_zeta = 0},
                                   {.baumgarte_zeta = -1},
                                   {.baumgarte_zeta = nan}};
  for (const SimulateOptions& options : wrong) {
    try {
      problem.remake(options).solve();
      ADD_FAILURE() << &options - wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "I011") << error.what();
    }
  }
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
