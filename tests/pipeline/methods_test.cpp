// SPDX-License-Identifier: Apache-2.0
// Models through every kind of method: exact Jacobians, sparse systems, symplectic steps.
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/chart_jacobian.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/second_order.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/cartesian_pendulum.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::all_methods;
using integrate::MethodInfo;
using integrate::Outcome;
using integrate::second_order_structure;
using integrate::simulate;
using integrate::StepChoice;

FlatSystem polar_pendulum(double friction) {
  Model m("PolarPendulum");
  const Expr theta = m.unknown("theta", {.start = 0});
  m += der(der(theta)) == -cos(theta) - friction * der(theta);
  m.observe("E", der(theta) * der(theta) / 2 + sin(theta));
  return m.flatten();
}

/// Heat in a rod of n cells, with radiation: stiff and sparse.
FlatSystem rod(int n) {
  Model m("Rod");
  std::vector<Expr> T;
  for (int i = 0; i < n; ++i) T.push_back(m.unknown("T" + std::to_string(i), {.start = 1}));
  for (int i = 0; i < n; ++i) {
    const Expr left = i == 0 ? m.time() * 0 + 2 : T[i - 1];
    const Expr right = i + 1 == n ? m.time() * 0 + 1 : T[i + 1];
    m += der(T[i]) == 1000 * (left - 2 * T[i] + right) - T[i] * T[i] * T[i] * T[i];
  }
  return m.flatten();
}

TEST(Methods, ExactJacobianOfAChartIsThatOfDifferences) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const auto& chart = model.static_chart();
  integrate::ModelPoint point(model, model.parameter_values());
  point.use(chart);
  ASSERT_TRUE(point.use_jacobian());
  std::fill(point.variables().begin(), point.variables().end(), 0.8);  // guesses
  std::vector<double> y = {0.6, 0.3}, f(2), left(2), right(2), dfdy(4), dfdt(2);
  ASSERT_TRUE(point.complete(0, y));
  ASSERT_TRUE(point.jacobian(0, y.data(), true, dfdy.data(), dfdt.data()));
  for (std::size_t j = 0; j < 2; ++j) {
    const double at = y[j], delta = 1e-6;
    y[j] = at + delta;
    ASSERT_TRUE(point.derivatives(0, y.data(), right.data()));
    y[j] = at - delta;
    ASSERT_TRUE(point.derivatives(0, y.data(), left.data()));
    y[j] = at;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(dfdy[2 * j + i], (right[i] - left[i]) / (2 * delta), 1e-7);
  }
  EXPECT_EQ(dfdt, (std::vector<double>{0, 0}));
}

TEST(Methods, ThePendulumComesOutTheSameByAllWithErrorControl) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const auto reference = simulate(model, {.stop = 10, .tolerance = 1e-10, .intervals = 10});
  for (const MethodInfo* method : all_methods()) {
    if (method->step_choice == StepChoice::fixed) continue;
    const auto run = simulate(
        model,
        {.stop = 10, .tolerance = 1e-7, .intervals = 10, .method = std::string(method->name)});
    ASSERT_EQ(run.outcome, Outcome::done) << method->name << ": " << run.message;
    EXPECT_GT(run.switches.size(), 3u) << method->name;
    for (const char* name : {"x", "y"})
      EXPECT_NEAR(run.trajectory.column(name)[10], reference.trajectory.column(name)[10], 1e-4)
          << method->name;
  }
}

TEST(Methods, ASparseModelIsSolvedSparsely) {
  const CompiledModel model(rod(150));
  const auto& sparsity = model.jacobian(model.static_chart()).sparsity;
  EXPECT_EQ(sparsity.row.size(), 3u * 150 - 2);
  std::vector<double> ends;
  for (const char* method : {"rodas5p", "rodas6p", "radau5", "cvode", "ida", "auto"}) {
    const auto run = simulate(model, {.stop = 1, .tolerance = 1e-6, .method = method});
    ASSERT_EQ(run.outcome, Outcome::done) << method;
    ends.push_back(run.trajectory.column("T75").back());
    EXPECT_NEAR(ends.back(), ends.front(), 1e-4) << method;
    EXPECT_LT(run.statistics.rhs_calls, 20000u) << method;
  }
}

TEST(Methods, SecondOrderSystemsAreRecognised) {
  const CompiledModel free(polar_pendulum(0));
  const auto structure = second_order_structure(free, free.static_chart());
  EXPECT_TRUE(structure.complete);
  EXPECT_TRUE(structure.separable());
  const CompiledModel damped(polar_pendulum(0.1));
  EXPECT_TRUE(second_order_structure(damped, damped.static_chart()).complete);
  EXPECT_FALSE(second_order_structure(damped, damped.static_chart()).separable());
  // As two equations of first order.
  Model swing("Swing");
  const Expr q = swing.unknown("q", {.start = 2}), p = swing.unknown("p", {.start = 0});
  swing += der(q) == p;
  swing += der(p) == -sin(q);
  const CompiledModel first_order(swing.flatten());
  EXPECT_TRUE(second_order_structure(first_order, first_order.static_chart()).separable());
  const CompiledModel heat(rod(3));
  EXPECT_FALSE(second_order_structure(heat, heat.static_chart()).complete);
}

TEST(Methods, ASymplecticMethodKeepsTheEnergyOfAModel) {
  const CompiledModel model(polar_pendulum(0));
  for (const char* method : {"verlet", "symplectic4", "symplectic6", "symplectic8"}) {
    const auto run =
        simulate(model, {.stop = 500, .intervals = 500, .method = method, .step = 0.1});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_EQ(run.statistics.steps, 5000u);
    double largest = 0;
    for (const double e : run.trajectory.column("E")) largest = std::max(largest, std::abs(e));
    EXPECT_LT(largest, std::string(method) == "verlet" ? 3e-3 : 2e-5) << method;
  }
  const auto by_itself = simulate(model, {.stop = 500, .intervals = 500});
  EXPECT_EQ(by_itself.statistics.method, "symplectic8");
  for (const double e : by_itself.trajectory.column("E")) EXPECT_LT(std::abs(e), 2e-5);
  const CompiledModel damped(polar_pendulum(0.1));
  EXPECT_EQ(simulate(damped, {}).statistics.method, "dop853");
  EXPECT_THROW(simulate(damped, {.method = "verlet"}), Error);
  EXPECT_EQ(simulate(damped, {.method = "newmark"}).outcome, Outcome::done);
}

// `auto` goes over to symplectic steps after a while, the first of which has no step before it for
// its dense output to lean on. The exact motion, in every row.
TEST(Methods, RowsWithinTheStepAtWhichAutoGoesOverAreAsGoodAsOthers) {
  for (const double tolerance : {1e-10, 1e-12}) {
    const auto result = run(R"(
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -4*x;
end M;)",
                            {.stop = 10, .tolerance = tolerance, .intervals = 2000});
    const auto x = result.trajectory.column("x");
    for (std::size_t k = 0; k < x.size(); ++k)
      ASSERT_NEAR(x[k], std::cos(2 * result.trajectory.times()[k]), 5 * tolerance);
  }
}

}  // namespace
}  // namespace alembert
