// SPDX-License-Identifier: Apache-2.0
// Charts of many mechanisms, the start they begin with, and projection beside them.
#include <gtest/gtest.h>

#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/cartesian_pendulum.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Formulation;
using integrate::Metric;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

void add_pendulum(Model& m, const std::string& name, double length) {
  const Expr x = m.unknown(name + "x", {.start = length});
  const Expr y = m.unknown(name + "y", {.start = 0});
  const Expr f = m.unknown(name + "f");
  m += der(der(x)) == f * x;
  m += der(der(y)) == f * y - 1;
  m += x * x + y * y == length * length;
}

// Charts are put together from pieces, and each pendulum moves as it does alone.
TEST(Charts, ManyMechanismsMoveAsEachAlone) {
  constexpr int n = 20;
  const auto length = [](int i) { return 1 + 0.05 * i; };
  Model many("Many");
  for (int i = 0; i < n; ++i) add_pendulum(many, "p" + std::to_string(i) + ".", length(i));
  const SimulationResult all =
      simulate(CompiledModel(many.flatten()), {.stop = 20, .tolerance = 1e-9});
  ASSERT_EQ(all.outcome, Outcome::done) << all.message;
  EXPECT_GT(all.switches.size(), 5u * n);
  EXPECT_LT(all.largest_constraint_residual, 1e-12);
  for (const int i : {0, 7, n - 1}) {
    Model one("One");
    add_pendulum(one, "", length(i));
    const SimulationResult alone =
        simulate(CompiledModel(one.flatten()), {.stop = 20, .tolerance = 1e-9});
    for (const char* column : {"x", "y", "f"})
      EXPECT_NEAR(at_end(all, "p" + std::to_string(i) + "." + column), at_end(alone, column), 1e-6);
  }
}

// They project within their steps and keep their memory: a projection behind each would make them
// begin anew, with a thousand times as many steps, whose errors add up.
TEST(Projection, MultistepMethodsKeepTheirMemory) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const double exact =
      at_end(simulate(model, {.stop = 20, .tolerance = 1e-13, .method = "taylor"}), "x");
  for (const char* method : {"cvode", "ida"}) {
    const auto run_by = [&](Formulation formulation) {
      return simulate(
          model, {.stop = 20, .tolerance = 1e-8, .method = method, .formulation = formulation});
    };
    const SimulationResult charts = run_by(Formulation::dynamic);
    const SimulationResult projected = run_by(Formulation::projection);
    ASSERT_EQ(projected.outcome, Outcome::done) << method << ": " << projected.message;
    EXPECT_LT(projected.statistics.steps, 2 * charts.statistics.steps) << method;
    EXPECT_LT(projected.largest_constraint_residual, 1e-12) << method;
    EXPECT_NEAR(at_end(projected, "x"), exact, 1e-4) << method;
  }
}

constexpr const char* crank = R"(
model Crank "A crank, a coupler and a point beyond it that nothing is said of"
  Real ax(start = -1), ay(start = 0), bx(start = 0.9), by(start = 2.2), tx, ty;
  Real ua(start = 0), va(start = -9), ub, vb, f1, f2, f3, fx, fy;
equation
  der(ax) = ua; der(ay) = va; der(bx) = ub; der(by) = vb;
  ax^2 + ay^2 = 1;
  (bx - 2)^2 + by^2 = 6.25;
  (bx - ax)^2 + (by - ay)^2 = 6.25;
  tx = 2*bx - ax; ty = 2*by - ay;
  0.2*der(der(tx)) = fx; 0.2*der(der(ty)) = fy - 2;
  2*der(ua) = f1*ax - f3*(bx - ax) + fx;
  2*der(va) = f1*ay - f3*(by - ay) - 20 + fy;
  der(ub) = f2*(bx - 2) + f3*(bx - ax) - 2*fx;
  der(vb) = f2*by + f3*(by - ay) - 2*fy - 10;
end Crank;)";

// Starts that somebody wrote are kept rather than those that nobody gave.
TEST(Start, WhatWasGivenComesFirst) {
  const CompiledModel model(modelica::flatten({.text = crank, .model = "Crank"}).system);
  const SimulationResult run = simulate(model, {.stop = 0.1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("va").front(), -9, 0.5);
  EXPECT_NEAR(run.trajectory.column("ax").front(), -1, 0.2);
}

// Constraints with constant coefficients, as those of the point, are no obstacle to the metric of
// the masses.
TEST(Projection, MassesOfAllPositions) {
  const CompiledModel model(modelica::flatten({.text = crank, .model = "Crank"}).system);
  const auto end = [&](Metric metric) {
    const SimulationResult run = simulate(
        model,
        {.stop = 2, .tolerance = 1e-10, .formulation = Formulation::projection, .metric = metric});
    EXPECT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_LT(run.largest_constraint_residual, 1e-9);
    return at_end(run, "tx");
  };
  EXPECT_NEAR(end(Metric::mass), end(Metric::euclidean), 1e-6);
}

}  // namespace
}  // namespace alembert
