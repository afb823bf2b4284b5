// SPDX-License-Identifier: Apache-2.0
// Equations written by hand: the forms of the Cartesian pendulum whose index was lowered by hand.
#include "alembert/integrate/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <string>

#include "alembert/base/error.hpp"

namespace alembert::integrate {
namespace {

// The length constraint differentiated twice; the constraint itself is nowhere.
HandProblem drifting_pendulum(double t_stop) {
  return {
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double> p, double) {
            const double vx = u[0], x = u[1], vy = u[2], y = u[3], lambda = u[4];
            out[0] = lambda * x;
            out[1] = vx;
            out[2] = lambda * y - p[0];
            out[3] = vy;
            out[4] = out[0] * x + vx * vx + out[2] * y + vy * vy;
          },
      .start = {0, 1, 0, 0, 0},
      .t_stop = t_stop,
      .parameters = {1},
      .mass = {1, 1, 1, 1, 0},
      .names = {"der(x)", "x", "der(y)", "y", "lambda"}};
}

// Dummy derivatives by hand: y and its velocity are states, x follows; singular where x = 0.
HandProblem static_pendulum(double t_stop) {
  return {
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double> p, double) {
            const double y = u[0], x = u[1], v = u[2], lambda = u[3];
            out[0] = v;
            out[1] = x * x + y * y - 1;
            const double vx = -v * y / x;
            out[2] = lambda * y - p[0];
            out[3] = lambda * x * x + vx * vx + out[2] * y + v * v;
          },
      .start = {0, 1, 0, 0},
      .t_stop = t_stop,
      .parameters = {1},
      .mass = {1, 0, 1, 0},
      .names = {"y", "x", "v", "lambda"}};
}

double length_error(const result::Trajectory& trajectory, std::size_t row, const char* x,
                    const char* y) {
  const double at_x = trajectory.column(x)[row], at_y = trajectory.column(y)[row];
  return std::abs(at_x * at_x + at_y * at_y - 1);
}

TEST(Solve, ThePendulumDifferentiatedTwiceDrifts) {
  for (const char* method : {"rodas5p", "rodas6p", "radau5", "ida"}) {
    const SolveResult run =
        solve(drifting_pendulum(500),
              {.method = method, .relative_tolerance = 1e-3, .absolute_tolerance = 1e-6});
    ASSERT_EQ(run.outcome, Outcome::done) << method << ": " << run.message;
    ASSERT_EQ(run.trajectory.n_rows(), 501u);
    const double early = length_error(run.trajectory, 10, "x", "y");
    const double late = length_error(run.trajectory, 500, "x", "y");
    EXPECT_LT(early, 0.05) << method;
    EXPECT_GT(late, 5 * early) << method;
    EXPECT_GT(late, 0.01) << method;
  }
}

// The exact motion starts level and at rest; x = 0 is passed at a quarter of the period, 4 K(1/2).
TEST(Solve, TheStaticChoiceStopsAtXZeroAndSaysSo) {
  const double quarter = 1.8540746773013719;
  for (const char* method : {"rodas5p", "rodas6p", "radau5", "ida", "auto"}) {
    const SolveResult run = solve(static_pendulum(500), {.method = method});
    EXPECT_NE(run.outcome, Outcome::done) << method;
    EXPECT_NEAR(run.end_time, quarter, 1e-2) << method;
    EXPECT_LT(run.statistics.steps, 20000u) << method;
    EXPECT_NE(run.message.find("stopped at time 1.8"), std::string::npos) << run.message;
    EXPECT_NE(run.message.find("singularity"), std::string::npos) << run.message;
    for (std::size_t row = 0; row < run.trajectory.n_rows(); ++row)
      EXPECT_LT(length_error(run.trajectory, row, "x", "y"), 1e-4) << method;
  }
}

TEST(Solve, AJacobianByHandGivesTheSameRun) {
  HandProblem problem = {
      .f = [](std::span<double> out, std::span<const double> u, std::span<const double> p,
              double t) { out[0] = -p[0] * (u[0] - std::cos(t)) - std::sin(t); },
      .start = {2},
      .t_stop = 10,
      .parameters = {1e4}};
  const SolveResult without = solve(problem, {.method = "rodas5p"});
  problem.jacobian = [](std::span<double> dfdu, std::span<const double>, std::span<const double> p,
                        double) { dfdu[0] = -p[0]; };
  const SolveResult with = solve(problem, {.method = "rodas5p"});
  ASSERT_EQ(with.outcome, Outcome::done);
  EXPECT_NEAR(with.trajectory.value(500, 0), std::cos(10), 1e-5);
  EXPECT_NEAR(with.trajectory.value(500, 0), without.trajectory.value(500, 0), 1e-6);
  EXPECT_EQ(with.trajectory.names()[0], "u[1]");
}

TEST(Solve, EveryMethodThatFitsRunsAndBackwardsToo) {
  for (const MethodInfo* method : all_methods()) {
    HandProblem problem = {
        .f =
            [](std::span<double> out, std::span<const double> u, std::span<const double>, double) {
              out[0] = u[1];
              out[1] = -u[0];
            },
        .start = {1, 0},
        .t_start = 1,
        .t_stop = 0,
        .velocity_of = {1, 2}};
    const SolveResult run = solve(problem, {.method = std::string(method->name), .intervals = 10});
    ASSERT_EQ(run.outcome, Outcome::done) << method->name;
    ASSERT_EQ(run.trajectory.n_rows(), 11u);
    EXPECT_EQ(run.trajectory.times().back(), 0);
    EXPECT_NEAR(run.trajectory.value(10, 0), std::cos(1), 1e-3) << method->name;
    EXPECT_NEAR(run.trajectory.value(10, 1), std::sin(1), 1e-3) << method->name;
  }
}

// Around the unit circle at the speed 1 + cos(t) / 2, multiplied by a full M; the last row is
// 0 = u0^2 + u1^2 - u2, so that M is singular. Exact: the angle is t + sin(t) / 2, and u2 is 1.
HandProblem circling_with_mass(bool with_jacobian) {
  HandProblem problem = {
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double>, double t) {
            const double w = 1 + 0.5 * std::cos(t);
            out[0] = w * (-2 * u[1] + u[0]);
            out[1] = w * (-u[1] + 3 * u[0]);
            out[2] = u[0] * u[0] + u[1] * u[1] - u[2];
          },
      .start = {1, 0, 1},
      .t_stop = 4,
      .mass = {2, 1, 0, 1, 3, 0, 0, 0, 0}};
  if (with_jacobian)
    problem.jacobian = [](std::span<double> dfdu, std::span<const double> u,
                          std::span<const double>, double t) {
      const double w = 1 + 0.5 * std::cos(t);
      const double columns[] = {w, 3 * w, 2 * u[0], -2 * w, -w, 2 * u[1], 0, 0, -1};
      std::copy(std::begin(columns), std::end(columns), dfdu.begin());
    };
  return problem;
}

double circling_error(const SolveResult& run) {
  const double angle = 4 + 0.5 * std::sin(4.0);
  const std::size_t last = run.trajectory.n_rows() - 1;
  return std::max({std::abs(run.trajectory.value(last, 0) - std::cos(angle)),
                   std::abs(run.trajectory.value(last, 1) - std::sin(angle)),
                   std::abs(run.trajectory.value(last, 2) - 1)});
}

TEST(Solve, EveryMethodTakesASingularMassMatrixOrSaysThatItTakesNone) {
  for (const MethodInfo* method : all_methods())
    for (const bool with_jacobian : {false, true}) {
      SCOPED_TRACE(std::string(method->name) + (with_jacobian ? " with a Jacobian" : ""));
      SolveOptions options = {.method = std::string(method->name), .intervals = 4};
      try {
        const SolveResult run = solve(circling_with_mass(with_jacobian), options);
        ASSERT_TRUE(method->takes_mass);
        ASSERT_EQ(run.outcome, Outcome::done) << run.message;
        EXPECT_LT(circling_error(run), method->order == 1 ? 0.02 : 1e-4);
        if (method->step_choice != StepChoice::fixed) continue;
        double error[2];
        for (const int k : {0, 1}) {
          options.step = 0.04 / (k + 1);
          error[k] = circling_error(solve(circling_with_mass(with_jacobian), options));
        }
        EXPECT_NEAR(std::log2(error[0] / error[1]), method->order, 0.2);
      } catch (const Error& error) {
        EXPECT_FALSE(method->takes_mass);
        EXPECT_NE(std::string(error.what()).find("takes no mass matrix. Use one of"),
                  std::string::npos)
            << error.what();
      }
    }
}

// u' = w, 0 = w - 1e3 (cos t - u), 0 = v + u - 1: v is zero at the start and w moves at once.
// Difference quotients must see v, and IDA's first step how fast w is. Exact solution.
TEST(Solve, AlgebraicUnknownsMayBeginAtZeroAndMoveAtOnce) {
  constexpr double k = 1e3, tolerance = 1e-8;
  const HandProblem problem{
      .f =
          [](std::span<double> out, std::span<const double> y, std::span<const double>, double t) {
            out[0] = y[1];
            out[1] = y[1] - k * (std::cos(t) - y[0]);
            out[2] = y[2] + y[0] - 1;
          },
      .start = {1, 0, 0},
      .mass = {1, 0, 0}};
  const double c = k * k / (1 + k * k), s = k / (1 + k * k);
  const double exact = c * std::cos(1.0) + s * std::sin(1.0);
  for (const char* method : {"rodas5p", "rodas6p", "radau5", "ida", "auto"}) {
    const SolveResult run =
        solve(problem,
              {.method = method, .relative_tolerance = tolerance, .absolute_tolerance = tolerance});
    ASSERT_EQ(run.outcome, Outcome::done) << method << ": " << run.message;
    EXPECT_NEAR(run.trajectory.column("u[1]").back(), exact, 100 * tolerance) << method;
    EXPECT_NEAR(run.trajectory.column("u[3]").back(), 1 - exact, 100 * tolerance) << method;
  }
}

TEST(Solve, WrongSizesAndNamesAreMistakes) {
  HandProblem problem = drifting_pendulum(1);
  problem.mass = {1, 2};
  EXPECT_THROW(solve(problem), Error);
  problem = drifting_pendulum(1);
  problem.names = {"x"};
  EXPECT_THROW(solve(problem), Error);
  EXPECT_THROW(solve(drifting_pendulum(1), {.method = "rodas7"}), Error);
  EXPECT_THROW(solve(drifting_pendulum(1), {.method = "tsit5"}), Error);
}

// x' = y - x with 0 = y - cos(t): y of the start is what its equation says, whatever was given.
TEST(Solve, AnAlgebraicUnknownStartsWithWhatItsEquationSays) {
  for (const char* method : {"auto", "rodas5p", "radau5", "ida", "implicit-euler"}) {
    const HandProblem problem{.f =
                                  [](std::span<double> out, std::span<const double> u,
                                     std::span<const double>, double t) {
                                    out[0] = u[1] - u[0];
                                    out[1] = u[1] - std::cos(t);
                                  },
                              .start = {0, 5},
                              .t_stop = 3,
                              .mass = {1, 0}};
    const SolveResult result = solve(problem, {.method = method});
    EXPECT_EQ(result.outcome, Outcome::done) << method << ": " << result.message;
    EXPECT_NEAR(result.trajectory.column("u[2]").front(), 1, 1e-9) << method;
    const double exact = (std::cos(3) + std::sin(3) - std::exp(-3)) / 2;
    EXPECT_NEAR(result.trajectory.column("u[1]").back(), exact, 2e-3) << method;
  }
}

/// What solve refuses to do, with the code in front.
std::string refusal(const HandProblem& problem, const SolveOptions& options = {}) {
  try {
    solve(problem, options);
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
  return "nothing was refused";
}

void expect_refusal(const HandProblem& problem, const SolveOptions& options, const char* code,
                    const char* says) {
  const std::string message = refusal(problem, options);
  EXPECT_TRUE(message.starts_with(code)) << message;
  EXPECT_NE(message.find(says), std::string::npos) << message;
}

/// u' = v, v' = a(u, v).
HandProblem oscillation(double (*acceleration)(double u, double v)) {
  return {
      .f = [acceleration](std::span<double> out, std::span<const double> u, std::span<const double>,
                          double) { out[0] = u[1], out[1] = acceleration(u[0], u[1]); },
      .start = {1, 0},
      .velocity_of = {1, 2}};
}
double spring(double u, double) { return -u; }

// u passes zero, and v begins there: neither has a size at that time that a part of it could be
// asked for. Exact solution.
TEST(Solve, ARelativeToleranceAloneIsEnough) {
  for (const MethodInfo* method : all_methods()) {
    if (method->step_choice == StepChoice::fixed) continue;
    for (const double last : {1.0, 3.0}) {
      HandProblem problem = oscillation(spring);
      problem.t_stop = last;
      const SolveResult run = solve(
          problem,
          {.method = std::string(method->name), .absolute_tolerance = 0, .max_steps = 10'000});
      ASSERT_EQ(run.outcome, Outcome::done) << method->name << ": " << run.message;
      EXPECT_NEAR(run.trajectory.column("u[1]").back(), std::cos(last), 1e-4) << method->name;
    }
    // At rest for ever, at rest at first, and what decays to nothing.
    const SolveResult resting =
        solve({.f = [](std::span<double> out, std::span<const double> u, std::span<const double>,
                       double t) { out[0] = -2e3 * u[0], out[1] = 0, out[2] = t; },
               .start = {1, 0, 0}},
              {.method = std::string(method->name), .absolute_tolerance = 0, .max_steps = 20'000});
    ASSERT_EQ(resting.outcome, Outcome::done) << method->name << ": " << resting.message;
    EXPECT_EQ(resting.trajectory.column("u[2]").back(), 0) << method->name;
    EXPECT_NEAR(resting.trajectory.column("u[3]").back(), 0.5, 1e-5) << method->name;
  }
}

TEST(Solve, AnAbsoluteToleranceAloneIsEnough) {
  for (const MethodInfo* method : all_methods()) {
    if (method->step_choice == StepChoice::fixed) continue;
    const SolveResult run =
        solve(oscillation(spring),
              {.method = std::string(method->name), .relative_tolerance = 0, .max_steps = 10'000});
    ASSERT_EQ(run.outcome, Outcome::done) << method->name << ": " << run.message;
    EXPECT_NEAR(run.trajectory.column("u[1]").back(), std::cos(1), 1e-4) << method->name;
  }
}

TEST(Solve, WhatCannotBeMeantIsRefused) {
  const double inf = std::numeric_limits<double>::infinity();
  const HandProblem good = oscillation(spring);
  for (const double wrong : {std::nan(""), -1e-6, inf}) {
    expect_refusal(good, {.relative_tolerance = wrong}, "I011", "relative_tolerance");
    expect_refusal(good, {.absolute_tolerance = wrong}, "I011", "absolute_tolerance");
    expect_refusal(good, {.step = wrong}, "I011", "SolveOptions::step");
  }
  expect_refusal(good, {.relative_tolerance = 0, .absolute_tolerance = 0}, "I011", "both zero");
  for (const double wrong : {std::nan(""), inf}) {
    HandProblem problem = good;
    problem.t_stop = wrong;
    expect_refusal(problem, {}, "I011", "t_stop");
    problem = good;
    problem.t_start = wrong;
    expect_refusal(problem, {}, "I011", "t_start");
  }
  HandProblem named = good;
  named.names = {"a", "a"};
  expect_refusal(named, {}, "I011", "two unknowns are named 'a'");
  named.names = {"a", "time"};
  expect_refusal(named, {}, "I011", "'time'");
}

// A loop whose attempts all fail ends too, whatever the method makes of them.
TEST(Solve, AttemptsInVainCount) {
  int calls = 0;
  const HandProblem noise{
      .f = [&](std::span<double> out, std::span<const double>, std::span<const double>,
               double) { out[0] = ++calls % 2 == 0 ? 1e9 : -1e9; },
      .start = {1}};
  const SolveResult run = solve(noise, {.method = "tsit5", .max_steps = 10});
  EXPECT_EQ(run.outcome, Outcome::too_many_steps);
  EXPECT_LE(run.statistics.steps + run.statistics.rejected, 10u);
  EXPECT_NE(run.message.find("more than 10 steps, of which"), std::string::npos) << run.message;
  EXPECT_NE(run.message.find("relative_tolerance"), std::string::npos) << run.message;
}

// Damped, and damped only away from zero: terms of position and velocity are zero at the start.
TEST(Solve, SymplecticMethodsAreForAccelerationsWithoutVelocities) {
  const auto damped = [](double u, double v) { return -u - v; };
  const auto hardly_damped = [](double u, double v) { return -u - 1e-6 * v; };
  const auto coupled = [](double u, double v) { return -u - (u - 1) * v; };
  for (const MethodInfo* method : all_methods()) {
    if (!method->needs_separable) continue;
    const std::string name(method->name);
    expect_refusal(oscillation(damped), {.method = name}, "I010", "HandProblem::velocity_of");
    expect_refusal(oscillation(hardly_damped), {.method = name}, "I010", "row 2 of f");
    expect_refusal(oscillation(coupled), {.method = name}, "I010", "row 2 of f");
  }
  EXPECT_EQ(solve(oscillation(damped), {.method = "newmark"}).outcome, Outcome::done);
}

TEST(Solve, VelocitiesMustBeSome) {
  HandProblem wrong = oscillation(spring);
  wrong.f = [](std::span<double> out, std::span<const double> u, std::span<const double>, double) {
    out[0] = 2 * u[1], out[1] = -u[0];
  };
  for (const char* method : {"symplectic4", "newmark", "auto"})
    expect_refusal(wrong, {.method = method}, "I011", "the derivative of 'u[1]' is 'u[2]'");
  HandProblem none = oscillation(spring);
  none.velocity_of = {};
  for (const MethodInfo* method : all_methods())
    if (method->needs_velocities || method->needs_separable)
      expect_refusal(none, {.method = std::string(method->name)}, "I010",
                     "HandProblem::velocity_of");
  none.velocity_of = {3, 2};
  expect_refusal(none, {.method = "verlet"}, "I011", "3 is no unknown");
  none.velocity_of = {1, 1};
  expect_refusal(none, {.method = "verlet"}, "I011", "1 occurs twice");
}

TEST(Solve, MethodsOfModelsAreNotForEquationsByHand) {
  for (const char* method : {"taylor", "rattle", "fixed"})
    expect_refusal(oscillation(spring), {.method = method}, "I003", "needs a Model");
}

// u' = v with 0 = u - sin(t): nothing determines v before that is differentiated.
TEST(Solve, AnIndexAboveOneIsRefused) {
  const HandProblem problem{
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double>, double t) {
            out[0] = u[1];
            out[1] = u[0] - std::sin(t);
          },
      .start = {0, 7},
      .mass = {1, 0}};
  for (const MethodInfo* method : all_methods())
    if (method->takes_mass)
      expect_refusal(problem, {.method = std::string(method->name)}, "I005", "index");
}

// z1 + 1e-30 z2 = 2 and z1 - 1e-30 z2 = 0 beside u' = -u: regular, in units of its own; and only a
// relative tolerance.
TEST(Solve, UnitsMakeNothingSingular) {
  const HandProblem problem{
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double>, double) {
            out[0] = -u[0];
            out[1] = u[1] + 1e-30 * u[2] - 2;
            out[2] = u[1] - 1e-30 * u[2];
          },
      .start = {1, 0, 1e30},
      .mass = {1, 0, 0}};
  const SolveResult run = solve(problem, {.method = "rodas5p", .absolute_tolerance = 0});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("u[2]").front(), 1, 1e-9);
  EXPECT_NEAR(run.trajectory.column("u[1]").back(), std::exp(-1), 1e-5);
}

HandProblem stiff_decay() {
  return {.f = [](std::span<double> out, std::span<const double> u, std::span<const double>,
                  double t) { out[0] = -1e4 * (u[0] - std::cos(t)); },
          .start = {2}};
}

TEST(Solve, StepsThatAreTooLongAreNoSingularity) {
  for (const char* method : {"rk4", "euler"}) {
    const SolveResult run = solve(stiff_decay(), {.method = method, .step = 1e-3});
    EXPECT_NE(run.outcome, Outcome::done);
    EXPECT_NE(run.message.find("fixed length that is too long"), std::string::npos) << run.message;
    EXPECT_EQ(run.message.find("singularity"), std::string::npos) << run.message;
  }
}

using Jacobian = std::function<void(std::span<double> dfdu, std::span<const double> u)>;

HandProblem with_jacobian(HandProblem problem, const Jacobian& jacobian) {
  problem.jacobian = [jacobian](std::span<double> dfdu, std::span<const double> u,
                                std::span<const double>, double) { jacobian(dfdu, u); };
  return problem;
}

TEST(Solve, AWrongJacobianIsNamedWhereARunEndsByIt) {
  for (const double written : {std::nan(""), 0.0}) {
    // Right as far as the start goes.
    const HandProblem problem =
        with_jacobian(stiff_decay(), [written](std::span<double> dfdu, std::span<const double> u) {
          dfdu[0] = u[0] == 2 ? -1e4 : written;
        });
    const SolveResult run = solve(problem, {.method = "radau5", .max_steps = 20});
    EXPECT_NE(run.outcome, Outcome::done);
    EXPECT_NE(run.message.find("HandProblem::jacobian in row 1, column 1 is"), std::string::npos)
        << run.message;
  }
}

/// x' = y - x, y' = -100 (y - cos t).
HandProblem follower(std::vector<double> mass = {}) {
  return {
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double>, double t) {
            out[0] = u[1] - u[0];
            out[1] = -100 * (u[1] - std::cos(t));
          },
      .start = {0, 0},
      .t_stop = 3,
      .mass = std::move(mass)};
}

HandProblem van_der_pol() {
  return {
      .f =
          [](std::span<double> out, std::span<const double> u, std::span<const double>, double) {
            out[0] = u[1];
            out[1] = 100 * (1 - u[0] * u[0]) * u[1] - u[0];
          },
      .start = {2, 0},
      .t_stop = 10};
}

// A step that is held in its place looks exact: no run may begin so.
TEST(Solve, AJacobianThatIsFarOffIsRefusedAtTheStart) {
  const auto follows = [](double last) {
    return [last](std::span<double> dfdu, std::span<const double>) {
      dfdu[0] = -1, dfdu[2] = 1, dfdu[3] = last;
    };
  };
  for (const MethodInfo* method : all_methods()) {
    SCOPED_TRACE(method->name);
    if (method->needs_velocities || method->needs_separable) continue;
    const SolveOptions options{.method = std::string(method->name)};
    for (const std::vector<double>& mass : {std::vector<double>{}, {1, 0}, {1, 0, 0.5, 2}}) {
      if (!mass.empty() && !method->takes_mass) continue;
      const HandProblem good = with_jacobian(follower(mass), follows(-100));
      const HandProblem wrong = with_jacobian(follower(mass), follows(-1e8));
      EXPECT_EQ(refusal(good, options), "nothing was refused") << method->name;
      if (!method->uses_jacobian) continue;
      expect_refusal(wrong, options, "I011", "HandProblem::jacobian in row 2, column 2 is -1e+08");
      expect_refusal(with_jacobian(follower(mass), follows(0)), options, "I011", "row 2, column 2");
    }
    if (method->uses_jacobian)
      expect_refusal(with_jacobian(van_der_pol(),
                                   [](std::span<double> dfdu, std::span<const double>) {
                                     std::ranges::fill(dfdu, 1e12);
                                   }),
                     options, "I011", "HandProblem::jacobian in row 1, column 1 is 1e+12");
  }
}

// Where differences tell little, the word of the user counts.
TEST(Solve, AGoodJacobianIsNotDoubtedBesideKinksInNoiseOrAtZero) {
  const auto problem = [](std::vector<double> start, auto f, auto slope) {
    return with_jacobian({.f =
                              [f](std::span<double> out, std::span<const double> u,
                                  std::span<const double>, double) {
                                for (std::size_t i = 0; i < u.size(); ++i) out[i] = f(u[i]);
                              },
                          .start = std::move(start),
                          .t_stop = 1e-3},
                         [slope](std::span<double> dfdu, std::span<const double> u) {
                           for (std::size_t i = 0; i < u.size(); ++i)
                             dfdu[i * u.size() + i] = slope(u[i]);
                         });
  };
  const auto sign = [](double u) { return u > 0 ? 1.0 : u < 0 ? -1.0 : 0.0; };
  const HandProblem all[] = {
      problem(
          {0, 0}, [](double u) { return -1e6 * std::abs(u); },
          [sign](double u) { return -1e6 * sign(u); }),
      problem(
          {0, 0}, [](double u) { return 1e9 * std::max(0.0, -u); },
          [](double u) { return u < 0 ? -1e9 : 0.0; }),
      problem(
          {0, 1}, [sign](double u) { return -1e4 * sign(u); }, [](double) { return 0.0; }),
      problem(
          {1, 2}, [](double u) { return static_cast<double>(static_cast<float>(-1e5 * u)); },
          [](double) { return -1e5; }),
      problem(
          {0, 1e-9}, [](double u) { return -1e6 * std::tanh(1e10 * u); },
          [](double u) { return -1e16 / std::pow(std::cosh(1e10 * u), 2); }),
      problem(
          {0, 3}, [](double u) { return -1e3 * std::sqrt(std::abs(u)) * u; },
          [](double u) { return -1.5e3 * std::sqrt(std::abs(u)); }),
      problem(
          {1e12, 1e-12}, [](double u) { return -u * u / (1 + u); },
          [](double u) { return -u * (2 + u) / ((1 + u) * (1 + u)); }),
      problem(
          {1, 1}, [](double u) { return 1e8 * (u - 1) * (u - 1) - 5e5 * (u - 1); },
          [](double u) { return 2e8 * (u - 1) - 5e5; })};
  for (std::size_t k = 0; k < std::size(all); ++k)
    for (const char* method : {"auto", "rodas5p", "cvode", "radau5"})
      EXPECT_EQ(refusal(all[k], {.method = method, .max_steps = 100}), "nothing was refused")
          << k << " " << method;
}

// u' = u^2 ends at t = 1, between two times of output.
TEST(Solve, ARunThatEndsEarlyShowsHowFarItCame) {
  const HandProblem problem{.f = [](std::span<double> out, std::span<const double> u,
                                    std::span<const double>, double) { out[0] = u[0] * u[0]; },
                            .start = {1},
                            .t_stop = 2};
  for (const char* method : {"ida", "tsit5", "rodas5p", "auto", "radau5"})
    for (const std::uint32_t intervals : {10u, 0u}) {
      const SolveResult run = solve(problem, {.method = method, .intervals = intervals});
      ASSERT_NE(run.outcome, Outcome::done) << method;
      const auto& times = run.trajectory.times();
      EXPECT_EQ(times.back(), run.end_time) << method;
      EXPECT_TRUE(std::ranges::is_sorted(times, std::less_equal<>())) << method;
      EXPECT_GT(run.trajectory.column("u[1]").back(), 1e3) << method;
    }
}

TEST(Solve, WhatIsNoNumberIsNamed) {
  HandProblem problem = oscillation(spring);
  problem.velocity_of = {};
  problem.mass = {1, std::nan("")};
  expect_refusal(problem, {}, "I011", "HandProblem::mass in row 2, column 2 is nan");
  problem.mass = {1, 0, std::nan(""), 1};
  expect_refusal(problem, {}, "I011", "HandProblem::mass in row 1, column 2 is nan");
  problem.mass = {1, 0, 1};
  expect_refusal(problem, {}, "I011", "has 3 values where 2, its diagonal, or 4");
  problem.mass = {};
  problem.start = {1, std::nan("")};
  problem.names = {"x", "v"};
  expect_refusal(problem, {}, "I011", "the start value of 'v' is nan");
}

TEST(Solve, ARowThatIsNotWrittenIsTold) {
  const auto forgetful = [](double first) {
    return HandProblem{.f = [first](std::span<double> out, std::span<const double> u,
                                    std::span<const double>, double) { out[0] = first * u[1]; },
                       .start = {1, 2}};
  };
  expect_refusal(forgetful(1), {}, "I011", "f writes nothing into out[1], row 2 of 2");
  // What is written and has no value is another matter.
  HandProblem lost = forgetful(std::nan(""));
  lost.start = {1};
  lost.f = [](std::span<double> out, std::span<const double> u, std::span<const double>, double) {
    out[0] = std::log(-u[0]);
  };
  EXPECT_NE(solve(lost).message.find("row 1 was not finite"), std::string::npos);
}

// z^2 + 1 = 0 beside u' = -u.
TEST(Solve, AConstraintWithoutARootHasNoStart) {
  for (const MethodInfo* method : all_methods()) {
    if (!method->takes_mass) continue;
    const HandProblem problem{
        .f =
            [](std::span<double> out, std::span<const double> u, std::span<const double>, double) {
              out[0] = -u[0];
              out[1] = u[1] * u[1] + 1;
            },
        .start = {1, 0.7},
        .mass = {1, 0}};
    SCOPED_TRACE(method->name);
    expect_refusal(problem, {.method = std::string(method->name)}, "I001", "row 2 of f");
    HandProblem mixed = problem;  // the second row is the difference of both
    mixed.f = [](std::span<double> out, std::span<const double> u, std::span<const double>,
                 double) {
      out[0] = -u[0];
      out[1] = -u[0] - u[1] * u[1] - 1;
    };
    mixed.mass = {1, 1, 0, 0};
    expect_refusal(mixed, {.method = std::string(method->name)}, "I001", "a combination of rows");
  }
}

}  // namespace
}  // namespace alembert::integrate
