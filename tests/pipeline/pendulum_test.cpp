// SPDX-License-Identifier: Apache-2.0
// The thread through all stages: models in C++, to trajectories, judged by invariants and by a
// second route.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/cartesian_pendulum.hpp"

namespace alembert {
namespace {

using compile::Backend;
using compile::CompiledModel;
using integrate::Formulation;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

FlatSystem polar_pendulum() {
  Model m("PolarPendulum");
  const Expr g = m.parameter("g", 1.0);
  const Expr theta = m.unknown("theta", {.start = 0});
  m += der(der(theta)) == -g * cos(theta);
  m.observe("x", cos(theta));
  m.observe("y", sin(theta));
  return m.flatten();
}

double spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

TEST(Pendulum, StructureIsThatOfTheTextbook) {
  const CompiledModel model(cartesian_pendulum().flatten());
  EXPECT_EQ(model.plan().structural_index, 3u);
  EXPECT_EQ(model.plan().degrees_of_freedom, 2u);
  EXPECT_EQ(model.plan().differentiations, (std::vector<structure::Index>{0, 0, 2}));
  EXPECT_EQ(model.variable_names(), (std::vector<std::string>{"x", "der(x)", "der(der(x))", "y",
                                                              "der(y)", "der(der(y))", "lambda"}));
  const auto& chart = model.static_chart();
  EXPECT_EQ(chart.states.size(), 2u);
  // {x} from the constraint, {der(x)} from its derivative, then the three accelerations together.
  std::vector<std::size_t> sizes;
  for (const auto& block : chart.reduced.blocks) sizes.push_back(block.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 1, 3}));
}

TEST(Pendulum, RunsFor500SecondsThroughTheSingularStates) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const SimulationResult run =
      simulate(model, {.stop = 500, .tolerance = 1e-10, .intervals = 5000});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(run.trajectory.n_rows(), 5001u);
  EXPECT_GT(run.switches.size(), 100u);
  EXPECT_LT(run.largest_constraint_residual, 1e-13);
  EXPECT_LT(spread(run.trajectory.column("energy")), 1e-7);
}

/// A pendulum in space that swings in a plane, as nothing pushes it out of it.
FlatSystem planar_in_space(double out_of_plane) {
  Model m("Spherical");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
  const Expr z = m.unknown("z", {.start = 0}), lambda = m.unknown("lambda");
  const Expr w = m.unknown("w", {.start = out_of_plane, .fixed = true});
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - 1;
  m += der(z) == w;
  m += der(w) == lambda * z;
  m += x * x + y * y + z * z == 1;
  return m.flatten();
}

std::string warnings_of(FlatSystem flat, double stop) {
  const SimulationResult run =
      simulate(CompiledModel(std::move(flat)), {.stop = stop, .tolerance = 1e-8});
  EXPECT_EQ(run.outcome, Outcome::done) << run.message;
  std::string all;
  for (const std::string& text : run.warnings) all += text + "\n";
  return all;
}

TEST(Pendulum, WarnsOfADegreeOfFreedomThatIsNotUsed) {
  const std::string text = warnings_of(planar_in_space(0), 30);
  EXPECT_NE(text.find("'z' never moved"), std::string::npos) << text;
  EXPECT_EQ(warnings_of(planar_in_space(0.5), 30), "");
  EXPECT_EQ(warnings_of(cartesian_pendulum().flatten(), 30), "");
}

// About 45 degrees to the left and to the right of x = y one of them is a little better than the
// other, and both are good.
TEST(Pendulum, WarnsOfChangesWithoutNeed) {
  Model m("Sideways");
  const Expr c = 0.7071067811865476;
  const Expr x = m.unknown("x", {.start = 0.93}), y = m.unknown("y", {.start = 0.36});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x + c;
  m += der(der(y)) == lambda * y + c;
  m += x * x + y * y == 1;
  const std::string text = warnings_of(m.flatten(), 60);
  EXPECT_NE(text.find("without need"), std::string::npos) << text;
}

TEST(Pendulum, AgreesWithThePolarForm) {
  const CompiledModel cartesian(cartesian_pendulum().flatten());
  const CompiledModel polar(polar_pendulum());
  const integrate::SimulateOptions options{.stop = 20, .tolerance = 1e-11, .intervals = 200};
  const SimulationResult a = simulate(cartesian, options);
  const SimulationResult b = simulate(polar, options);
  ASSERT_EQ(a.outcome, Outcome::done) << a.message;
  ASSERT_EQ(b.outcome, Outcome::done) << b.message;
  for (const char* name : {"x", "y"}) {
    const auto u = a.trajectory.column(name);
    const auto v = b.trajectory.column(name);
    ASSERT_EQ(u.size(), v.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      EXPECT_NEAR(u[i], v[i], 1e-8) << name << " at row " << i;
  }
}

TEST(Pendulum, AStaticChoiceStopsAndSaysWhy) {
  const CompiledModel model(cartesian_pendulum().flatten());
  const SimulationResult run = simulate(
      model,
      {.stop = 25, .tolerance = 1e-8, .formulation = Formulation::dummy, .max_steps = 100000});
  EXPECT_NE(run.outcome, Outcome::done);
  EXPECT_GT(run.end_time, 0.5);
  EXPECT_LT(run.end_time, 5.0);
  EXPECT_NE(run.message.find("re-selected"), std::string::npos) << run.message;
  // What was computed is complete up to that time.
  EXPECT_NEAR(run.trajectory.times().back(), run.end_time, 25.0 / 500 + 1e-12);
}

TEST(Pendulum, BackEndsGiveTheSameBits) {
  const integrate::SimulateOptions options{.stop = 50, .tolerance = 1e-8};
  const SimulationResult a =
      simulate(CompiledModel(cartesian_pendulum().flatten(), Backend::automatic), options);
  const SimulationResult b =
      simulate(CompiledModel(cartesian_pendulum().flatten(), Backend::interpreter), options);
  EXPECT_EQ(a.trajectory, b.trajectory);
  EXPECT_EQ(a.statistics.steps, b.statistics.steps);
}

TEST(Pendulum, ParametersAreData) {
  const CompiledModel model(cartesian_pendulum().flatten());
  integrate::SimulateOptions options{.stop = 2, .tolerance = 1e-10};
  options.parameters["g"] = 4.0;
  const SimulationResult fast = simulate(model, options);
  options.parameters.clear();
  options.stop = 4;
  const SimulationResult slow = simulate(model, options);
  // Four times the gravity, twice the speed of time.
  EXPECT_NEAR(fast.trajectory.column("x").back(), slow.trajectory.column("x").back(), 1e-8);
}

TEST(Pendulum, ContradictoryFixedStartIsNamed) {
  Model m("Pendulum");
  const Expr x = m.unknown("x", {.start = 2, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0.5, .fixed = true});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - 1;
  m += x * x + y * y == 1;
  const CompiledModel model(m.flatten());
  try {
    simulate(model);
    FAIL() << "a start off the circle was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "I002");
    EXPECT_NE(std::string(error.what()).find("x = 2"), std::string::npos) << error.what();
  }
}

TEST(DoublePendulum, KeepsItsEnergy) {
  Model m("DoublePendulum");
  const Expr g = m.parameter("g", 1.0);
  const Expr x1 = m.unknown("x1"), y1 = m.unknown("y1"), x2 = m.unknown("x2"), y2 = m.unknown("y2");
  const Expr l1 = m.unknown("l1"), l2 = m.unknown("l2");
  const Expr lx2 = m.unknown("lx2"), ly2 = m.unknown("ly2");
  const Expr theta1 = m.unknown("theta1", {.start = 0, .state_priority = 10});
  const Expr theta2 = m.unknown("theta2", {.start = 1.4, .state_priority = 10});
  m += der(der(x1)) == l1 * x1 - l2 * lx2;
  m += der(der(y1)) == l1 * y1 - l2 * ly2 - g;
  m += x1 == cos(theta1);
  m += y1 == sin(theta1);
  m += der(der(x2)) == l2 * lx2;
  m += der(der(y2)) == l2 * ly2 - g;
  m += lx2 == cos(theta2);
  m += ly2 == sin(theta2);
  m += x2 == lx2 + x1;
  m += y2 == ly2 + y1;
  m.observe("E",
            (der(x1) * der(x1) + der(y1) * der(y1) + der(x2) * der(x2) + der(y2) * der(y2)) / 2 +
                g * (y1 + y2));
  const CompiledModel model(m.flatten());
  const SimulationResult run =
      simulate(model, {.stop = 25, .tolerance = 1e-10, .formulation = Formulation::dummy});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_LT(spread(run.trajectory.column("E")), 1e-7);
  EXPECT_LT(run.largest_constraint_residual, 1e-12);
}

}  // namespace
}  // namespace alembert
