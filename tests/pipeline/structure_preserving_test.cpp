// SPDX-License-Identifier: Apache-2.0
// RATTLE, its compositions and the midpoint rule on the manifold: observed orders, energy over many
// steps, which models are mechanics and what is said about the others.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/projection.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/cartesian_pendulum.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

/// Velocities with names, a force with a formula, masses, a second rod.
Model double_pendulum() {
  Model m("DoublePendulum");
  const Expr m1 = m.parameter("m1", 2), m2 = m.parameter("m2", 1.5);
  const Expr x1 = m.unknown("x1", {.start = 1}), y1 = m.unknown("y1", {.start = 0});
  const Expr x2 = m.unknown("x2", {.start = 1}), y2 = m.unknown("y2", {.start = 1});
  const Expr u1 = m.unknown("u1"), v1 = m.unknown("v1"), u2 = m.unknown("u2"), v2 = m.unknown("v2");
  const Expr a = m.unknown("a"), b = m.unknown("b"), weight = m.unknown("weight");
  m += der(x1) == u1;
  m += der(y1) == v1;
  m += u2 == der(x2);
  m += der(y2) == v2;
  m += weight == m2 * 9.81;
  m += m1 * der(u1) == -2 * a * x1 + b * (x2 - x1);
  m += m1 * der(v1) == -2 * a * y1 + b * (y2 - y1) - m1 * 9.81;
  m += m2 * der(u2) == -b * (x2 - x1);
  m += 0 == -b * (y2 - y1) - weight - m2 * der(v2);
  m += x1 * x1 + y1 * y1 == 1;
  m += (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) == 1;
  m.observe("E",
            (m1 * (u1 * u1 + v1 * v1) + m2 * (u2 * u2 + v2 * v2)) / 2 + 9.81 * (m1 * y1 + m2 * y2));
  return m;
}

double spread(const SimulationResult& run, const char* name) {
  const auto values = run.trajectory.column(name);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most - *least;
}

SimulationResult run(const CompiledModel& model, const char* method, double stop, double step,
                     std::uint32_t intervals = 1) {
  SimulationResult result =
      simulate(model, {.stop = stop, .intervals = intervals, .method = method, .step = step});
  EXPECT_EQ(result.outcome, Outcome::done) << method << ": " << result.message;
  return result;
}

/// The double pendulum a little beside its constraints, and where projection moves it.
struct Moved {
  std::vector<double> position, velocity;  // of x1, y1, x2, y2: the change
  std::vector<double> error;               // of positions: what is left of an error
};

Moved project_double_pendulum(const CompiledModel& model, integrate::Metric metric) {
  integrate::ModelPoint point(model, model.parameter_values());
  const auto& form = model.index_one();
  point.use(form.chart);
  const std::vector<std::string> names{"x1", "y1", "x2", "y2", "u1", "v1", "u2", "v2"};
  const std::vector<double> at{0.6, -0.8, 1.4, -1.4, 0.8, 0.6, 1.4, 1.4};  // obeys all constraints
  std::vector<std::size_t> place;
  std::vector<double> y(form.chart.states.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::size_t i = 0;
    while (i < y.size() && model.variable_names()[form.chart.states[i]] != names[k]) ++i;
    EXPECT_LT(i, y.size()) << names[k];
    place.push_back(i);
    y[i] = at[k];
  }
  EXPECT_TRUE(point.complete(0, y));
  integrate::Projector projector(point, form, metric);
  const std::vector<double> off{1e-5, 2e-5, -1e-5, 3e-5, 2e-5, 0, 1e-5, -2e-5};
  std::vector<double> before = y;
  for (std::size_t k = 0; k < names.size(); ++k) before[place[k]] += off[k];
  y = before;
  std::vector<double> error(y.size());
  for (std::size_t k = 0; k < names.size(); ++k) error[place[k]] = 1e5 * off[k];
  EXPECT_TRUE(projector.project(0, y, 0, error));
  Moved moved;
  for (std::size_t k = 0; k < names.size(); ++k)
    (k < 4 ? moved.position : moved.velocity).push_back(y[place[k]] - before[place[k]]);
  for (std::size_t k = 0; k < 4; ++k) moved.error.push_back(error[place[k]]);
  return moved;
}

/// What is left of an error of order 1 is a motion that the rods (0.6, -0.8) and (0.8, -0.6) allow.
TEST(Projection, ErrorsKeepWhatTheConstraintsAllow) {
  const CompiledModel model(double_pendulum().flatten());
  for (const auto metric : {integrate::Metric::mass, integrate::Metric::euclidean}) {
    const std::vector<double> e = project_double_pendulum(model, metric).error;
    EXPECT_NEAR(0.6 * e[0] - 0.8 * e[1], 0, 2e-4);  // gradients are those beside the constraints
    EXPECT_NEAR(0.8 * (e[2] - e[0]) - 0.6 * (e[3] - e[1]), 0, 2e-4);
    EXPECT_GT(std::hypot(e[0], e[1], std::hypot(e[2], e[3])), 0.1);
  }
}

/// Accelerations follow from forces: 8 states, 2 forces and 2 multipliers are left.
TEST(IndexTwo, HasNoUnknownsThatEquationsGiveOneByOne) {
  EXPECT_EQ(CompiledModel(double_pendulum().flatten()).index_two().size(), 12u);
}

// By hand: the change is orthogonal, in its metric, to every motion that the rods allow. These are
// t = (0.8, 0.6, 0.8, 0.6), both bodies about the first joint, and (0, 0, 0.6, 0.8).
TEST(Projection, IsOrthogonalInItsMetric) {
  const CompiledModel model(double_pendulum().flatten());
  const double mass[] = {2, 2, 1.5, 1.5};
  const double allowed[2][4] = {{0.8, 0.6, 0.8, 0.6}, {0, 0, 0.6, 0.8}};
  const Moved by_mass = project_double_pendulum(model, integrate::Metric::mass);
  const Moved plain = project_double_pendulum(model, integrate::Metric::euclidean);
  double difference = 0;
  for (const auto& t : allowed) {
    double positions = 0, velocities = 0, euclidean = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      positions += t[k] * mass[k] * by_mass.position[k];
      velocities += t[k] * mass[k] * by_mass.velocity[k];
      euclidean += t[k] * mass[k] * plain.position[k];
    }
    EXPECT_NEAR(positions, 0, 1e-8);  // squares of the distance, 1e-5
    EXPECT_NEAR(velocities, 0, 1e-8);
    difference = std::max(difference, std::abs(euclidean));
  }
  EXPECT_GT(difference, 1e-6);
}

TEST(Projection, MetricsAgreeOnTheMotion) {
  const CompiledModel model(double_pendulum().flatten());
  const auto end = [&](integrate::Metric metric) {
    const SimulationResult result =
        simulate(model, {.stop = 3,
                         .tolerance = 1e-9,
                         .formulation = integrate::Formulation::projection,
                         .metric = metric});
    EXPECT_EQ(result.outcome, Outcome::done) << result.message;
    EXPECT_LT(result.largest_constraint_residual, 1e-11);
    EXPECT_LT(spread(result, "E"), 1e-6);
    return result.trajectory.column("x2").back();
  };
  EXPECT_NEAR(end(integrate::Metric::mass), end(integrate::Metric::euclidean), 1e-6);
}

TEST(StructurePreserving, OrdersAreThosePromised) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const double exact =
      simulate(model, {.stop = 4, .tolerance = 1e-15, .intervals = 1, .method = "taylor"})
          .trajectory.column("x")
          .back();
  struct Case {
    const char* method;
    double step, order;
  };
  for (const auto& [method, step, order] :
       {Case{"rattle", 0.02, 2}, Case{"rattle4", 0.05, 4}, Case{"rattle6", 0.1, 6},
        Case{"rattle8", 0.2, 8}, Case{"manifold-midpoint", 0.02, 2}}) {
    const auto error = [&](double h) {
      return std::abs(run(model, method, 4, h).trajectory.column("x").back() - exact);
    };
    EXPECT_NEAR(std::log2(error(step) / error(step / 2)), order, 0.3) << method;
  }
}

// Two masses on springs, velocities with names: accelerations are derivatives of these names only.
TEST(StructurePreserving, MassesWithoutConstraints) {
  Model m("Springs");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 2});
  const Expr u = m.unknown("u", {.start = 0}), v = m.unknown("v", {.start = 0});
  m += der(x) == u;
  m += der(y) == v;
  m += der(u) == -x;
  m += 3 * der(v) == -12 * y;
  const CompiledModel model(m.flatten());
  for (const char* method : {"rattle", "rattle4", "rattle8", "manifold-midpoint"}) {
    const SimulationResult found = run(model, method, 1, 0.001, 3);
    const auto& times = found.trajectory.times();
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(found.trajectory.column("x")[k], std::cos(times[k]), 1e-6) << method;
      EXPECT_NEAR(found.trajectory.column("y")[k], 2 * std::cos(2 * times[k]), 3e-6) << method;
      EXPECT_NEAR(found.trajectory.column("v")[k], -4 * std::sin(2 * times[k]), 6e-6) << method;
    }
  }
}

TEST(StructurePreserving, ConstraintsHoldAndEnergyStays) {
  const CompiledModel model(double_pendulum().flatten());
  for (const char* method : {"rattle", "rattle4", "manifold-midpoint"}) {
    const double step = std::string(method) == "rattle4" ? 0.01 : 0.002;
    const SimulationResult once = run(model, method, 20, step, 400);
    EXPECT_LT(once.largest_constraint_residual, 1e-11) << method;
    const double bound = spread(once, "E");
    EXPECT_LT(bound, 2e-2) << method;
    // Of second order, so four times less with half the step; a drift would show in a longer run.
    EXPECT_LT(spread(run(model, method, 100, step, 400), "E"), 4 * bound) << method;
  }
}

TEST(StructurePreserving, OutputBetweenStepsIsOnTheConstraintsToo) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const SimulationResult coarse = run(model, "rattle8", 10, 0.05, 333);
  const SimulationResult fine =
      simulate(model, {.stop = 10, .tolerance = 1e-13, .intervals = 333, .method = "taylor"});
  EXPECT_LT(coarse.largest_constraint_residual, 1e-12);
  for (const char* name : {"x", "y", "der(x)", "der(y)", "lambda"}) {
    const auto a = coarse.trajectory.column(name), b = fine.trajectory.column(name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << name << " " << i;
  }
}

/// A pendulum by its angle on a cart: masses depend on the angle; no constraint at all.
TEST(StructurePreserving, MassesMayDependOnPositions) {
  Model m("Cart");
  const Expr s = m.unknown("s", {.start = 0}), a = m.unknown("a", {.start = 1});
  m += 3 * der(der(s)) + cos(a) * der(der(a)) == sin(a) * der(a) * der(a) - 4 * s;
  m += cos(a) * der(der(s)) + der(der(a)) == -sin(a);
  m.observe("E", 1.5 * der(s) * der(s) + cos(a) * der(s) * der(a) + 0.5 * der(a) * der(a) - cos(a) +
                     2 * s * s);
  const CompiledModel model(m.flatten());
  const double bound = spread(run(model, "manifold-midpoint", 20, 0.02, 200), "E");
  EXPECT_LT(bound, 1e-3);
  EXPECT_LT(spread(run(model, "manifold-midpoint", 400, 0.02, 400), "E"), 2 * bound);
  const auto exact =
      simulate(model, {.stop = 5, .tolerance = 1e-12, .intervals = 1, .method = "taylor"});
  const auto ours = run(model, "manifold-midpoint", 5, 0.002);
  EXPECT_NEAR(ours.trajectory.column("a").back(), exact.trajectory.column("a").back(), 1e-4);
  try {
    run(model, "rattle", 1, 0.01);
    FAIL() << "masses that vary are not for rattle";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("manifold-midpoint"), std::string::npos);
  }
}

std::string refusal(const Model& m, const char* method = "rattle") {
  const CompiledModel model(m.flatten());
  try {
    simulate(model, {.stop = 1, .method = method});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(StructurePreserving, SaysWhyNot) {
  Model decay("Decay");
  const Expr z = decay.unknown("z", {.start = 1});
  decay += der(z) == -z;
  EXPECT_NE(refusal(decay).find("no second derivative"), std::string::npos);

  Model wrong("Wrong");  // the force is not along the gradient
  const Expr x = wrong.unknown("x", {.start = 1}), y = wrong.unknown("y", {.start = 0});
  const Expr lambda = wrong.unknown("lambda");
  wrong += der(der(x)) == lambda * x;
  wrong += der(der(y)) == lambda * (x + y) - 1;
  wrong += x * x + y * y == 1;
  EXPECT_NE(refusal(wrong).find("gradients"), std::string::npos);

  Model damped("Damped");
  const Expr q = damped.unknown("q", {.start = 1});
  damped += der(der(q)) == -q - 0.1 * der(q);
  EXPECT_NE(refusal(damped).find("velocities"), std::string::npos);
  EXPECT_EQ(refusal(damped, "manifold-midpoint"), "");

  Model mixed("Mixed");
  const Expr p = mixed.unknown("p", {.start = 1}), w = mixed.unknown("w", {.start = 1});
  mixed += der(der(p)) == -p + w;
  mixed += der(w) == -w;
  EXPECT_NE(refusal(mixed).find("first order"), std::string::npos);
}

// Equations divided by masses, and coupled ones in another order than their unknowns, are mechanics
// all the same. Oracle: the model as the textbook writes it.
TEST(StructurePreserving, FactorsAndOrderOfEquationsDoNotMatter) {
  Model m("Divided");
  const Expr m1 = m.parameter("m1", 2), m2 = m.parameter("m2", 0.01);
  const Expr x1 = m.unknown("x1", {.start = 1}), y1 = m.unknown("y1", {.start = 0});
  const Expr x2 = m.unknown("x2", {.start = 1}), y2 = m.unknown("y2", {.start = 1});
  const Expr a = m.unknown("a"), b = m.unknown("b");
  m += der(der(x2)) == -b * (x2 - x1) / m2;
  m += der(der(y2)) == -b * (y2 - y1) / m2 - 9.81;
  m += der(der(x1)) == (-2 * a * x1 + b * (x2 - x1)) / m1;
  m += der(der(y1)) == (-2 * a * y1 + b * (y2 - y1)) / m1 - 9.81;
  m += x1 * x1 + y1 * y1 == 1;
  m += (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) == 1;
  const CompiledModel textbook([] {
    Model model = double_pendulum();
    return model.flatten();
  }());
  const CompiledModel divided(m.flatten());
  const integrate::SimulateOptions options = {.stop = 2, .method = "rattle", .step = 1e-3};
  integrate::SimulateOptions same = options;
  same.parameters = {{"m1", 2.0}, {"m2", 0.01}};
  const SimulationResult expected = simulate(textbook, same), run = simulate(divided, options);
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  for (const char* name : {"x1", "y1", "x2", "y2"})
    EXPECT_NEAR(run.trajectory.column(name).back(), expected.trajectory.column(name).back(), 1e-9);
}

// A carriage with a pendulum on it by Lagrange's equations, the second one written first: which row
// belongs to which unknown only the size of the masses tells.
TEST(StructurePreserving, CoupledEquationsInAnyOrder) {
  Model m("Carriage");
  const Expr x = m.unknown("x", {.start = 0}), p = m.unknown("p", {.start = 1});
  m += cos(p) * der(der(x)) + der(der(p)) + 9.81 * sin(p) == 0;
  m += 3 * der(der(x)) + cos(p) * der(der(p)) - sin(p) * der(p) * der(p) == 0;
  m.observe("E",
            1.5 * der(x) * der(x) + cos(p) * der(x) * der(p) + der(p) * der(p) / 2 - 9.81 * cos(p));
  const CompiledModel model(m.flatten());
  const SimulationResult run =
      simulate(model, {.stop = 5, .method = "manifold-midpoint", .step = 1e-3});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_LT(spread(run, "E"), 1e-4);
}

// A bead on a hoop that turns: at the start one row has no part in the constraint that moves, which
// must not leave its factor open.
TEST(StructurePreserving, FactorsUnderConstraintsThatMove) {
  Model m("Hoop");
  const Expr x = m.unknown("x", {.start = 0.1, .fixed = true}), y = m.unknown("y", {.start = 0});
  const Expr z = m.unknown("z", {.start = -0.99}), l = m.unknown("l"), k = m.unknown("k");
  const Expr t = m.time();
  m.start(der(x), 0.3, {.fixed = true});
  m += 3 * der(der(z)) == 3 * (-2 * l * z - 9.81);
  m += der(der(y)) == -2 * l * y - k * cos(4 * t);
  m += der(der(x)) == -2 * l * x + k * sin(4 * t);
  m += x * x + y * y + z * z == 1;
  m += x * sin(4 * t) - y * cos(4 * t) == 0;
  const CompiledModel model(m.flatten());
  const SimulationResult expected =
      simulate(model, {.stop = 2, .tolerance = 1e-12, .method = "taylor"});
  const SimulationResult run = simulate(model, {.stop = 2, .method = "rattle8", .step = 5e-3});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  for (const char* name : {"x", "y", "z"})
    EXPECT_NEAR(run.trajectory.column(name).back(), expected.trajectory.column(name).back(), 1e-6);
}

}  // namespace
}  // namespace alembert
