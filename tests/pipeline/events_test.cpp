// SPDX-License-Identifier: Apache-2.0
// Hybrid models against closed forms: impact times, switching times, exact recursions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using builder::number;
using builder::pre;
using builder::reinit;
using builder::set;
using builder::terminate;
using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulateOptions;
using integrate::SimulationResult;

Model bouncing_ball(double height, double restitution) {
  Model m("Ball");
  const Expr g = m.parameter("g", 9.81), e = m.parameter("e", restitution);
  const Expr h = m.unknown("h", {.start = height, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n", {.type = flat::ValueType::integer});
  m += der(h) == v;
  m += der(v) == -g;
  m.when(h < 0, {reinit(v, -e * pre(v)), set(n, pre(n) + 1)});
  return m;
}

/// Times at which a column jumps up, from the rows that share a time.
std::vector<double> jumps(const SimulationResult& run, const std::string& name) {
  std::vector<double> times;
  const auto t = run.trajectory.times();
  const auto values = run.trajectory.column(name);
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] == t[i - 1] && values[i] != values[i - 1]) times.push_back(t[i]);
  return times;
}

// Exact: t_n = t_1 + 2 v_1 (e + ... + e^(n-1)) / g.
TEST(Events, BouncingBallHitsAtTheExactTimes) {
  const Model m = bouncing_ball(1, 0.7);
  const CompiledModel model(m.flatten());
  for (const char* method : {"dop853", "tsit5", "rodas5p"}) {
    const SimulationResult run =
        simulate(model, {.stop = 2.5, .tolerance = 1e-9, .intervals = 50, .method = method});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    const std::vector<double> impacts = jumps(run, "n");
    ASSERT_GE(impacts.size(), 10u) << method;
    const double reference[] = {0.45152364098573090, 1.0836567383657542, 1.5261499065317705,
                                1.8358951242479819, 2.0527167766493298};
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(impacts[i], reference[i], 1e-9) << method;
    EXPECT_NEAR(impacts[9], 2.4736044636412545, 1e-9) << method;
    EXPECT_EQ(run.trajectory.column("n").back(), 11);
    // Each impact is one event, although the ball comes to lie a rounding error below the floor.
    EXPECT_EQ(run.n_state_events, 11u) << method;
  }
}

SimulationResult run_model(const Model& m, const SimulateOptions& options) {
  SimulationResult run = simulate(CompiledModel(m.flatten()), options);
  EXPECT_EQ(run.outcome, Outcome::done) << run.message;
  return run;
}

TEST(Events, AnAccumulationIsFoundAndNamed) {
  for (const double e : {0.7, 0.5, 0.1}) {
    const Model m = bouncing_ball(1, e);
    const SimulationResult run =
        simulate(CompiledModel(m.flatten()), {.stop = 3, .tolerance = 1e-9});
    ASSERT_EQ(run.outcome, Outcome::accumulation) << e;
    const double t1 = std::sqrt(2 / 9.81);
    EXPECT_NEAR(run.end_time, t1 * (1 + 2 * e / (1 - e)), 1e-8) << e;
    EXPECT_NE(run.message.find("'h < 0'"), std::string::npos) << run.message;
    EXPECT_EQ(run.trajectory.times().back(), run.end_time);
  }
}

// All rational: the tap goes from tank to tank at 2, 5, 6.5, ..., and for ever shorter from 8 on.
TEST(Events, TwoTanksAndOneTapAccumulateAtEight) {
  Model m("Tanks");
  const Expr x1 = m.unknown("x1", {.start = 1, .fixed = true});
  const Expr x2 = m.unknown("x2", {.start = 1, .fixed = true});
  const Expr tap = m.discrete("tap", {.start = 1, .type = flat::ValueType::integer});
  const Expr empty1 = m.boolean("empty1"), empty2 = m.boolean("empty2");
  m += der(x1) == -0.5 + 0.75 * if_(equal(tap, 1), 1, 0);
  m += der(x2) == -0.5 + 0.75 * if_(equal(tap, 2), 1, 0);
  m += empty1 == number(x1 <= 0);
  m += empty2 == number(x2 <= 0);
  m += tap == if_(builder::edge(empty1), 1, if_(builder::edge(empty2), 2, pre(tap)));
  const SimulationResult run =
      simulate(CompiledModel(m.flatten()), {.stop = 9, .tolerance = 1e-10});
  ASSERT_EQ(run.outcome, Outcome::accumulation) << run.message;
  const std::vector<double> times = jumps(run, "tap");
  ASSERT_GE(times.size(), 10u);
  EXPECT_NEAR(times[0], 2, 1e-9);
  EXPECT_NEAR(times[1], 5, 1e-9);
  EXPECT_NEAR(times[2], 6.5, 1e-9);
  EXPECT_NEAR(times[9], 7.98828125, 1e-9);
  EXPECT_NEAR(run.end_time, 8, 1e-8);
}

// Exact: exponentials between 19 and 21, with a heater that is on from 19 up to 21.
TEST(Events, ThermostatSwitchesAtTheExactTimes) {
  Model m("Thermostat");
  const Expr temperature = m.unknown("T", {.start = 15, .fixed = true});
  const Expr on = m.discrete("on", {.start = 1, .type = flat::ValueType::boolean});
  m += der(temperature) == 10 - temperature + 20 * on;
  m += on == if_(not_equal(pre(on), 0), number(temperature < 21), number(temperature < 19));
  const SimulationResult run = run_model(m, {.stop = 5, .tolerance = 1e-10});
  const std::vector<double> times = jumps(run, "on");
  ASSERT_GE(times.size(), 8u);
  double expected = std::log(15.0 / 9);  // 30 - 15 exp(-t) = 21
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(times[i], expected, 1e-8);
    expected += i % 2 == 0 ? std::log(11.0 / 9) : std::log(11.0 / 9);
  }
}

// An exact recursion: between samples x' = -x + u with u held.
TEST(Events, SampledControllerFollowsTheRecursion) {
  Model m("Sampled");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr u = m.discrete("u");
  m += der(x) == -x + u;
  m.when(m.sample(0, 0.1), {set(u, 5 * (1 - x))});
  const SimulationResult run = run_model(m, {.stop = 2.05, .tolerance = 1e-10, .intervals = 41});
  EXPECT_EQ(run.n_time_events, 21u);
  double exact = 0;
  double held = 5;
  for (int k = 1; k <= 20; ++k) {
    exact = std::exp(-0.1) * exact + (1 - std::exp(-0.1)) * held;
    held = 5 * (1 - exact);
  }
  exact = std::exp(-0.05) * exact + (1 - std::exp(-0.05)) * held;
  EXPECT_NEAR(run.trajectory.column("x").back(), exact, 1e-9);
  EXPECT_NEAR(run.trajectory.column("u").back(), held, 1e-8);
  // The n-th tick is n * 0.1, not a sum of tenths.
  const std::vector<double> ticks = jumps(run, "u");
  ASSERT_EQ(ticks.size(), 21u);
  for (int k = 0; k <= 20; ++k) EXPECT_EQ(ticks[static_cast<std::size_t>(k)], k * 0.1);
}

TEST(Events, TwoCrossingsWithinOneStepAreSeen) {
  Model m("Dip");
  const Expr x = m.unknown("x", {.start = -5, .fixed = true});
  const Expr n = m.discrete("n");
  m += der(x) == 1;
  m.when(x * x < 1e-4, {set(n, pre(n) + 1)});
  const SimulationResult run = run_model(m, {.stop = 10, .tolerance = 1e-9, .intervals = 10});
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_NEAR(run.events[0].time, 4.99, 1e-9);
  EXPECT_NEAR(run.events[1].time, 5.01, 1e-9);
  EXPECT_EQ(run.trajectory.column("n").back(), 1);
}

TEST(Events, SimultaneousChangesAreOneEvent) {
  Model m("Both");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr a = m.discrete("a"), b = m.discrete("b");
  m += der(x) == 1;
  m.when(x > 1, {set(a, 1)});
  m.when(2 * x > 2, {set(b, pre(a) + 10)});
  const SimulationResult run = run_model(m, {.stop = 2});
  EXPECT_EQ(run.n_state_events, 1u);
  EXPECT_EQ(run.trajectory.column("a").back(), 1);
  EXPECT_EQ(run.trajectory.column("b").back(), 10);  // pre(a) is what it was before the event
}

TEST(Events, OneWhenTriggersTheNext) {
  Model m("Cascade");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr a = m.discrete("a"), b = m.discrete("b"), c = m.discrete("c");
  m += der(x) == 1;
  m.when(x > 1, {set(a, 1)});
  m.when(a > 0, {set(b, a + 1)});
  m.when(b > 1, {set(c, b + 1), reinit(x, -3)});
  const SimulationResult run = run_model(m, {.stop = 2, .intervals = 4});
  EXPECT_EQ(run.n_state_events, 1u);
  EXPECT_EQ(run.trajectory.column("c").back(), 3);
  EXPECT_NEAR(run.trajectory.column("x").back(), -2, 1e-9);
}

TEST(Events, TimeEventsAreHitExactly) {
  Model m("Steps");
  const Expr t = m.time();
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  m += der(x) == if_(t < 0.3, 1, if_(t < 0.7, -2, 0)) + 4 * mod(t, 0.25);
  const SimulationResult run = run_model(m, {.stop = 1, .tolerance = 1e-6, .intervals = 3});
  EXPECT_EQ(run.n_state_events, 0u);
  EXPECT_EQ(run.n_time_events, 6u);  // 0.25, 0.3, 0.5, 0.7, 0.75, 1
  // Piecewise polynomials are integrated without error, if no step spans a jump.
  EXPECT_NEAR(run.trajectory.column("x").back(), 0.3 - 0.8 + 4 * 4 * 0.25 * 0.25 / 2, 1e-13);
}

// Exact: sliding with Coulomb friction, half periods of pi/omega, until the spring is too weak.
TEST(Events, CoulombFrictionStopsForGood) {
  Model m("Coulomb");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  const Expr mode = m.discrete("mode", {.type = flat::ValueType::integer});
  const Expr free = if_(-4 * x > 0.6, 1, if_(-4 * x < -0.6, -1, 0));
  m += der(x) == v;
  m += der(v) == if_(equal(mode, 0), 0, -4 * x - 0.6 * mode);
  m += mode == if_(equal(pre(mode), 0), free, if_(pre(mode) * v < 0, 0, pre(mode)));
  m.when(equal(mode, 0), {reinit(v, 0)});
  const SimulationResult run = run_model(m, {.stop = 10, .tolerance = 1e-10});
  EXPECT_NEAR(run.trajectory.column("x").back(), -0.1, 1e-8);
  EXPECT_NEAR(run.trajectory.column("v").back(), 0, 1e-12);
  const std::vector<double> turns = jumps(run, "mode");
  ASSERT_EQ(turns.size(), 3u);  // two turns, the stop: and no chatter
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(turns[k], double(k + 1) * std::numbers::pi / 2, 1e-8);
}

// Exact: k-th slip at 5 + 8.902605407814523 k; highest point 0.5 + hypot(0.5, 0.2).
TEST(Events, StickSlipOnABelt) {
  Model m("Belt");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0.2, .fixed = true});
  const Expr stuck = m.discrete("stuck", {.start = 1, .type = flat::ValueType::boolean});
  const Expr caught = m.boolean("caught"), torn = m.boolean("torn");
  m += der(x) == v;
  m += der(v) == if_(not_equal(stuck, 0), 0, -x + 0.5);
  m += caught == number(v > 0.2);
  m += torn == number(x > 1);
  m += stuck == if_(builder::edge(caught), 1, if_(builder::edge(torn), 0, pre(stuck)));
  m.when(not_equal(stuck, 0), {reinit(v, 0.2)});
  const SimulationResult run = run_model(m, {.stop = 40, .tolerance = 1e-11, .intervals = 4000});
  const std::vector<double> times = jumps(run, "stuck");
  ASSERT_GE(times.size(), 7u);
  for (std::size_t k = 0; 2 * k < times.size(); ++k)
    EXPECT_NEAR(times[2 * k], 5 + 8.9026054078145230 * double(k), 1e-7);
  EXPECT_NEAR(times[1] - times[0], 3.9026054078145230, 1e-8);
  const auto column = run.trajectory.column("x");
  EXPECT_NEAR(*std::max_element(column.begin(), column.end()), 1.0385164807134504, 1e-5);
}

// Exact: extinction at 13.380394 ms, the next conduction at 20 ms.
TEST(Events, RectifierWithInductance) {
  Model m("Rectifier");
  const double omega = 100 * std::numbers::pi;
  const Expr i = m.unknown("i", {.start = 0, .fixed = true});
  const Expr u = m.unknown("u");
  const Expr on = m.boolean("on");
  m += u == 325 * sin(omega * m.time());
  m += 0.05 * der(i) == if_(not_equal(on, 0), u - 10 * i, 0);
  m += on == if_(not_equal(pre(on), 0), number(i >= 0), number(u > 0));
  m.when(equal(on, 0), {reinit(i, 0)});
  const SimulationResult run = run_model(m, {.stop = 0.1, .tolerance = 1e-10, .intervals = 20});
  const std::vector<double> times = jumps(run, "on");
  ASSERT_GE(times.size(), 8u);
  EXPECT_NEAR(times[0], 0.013380394067951375, 1e-9);
  EXPECT_NEAR(times[1], 0.02, 1e-9);
  EXPECT_NEAR(times[2], 0.033380394067951375, 1e-9);
  const auto t = run.trajectory.times();
  const auto at = static_cast<std::size_t>(std::find(t.begin(), t.end(), 0.005) - t.begin());
  ASSERT_LT(at, t.size());
  EXPECT_NEAR(run.trajectory.column("i")[at], 14.789338744247025, 1e-6);
}

/// An ideal diode along the current i with voltage u: closed i = s, u = 0, open u = s, i = 0.
void add_diode(Model& m, const std::string& name, const Expr& u, const Expr& i, double leak) {
  const Expr s = m.unknown(name + ".s");
  m += u == if_(s < 0, s, leak * s);
  m += i == if_(s < 0, leak * s, s);
}

// Second route: the same circuit without diodes, its current being max(0, .) of the difference.
TEST(Events, ABridgeOfFourIdealDiodesAgreesWithItsFormula) {
  const double omega = 100 * std::numbers::pi;
  Model bridge("Bridge");
  {
    Model& m = bridge;
    const Expr c = m.unknown("c", {.start = 0, .fixed = true});
    const Expr a = m.unknown("a"), b = m.unknown("b"), is = m.unknown("is");
    const Expr i1 = m.unknown("i1"), i2 = m.unknown("i2"), i3 = m.unknown("i3");
    const Expr i4 = m.unknown("i4");
    m += 10 * sin(omega * m.time()) - 0.5 * is == a - b;
    m += is == i1 - i3;
    m += is == i4 - i2;
    add_diode(m, "d1", a - c, i1, 1e-7);
    add_diode(m, "d2", b - c, i2, 1e-7);
    add_diode(m, "d3", -a, i3, 1e-7);
    add_diode(m, "d4", -b, i4, 1e-7);
    m += 2e-3 * der(c) == i1 + i2 - c / 20;
  }
  Model formula("Formula");
  {
    Model& m = formula;
    const Expr c = m.unknown("c", {.start = 0, .fixed = true});
    m += 2e-3 * der(c) == max(0, (abs(10 * sin(omega * m.time())) - c) / 0.5) - c / 20;
  }
  const SimulateOptions options{
      .stop = 0.05, .tolerance = 1e-8, .intervals = 50, .method = "rodas5p"};
  const SimulationResult x = run_model(bridge, options), y = run_model(formula, options);
  EXPECT_GE(x.n_state_events, 8u);
  for (int k = 0; k <= 50; ++k) {
    const double t = 0.05 * k / 50;
    const auto row = [&](const SimulationResult& r) {
      const auto& times = r.trajectory.times();
      return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t - 1e-15) -
                                      times.begin());
    };
    EXPECT_NEAR(x.trajectory.column("c")[row(x)], y.trajectory.column("c")[row(y)], 2e-5) << t;
  }
}

TEST(Events, AssertionsEndTheRunAndWarningsDoNot) {
  Model m("Watch");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  m += der(x) == 1;
  m.expect(x < 0.5, "x is getting large: {1}", {x});
  m.require(x < 1, "x = {1} is too large", {x});
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 2, .tolerance = 1e-9});
  EXPECT_EQ(run.outcome, Outcome::assertion_failed);
  EXPECT_NEAR(run.end_time, 1, 1e-12);
  EXPECT_NE(run.message.find("x = 1 is too large"), std::string::npos) << run.message;
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("x is getting large"), std::string::npos) << run.warnings[0];
}

TEST(Events, AnAssertionThatRoundingMissesHolds) {
  for (const double limit : {0.3, 0.2999999999}) {
    Model m("Full");
    const Expr part = m.parameter("part", 0.1), height = m.parameter("height", limit);
    const Expr x = m.unknown("x", {.start = 3, .fixed = true}), level = m.unknown("level");
    m += der(x) == 0;
    m += level == part * x;  // 0.30000000000000004
    m.require(level <= height && x > 0, "the tank is too full");
    const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
    EXPECT_EQ(run.outcome, limit == 0.3 ? Outcome::done : Outcome::assertion_failed);
  }
}

TEST(Events, TerminationIsAGoodEnd) {
  Model m("End");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  m += der(x) == 2;
  m.when(x >= 1, {terminate("x has reached 1")});
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 2});
  EXPECT_EQ(run.outcome, Outcome::terminated);
  EXPECT_NEAR(run.end_time, 0.5, 1e-12);
  EXPECT_EQ(run.message, "x has reached 1");
}

TEST(Events, AContradictionNamesTheComparison) {
  Model m("Paradox");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true}), y = m.unknown("y");
  m += der(x) == 1;
  m += y == if_(y > 0.5 * (x - 1), -1, 1) * if_(x > 1, 1, 0) + 2 * if_(x > 1, 0, 1);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 2});
  EXPECT_EQ(run.outcome, Outcome::event_failed);
  EXPECT_NEAR(run.end_time, 1, 1e-9);
  EXPECT_NE(run.message.find("agree"), std::string::npos) << run.message;
}

// Exact, by the method of steps: x' = -x(t - 1), x = 1 before the start.
TEST(Events, DelayedFeedback) {
  Model m("Delayed");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  m += der(x) == -m.delay(x, 1);
  for (const char* method : {"dop853", "rodas5p"}) {
    const SimulationResult run =
        run_model(m, {.stop = 3, .tolerance = 1e-9, .intervals = 30, .method = method});
    const auto t = run.trajectory.times();
    const auto values = run.trajectory.column("x");
    for (std::size_t i = 0; i < t.size(); ++i) {
      double exact = 1 - t[i];
      if (t[i] > 1) exact += std::pow(t[i] - 1, 2) / 2;
      if (t[i] > 2) exact -= std::pow(t[i] - 2, 3) / 6;
      EXPECT_NEAR(values[i], exact, 1e-7) << method << " " << t[i];
    }
  }
}

// A delayed step arrives as an event of known time, and only that.
TEST(Events, StepsArriveAfterTheirDelay) {
  Model m("Late");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n"), late = m.discrete("late");
  m += der(x) == late;
  m.when(x > 0.5 * m.time() || m.time() >= 0.3, {set(n, 3)});
  m += late == integer_part(m.delay(n, 0.1));
  const SimulationResult run = run_model(m, {.stop = 2, .tolerance = 1e-9});
  EXPECT_EQ(run.trajectory.column("late").back(), 3);
  const std::vector<double> times = jumps(run, "late");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.4, 1e-15);
  EXPECT_EQ(run.n_time_events, 2u);
  EXPECT_NEAR(run.trajectory.column("x").back(), 3 * 1.6, 1e-9);
  EXPECT_LT(run.statistics.steps, 250u);  // not as many as delays
}

TEST(Events, BothSidesOfAnEventAreRows) {
  const Model m = bouncing_ball(1, 0.7);
  const SimulationResult run = run_model(m, {.stop = 0.6, .tolerance = 1e-10, .intervals = 6});
  const auto t = run.trajectory.times();
  ASSERT_EQ(t.size(), 7u + 2u);
  const auto v = run.trajectory.column("v");
  EXPECT_EQ(t[5], t[6]);
  EXPECT_NEAR(v[5], -4.4294469180700202, 1e-8);
  EXPECT_NEAR(v[6], 0.7 * 4.4294469180700202, 1e-8);
}

TEST(Events, NothingChangesWithoutStates) {
  Model m("Logic");
  const Expr n = m.discrete("n"), y = m.unknown("y");
  m.when(m.sample(0.1, 0.1), {set(n, pre(n) + 1)});
  m += y == 2 * n + m.time();
  const SimulationResult run = run_model(m, {.stop = 1.05, .intervals = 21});
  EXPECT_EQ(run.trajectory.column("n").back(), 10);
  EXPECT_NEAR(run.trajectory.column("y").back(), 21.05, 1e-12);
}

}  // namespace
}  // namespace alembert
