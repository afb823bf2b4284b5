// SPDX-License-Identifier: Apache-2.0
// The method taylor on models: ordinary and of high index, with events and choices, against exact
// solutions, invariants, and other methods.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/alembert.hpp"
#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/cartesian_pendulum.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

SimulationResult run(const CompiledModel& model, double stop, double tolerance,
                     const char* method = "taylor", std::uint32_t intervals = 50) {
  SimulationResult result = simulate(
      model, {.stop = stop, .tolerance = tolerance, .intervals = intervals, .method = method});
  EXPECT_EQ(result.outcome, Outcome::done) << method << ": " << result.message;
  return result;
}

void expect_same(const SimulationResult& a, const SimulationResult& b, double tolerance,
                 const std::vector<const char*>& names) {
  for (const char* name : names) {
    const auto x = a.trajectory.column(name), y = b.trajectory.column(name);
    ASSERT_EQ(x.size(), y.size()) << name;
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], y[i], tolerance * std::max(1.0, std::abs(y[i]))) << name << " row " << i;
  }
}

/// Eccentricity 0.6, ten revolutions: back where it began.
TEST(Taylor, KeplerOrbitCloses) {
  Model m("Kepler");
  const double e = 0.6;
  const Expr x = m.unknown("x", {.start = 1 - e}), y = m.unknown("y", {.start = 0});
  m.start(der(x), 0);
  m.start(der(y), std::sqrt((1 + e) / (1 - e)));
  const Expr r3 = pow(x * x + y * y, 1.5);
  m += der(der(x)) == -x / r3;
  m += der(der(y)) == -y / r3;
  const CompiledModel model(m.flatten());
  const SimulationResult result = run(model, 20 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(at_end(result, "x"), 1 - e, 1e-10);
  EXPECT_NEAR(at_end(result, "y"), 0, 1e-10);
  EXPECT_LT(result.statistics.steps, 400u);
}

TEST(Taylor, LorenzAgreesWithRungeKutta) {
  Model m("Lorenz");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 1}),
             z = m.unknown("z", {.start = 1});
  const Expr rho = m.parameter("rho", 28);
  m += der(x) == 10 * (y - x);
  m += der(y) == x * (rho - z) - y;
  m += der(z) == x * y - 8 * z / 3;
  const CompiledModel model(m.flatten());
  expect_same(run(model, 8, 1e-14), run(model, 8, 1e-14, "dop853"), 1e-9, {"x", "y", "z"});
}

/// Two pendula, the length of the second driven by the tension of the first: index 5.
TEST(Taylor, IndexFive) {
  Model m("DrivenPendula");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
  const Expr u = m.unknown("u", {.start = 0.9}), v = m.unknown("v", {.start = 0.7});
  const Expr lambda = m.unknown("lambda"), mu = m.unknown("mu");
  m += der(der(x)) == -lambda * x;
  m += der(der(y)) == -lambda * y - 1;
  m += x * x + y * y == 1;
  m += der(der(u)) == -mu * u;
  m += der(der(v)) == -mu * v - 1;
  m += u * u + v * v == (1.2 + 0.05 * lambda) * (1.2 + 0.05 * lambda);
  const CompiledModel model(m.flatten());
  const SimulationResult taylor = run(model, 5, 1e-12), other = run(model, 5, 1e-11, "radau5");
  EXPECT_LT(taylor.largest_constraint_residual, 1e-11);
  expect_same(taylor, other, 1e-7, {"x", "y", "u", "v", "lambda"});
}

/// Index 3 with a constraint that depends on time; digits of extended precision.
TEST(Taylor, CarAxis) {
  Model m("CarAxis");
  const Expr k = m.parameter("k", 5e-4), rest = m.parameter("L0", 0.5);
  const Expr xl = m.unknown("xl", {.start = 0}), yl = m.unknown("yl", {.start = 0.5}),
             xr = m.unknown("xr", {.start = 1}), yr = m.unknown("yr", {.start = 0.5});
  const Expr a = m.unknown("lambda1"), b = m.unknown("lambda2");
  m.start(der(xl), -0.5);
  m.start(der(yl), 0);
  m.start(der(xr), -0.5);
  m.start(der(yr), 0);
  const Expr yb = 0.1 * sin(10 * m.time()), xb = sqrt(1 - yb * yb);
  const Expr left = sqrt(xl * xl + yl * yl),
             right = sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb));
  m += k * der(der(xl)) == (rest - left) * xl / left + a * xb + 2 * b * (xl - xr);
  m += k * der(der(yl)) == (rest - left) * yl / left + a * yb + 2 * b * (yl - yr) - k;
  m += k * der(der(xr)) == (rest - right) * (xr - xb) / right - 2 * b * (xl - xr);
  m += k * der(der(yr)) == (rest - right) * (yr - yb) / right - 2 * b * (yl - yr) - k;
  m += 0 == xl * xb + yl * yb;
  m += 0 == (xl - xr) * (xl - xr) + (yl - yr) * (yl - yr) - 1;
  const CompiledModel model(m.flatten());
  const SimulationResult taylor = run(model, 3, 1e-12);
  const SimulationResult rattle =
      simulate(model, {.stop = 3, .intervals = 10, .method = "rattle8", .step = 0.002});
  for (const SimulationResult* result : {&taylor, &rattle}) {
    const double tolerance = result == &taylor ? 1e-11 : 1e-9;
    EXPECT_NEAR(at_end(*result, "xl"), 0.049345578427524092, tolerance);
    EXPECT_NEAR(at_end(*result, "yl"), 0.49698946023000811, tolerance);
    EXPECT_NEAR(at_end(*result, "xr"), 1.0417425248854261, tolerance);
    EXPECT_NEAR(at_end(*result, "der(yr)"), 0.77034104377960106, 100 * tolerance);
    EXPECT_NEAR(at_end(*result, "lambda1"), -0.0047368865908533265, tolerance);
    EXPECT_NEAR(at_end(*result, "lambda2"), -0.0011046803312595658, tolerance);
  }
}

/// The order of a step grows with the digits asked for, so that steps hardly grow in number.
TEST(Taylor, DigitsAreCheap) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const double exact = -0.89834914124609305;  // elliptic functions
  std::uint64_t steps = 0;
  for (const double tolerance : {1e-6, 1e-9, 1e-12, 1e-15}) {
    const SimulationResult result = run(model, 25, tolerance);
    EXPECT_NEAR(at_end(result, "x"), exact, 50 * tolerance + 1e-13) << tolerance;
    if (steps > 0) {
      EXPECT_LT(result.statistics.steps, 2 * steps) << tolerance;
    }
    steps = result.statistics.steps;
  }
}

/// A wave that is above the level for a moment only, well inside of one step.
TEST(Taylor, TwoCrossingsInOneStepAreSeen) {
  Model m("Wave");
  const Expr s = m.unknown("s", {.start = 0}), n = m.unknown("n", {.start = 0});
  m.start(der(s), 1);
  m += der(der(s)) == -s;
  m += der(n) == if_(s > 0.9999, m.time() * 0 + 1, m.time() * 0);
  const CompiledModel model(m.flatten());
  const SimulationResult result = run(model, 20 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(at_end(result, "n"), 10 * 2 * std::acos(0.9999), 1e-9);
  EXPECT_EQ(result.n_state_events, 20u);
}

TEST(Taylor, ChoicesWithoutEventsEndSteps) {
  Model m("Friction");
  const Expr x = m.unknown("x", {.start = 1});
  m.start(der(x), 0);
  m += der(der(x)) == -x - 0.3 * der(x) * abs(der(x)) - min(x, 0.25) * 0.5;
  const CompiledModel model(m.flatten());
  const SimulationResult taylor = run(model, 20, 1e-12);
  EXPECT_EQ(taylor.n_state_events, 0u);
  expect_same(taylor, run(model, 20, 1e-12, "dop853"), 1e-8, {"x", "der(x)"});
}

TEST(Taylor, AlgebraicUnknownsAreSolvedFor) {
  Model m("Implicit");
  const Expr x = m.unknown("x", {.start = 0.5}), z = m.unknown("z", {.start = 1});
  m += der(x) == -z + sin(m.time());
  m += exp(z) + z == 2 + x * x;
  const CompiledModel model(m.flatten());
  expect_same(run(model, 10, 1e-13), run(model, 10, 1e-12, "radau5"), 1e-9, {"x", "z"});
}

// The axle of a car: the order of elimination that is best at the start is a poor one later on,
// which is no singular configuration to be kept away from by shorter steps.
TEST(Taylor, PoorPivotsAreChosenAnew) {
  Model m("Axle");
  const auto at = [&](const char* name, double start, double rate) {
    const Expr x = m.unknown(name, {.start = start});
    m.start(der(x), rate);
    return x;
  };
  const Expr xl = at("xl", 0, -0.5), yl = at("yl", 0.5, 0), xr = at("xr", 1, -0.5),
             yr = at("yr", 0.5, 0), a = m.unknown("a"), b = m.unknown("b");
  const double k = 5e-4;
  const Expr yb = 0.1 * sin(10 * m.time()), xb = sqrt(1 - yb * yb);
  const Expr left = sqrt(xl * xl + yl * yl),
             right = sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb));
  m += k * der(der(xl)) == (0.5 - left) * xl / left + a * xb + 2 * b * (xl - xr);
  m += k * der(der(yl)) == (0.5 - left) * yl / left + a * yb + 2 * b * (yl - yr) - k;
  m += k * der(der(xr)) == (0.5 - right) * (xr - xb) / right - 2 * b * (xl - xr);
  m += k * der(der(yr)) == (0.5 - right) * (yr - yb) / right - 2 * b * (yl - yr) - k;
  m += xl * xb + yl * yb == 0;
  m += (xl - xr) * (xl - xr) + (yl - yr) * (yl - yr) == 1;
  const CompiledModel model(m.flatten());
  const SimulationResult result = run(model, 3, 1e-8);
  EXPECT_LT(10 * result.statistics.rejected, result.statistics.steps);
  // Test set for IVP solvers, Mazzia and Magherini 2008.
  EXPECT_NEAR(at_end(result, "xl"), 0.0493455784275402, 1e-7);
  EXPECT_NEAR(at_end(result, "yr"), 0.373911027265361, 1e-7);
}

TEST(Taylor, SaysWhatHasNoSeries) {
  Model m("Table");
  const Expr x = m.unknown("x", {.start = 0.5});
  const auto f = m.pool().define_function(
      "lookup", 1, [](std::span<const double> a) { return 0.5 * a[0]; }, {}, true);
  m += der(x) == -call(m.pool(), f, {&x, 1});
  const CompiledModel model(m.flatten());
  try {
    simulate(model, {.method = "taylor"});
    FAIL() << "a function without a series was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lookup"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("C003"), std::string::npos);
  }
}

}  // namespace
}  // namespace alembert
