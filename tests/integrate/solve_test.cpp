// SPDX-License-Identifier: Apache-2.0
// Equations written by hand: the forms of the Cartesian pendulum whose index was lowered by hand.
#include "alembert/integrate/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

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

}  // namespace
}  // namespace alembert::integrate
