// SPDX-License-Identifier: Apache-2.0
// Models of Modelica text in which something switches, slides, jumps or ends, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/result/compare.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Chattering;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulateOptions;
using integrate::SimulationResult;

/// The value of a column in the first row at or after a time.
double at(const SimulationResult& run, const std::string& name, double time) {
  const auto t = run.trajectory.times();
  const auto values = run.trajectory.column(name);
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= time) return values[i];
  return values.back();
}

std::vector<double> jump_times(const SimulationResult& run, const std::string& name, double least) {
  std::vector<double> times;
  const auto t = run.trajectory.times();
  const auto values = run.trajectory.column(name);
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] == t[i - 1] && std::abs(values[i] - values[i - 1]) > least) times.push_back(t[i]);
  return times;
}

const std::string diode = R"(
model Diode
  parameter Real Ron = 1e-5, Goff = 1e-5;
  Real v, i, s;
  Boolean off(start = true);
equation
  off = s < 0;
  v = s*(if off then 1 else Ron);
  i = s*(if off then Goff else 1);
end Diode;
)";

// Conducting diodes have Ron each: the load sees |vs| less two of their voltages.
TEST(HybridText, BridgeOfIdealDiodesRectifies) {
  const CompiledModel model = compiled(diode + R"(
model Bridge
  Diode d1, d2, d3, d4;
  parameter Real R = 10, L = 0.01;
  Real vs, is, a, b, p, n, il(start = 0, fixed = true);
equation
  vs = 10*sin(100*time);
  a - b = vs;
  n = 0;
  d1.v = a - p; d2.v = b - p; d3.v = n - a; d4.v = n - b;
  is + d3.i = d1.i;
  d4.i = d2.i + is;
  d1.i + d2.i = il;
  L*der(il) + R*il = p - n;
end Bridge;
)",
                                       "Bridge");
  const SimulationResult run = simulate(model, {.stop = 0.2, .intervals = 400});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const auto vs = run.trajectory.column("vs");
  const auto p = run.trajectory.column("p");
  const auto il = run.trajectory.column("il");
  for (std::size_t k = 0; k < vs.size(); ++k)
    if (std::abs(vs[k]) > 0.1) {
      EXPECT_NEAR(p[k], std::abs(vs[k]) - 2 * 1e-5 * il[k], 1e-6 * std::abs(vs[k])) << k;
    }
}

// Three diodes that take over from each other, with inductances on both sides. Power: what the
// sources give is what the resistor and the diodes take and the inductances store.
TEST(HybridText, ThreePhaseRectifierKeepsItsEnergy) {
  const CompiledModel model = compiled(diode + R"(
model Rectifier
  Diode u[3];
  parameter Real R = 10, L = 0.05, Ls = 1e-3;
  Real vs[3], is[3], x[3], p, il, heat(start = 0, fixed = true), given(start = 0, fixed = true),
    stored;
initial equation
  is[1] = 0; is[2] = 0; is[3] = 0;
equation
  for k in 1:3 loop
    vs[k] = 100*sin(314*time - 2.0943951023931953*(k - 1));
    vs[k] - Ls*der(is[k]) = x[k];
    u[k].v = x[k] - p;
    is[k] = u[k].i;
  end for;
  is[1] + is[2] + is[3] = il;
  L*der(il) + R*il = p;
  der(heat) = R*il^2 + u[1].v*u[1].i + u[2].v*u[2].i + u[3].v*u[3].i;
  der(given) = vs[1]*is[1] + vs[2]*is[2] + vs[3]*is[3];
  stored = (L*il^2 + Ls*(is[1]^2 + is[2]^2 + is[3]^2))/2;
end Rectifier;
)",
                                       "Rectifier");
  const SimulationResult run = simulate(model, {.stop = 0.1, .tolerance = 1e-7});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "given", 0.1), at(run, "heat", 0.1) + at(run, "stored", 0.1),
              1e-4 * at(run, "given", 0.1));
  EXPECT_GT(run.n_state_events, 20u);
}

// An amplifier with limits and positive feedback: its output stays at a limit until that solution
// ends, and jumps to the other limit. Half a period is R C ln((10 + u)/(10 - u)), u = 5 - 10/A.
void expect_half_periods(const SimulationResult& run, double half, double tolerance) {
  const std::vector<double> jumps = jump_times(run, "vout", 15);
  ASSERT_GE(jumps.size(), 4u);
  for (std::size_t k = 1; k < jumps.size(); ++k)
    EXPECT_NEAR(jumps[k] - jumps[k - 1], half, tolerance * half);
}

/// An amplifier with feedback, whose output is as given.
void expect_multivibrator(const std::string& output, double tolerance) {
  const SimulationResult result = run(R"(
model M
  Real vc(start = 0.1, fixed = true), vout(start = 10), d;
  parameter Real A = 1e4, Vs = 10, T = 0.1;
equation
  d = vout*0.5 - vc;
  vout = )" + output + R"(;
  T*der(vc) = vout - vc;
end M;
)",
                                      {.stop = 1, .tolerance = 1e-8});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  const double u = 5 - 10 / 1e4;
  expect_half_periods(result, 0.1 * std::log((10 + u) / (10 - u)), tolerance);
}

TEST(HybridText, MultivibratorWithEventsJumps) {
  expect_multivibrator("if A*d > Vs then Vs elseif A*d < -Vs then -Vs else A*d", 1e-5);
}

TEST(HybridText, MultivibratorWithoutEventsJumps) {
  expect_multivibrator("smooth(0, if A*d > Vs then Vs elseif A*d < -Vs then -Vs else A*d)", 1e-4);
}

// vin = 8 sin(t); the fold of vout = 10 tanh(100 vp), vp = vin/2 + vout/4, is where 250 sech^2 = 1.
TEST(HybridText, SmoothTriggerJumpsAtItsFold) {
  const CompiledModel model = compiled(R"(
model Trigger
  Real vin, vp, vout(start = 10), x(start = 0, fixed = true);
equation
  vin = 8*sin(time);
  vp = vin/2 + vout/4;
  vout = 10*tanh(100*vp);
  der(x) = vout;
end Trigger;
)",
                                       "Trigger");
  const SimulationResult run = simulate(model, {.start = 0.5, .stop = 12, .tolerance = 1e-8});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const std::vector<double> jumps = jump_times(run, "vout", 15);
  const double w = std::acosh(std::sqrt(250.0));  // 100 vp at the fold
  const double vin = -2 * (10 * std::tanh(w) / 4 - w / 100);
  const double first = std::numbers::pi - std::asin(vin / 8);
  ASSERT_GE(jumps.size(), 3u);
  EXPECT_NEAR(jumps[0], first, 1e-5);
  EXPECT_NEAR(jumps[1], first + std::numbers::pi, 1e-5);
}

const std::string relay = R"(
model Relay
  Real x1(start = 1, fixed = true), x2(start = 0, fixed = true), s, u;
equation
  s = x2 + 2*x1;
  u = if s > 0 then -5 else 5;
  der(x1) = x2;
  der(x2) = u;
end Relay;
)";

// On the line x2 = -2 x1 from where 2 - 5 t + 2 (1 - 2.5 t^2) ... = 0 on: x1 falls as exp(-2 t).
/// Both sides of the comparison become equal and stay so: that is a change as well.
TEST(HybridText, ComparisonsThatBecomeEqualAndStaySo) {
  const std::string text = R"(
model Saturation
  Real i(start = 0, fixed = true), u = 4*i + 0.5, limited = min(1, max(-1, u));
  Boolean saturated = limited >= 1 or limited <= -1;
equation
  der(i) = if saturated then 0 else 1;
end Saturation;
model Tank
  Real h(start = 1, fixed = true), level = max(h, 0);
  Boolean empty = level <= 0;
equation
  der(h) = if empty then 0 else -3;
end Tank;
model Ramp
  Real x = max(0, 1 - 2*time);
  Integer n(start = 0, fixed = true);
equation
  when x <= 0 then
    n = pre(n) + 1;
  end when;
end Ramp;
)";
  for (const char* method : {"auto", "rodas5p", "cvode", "rk4"}) {
    const auto last = [&](const std::string& model, const std::string& name) {
      return simulate(compiled(text, model), {.stop = 1, .method = method})
          .trajectory.column(name)
          .back();
    };
    EXPECT_NEAR(last("Saturation", "i"), 0.125, 1e-9) << method;
    EXPECT_NEAR(last("Tank", "h"), 0, 1e-9) << method;
    EXPECT_EQ(last("Ramp", "n"), 1) << method;
  }
}

TEST(HybridText, RelaySlidesWhereItIsTold) {
  const CompiledModel model = compiled(relay, "Relay");
  const SimulationResult stopped = simulate(model, {.stop = 3});
  EXPECT_EQ(stopped.outcome, Outcome::accumulation);
  EXPECT_NE(stopped.message.find("0 < s"), std::string::npos) << stopped.message;
  EXPECT_NE(stopped.message.find("--chattering slide"), std::string::npos);
  const SimulationResult run = simulate(
      model, {.stop = 3, .tolerance = 1e-8, .intervals = 300, .chattering = Chattering::slide});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  ASSERT_FALSE(run.warnings.empty());
  EXPECT_NE(run.warnings[0].find("0 < s"), std::string::npos) << run.warnings[0];
  // Before: x2 = -5 t, x1 = 1 - 2.5 t^2; the line is met where 5 t^2 + 5 t = 2.
  const double met = (-5 + std::sqrt(25 + 40)) / 10;
  const double x1 = 1 - 2.5 * met * met;
  EXPECT_NEAR(at(run, "x1", 2), x1 * std::exp(-2 * (2 - met)), 1e-6);
  EXPECT_NEAR(at(run, "u", 2), 4 * at(run, "x1", 2), 1e-5);  // the equivalent control
  EXPECT_NEAR(at(run, "s", 3), 0, 1e-6);
}

// der(x) = sin(t) -+ 0.5 slides along x = 0 while |sin t| < 0.5 and leaves it at t = pi/6.
TEST(HybridText, SlidingEndsWhereOneSideLeadsAway) {
  const CompiledModel model = compiled(R"(
model Leaving
  Real x(start = 0.01, fixed = true);
equation
  der(x) = sin(time) - (if x > 0 then 0.5 else -0.5);
end Leaving;
)",
                                       "Leaving");
  const SimulationResult run =
      simulate(model, {.stop = 1.5, .tolerance = 1e-9, .chattering = Chattering::slide});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double leaves = std::numbers::pi / 6;
  EXPECT_NEAR(at(run, "x", 0.3), 0, 1e-9);
  const auto exact = [&](double t) { return std::cos(leaves) - std::cos(t) - 0.5 * (t - leaves); };
  EXPECT_NEAR(at(run, "x", 1.5), exact(1.5), 1e-6);
}

// Exact (EV04 of the validation problems): x'' + 4 x = -0.6 sgn(x') from x = 1 turns at -0.7 and
// 0.4 and rests at -0.1 from 3 pi/2 on, where friction is 0.4. The start is on the surface itself.
TEST(HybridText, CoulombFrictionComesToRestBySliding) {
  for (const std::string friction :
       {"if v > 0 then 1 else -1", "if v >= 0 then 1 else -1", "if v < 0 then -1 else 1", "sign(v)",
        "(if v > 0 then 1 else 0) - (if v < 0 then 1 else 0)"}) {
    const CompiledModel model = compiled(
        "model Rest Real x(start = 1, fixed = true), v(start = 0, fixed = true), F; equation "
        "der(x) = v; der(v) = -4*x - F; F = 0.6*(" +
            friction + "); end Rest;",
        "Rest");
    const SimulationResult stopped = simulate(model, {.stop = 10});
    EXPECT_EQ(stopped.outcome, Outcome::accumulation) << friction;
    EXPECT_NE(stopped.message.find("--chattering slide"), std::string::npos) << stopped.message;
    for (const char* method : {"auto", "tsit5", "rodas5p", "radau5", "ida"}) {
      const SimulationResult run = simulate(
          model,
          {.stop = 10, .tolerance = 1e-9, .method = method, .chattering = Chattering::slide});
      ASSERT_EQ(run.outcome, Outcome::done) << friction << ": " << run.message;
      EXPECT_NEAR(at(run, "x", 6), -0.1, 1e-6) << friction << " " << method;
      EXPECT_NEAR(at(run, "x", 10), at(run, "x", 6), 1e-11) << friction << " " << method;
      EXPECT_NEAR(at(run, "F", 10), 0.4, 1e-5) << friction << " " << method;
    }
  }
}

// Exact: x' = 0.4 - floor(x) reaches 1 at 1.25 and stays, with 0.4 in place of floor(x).
TEST(HybridText, RoundingSlidesOnWholeNumbers) {
  const CompiledModel model = compiled(R"(
model Whole
  Real x(start = 0.5, fixed = true), f = floor(x);
equation
  der(x) = 0.4 - f;
end Whole;
)",
                                       "Whole");
  const SimulationResult run =
      simulate(model, {.stop = 3, .intervals = 300, .chattering = Chattering::slide});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "x", 1), 0.9, 1e-9);
  EXPECT_NEAR(at(run, "x", 3), 1, 1e-9);
  EXPECT_NEAR(at(run, "f", 3), 0.4, 1e-6);
}

// Exact: y' = u - sgn(y) stays at 0 while |u| < 1. A time event in between changes u: from 5 on
// y = t - 5. What is sampled while the run slides is seen as well.
TEST(HybridText, TimeEventsAreSeenWhileSliding) {
  const CompiledModel model = compiled(R"(
model Driven
  Real y(start = 1, fixed = true), F = sign(y);
equation
  der(y) = (if time < 5 then 0.3 else 2) - F;
end Driven;
)",
                                       "Driven");
  const SimulationResult run = simulate(model, {.stop = 10, .chattering = Chattering::slide});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "y", 4), 0, 1e-9);
  EXPECT_NEAR(at(run, "F", 4), 0.3, 1e-6);
  EXPECT_NEAR(at(run, "y", 10), 5, 1e-8);
  const CompiledModel sampled = compiled(R"(
model Sampled
  Real y(start = 1, fixed = true), F = sign(y);
  discrete Real u(start = 0, fixed = true);
equation
  der(y) = u - F;
  when sample(0, 0.5) then
    u = 0.5*sin(time);
  end when;
end Sampled;
)",
                                         "Sampled");
  const SimulationResult steps = simulate(sampled, {.stop = 9.75, .chattering = Chattering::slide});
  ASSERT_EQ(steps.outcome, Outcome::done) << steps.message;
  EXPECT_NEAR(at(steps, "y", 9.75), 0, 1e-9);
  EXPECT_NEAR(at(steps, "F", 9.75), 0.5 * std::sin(9.5), 1e-6);
}

// Large forces that nearly balance: the share leaves [0, 1] by little, and comes back. What has
// begun to move by then moves on.
TEST(HybridText, SlidingEndsHoweverLittleIsLeft) {
  const CompiledModel model = compiled(R"(
model Loose
  Real v(start = 1, fixed = true);
equation
  der(v) = 1000 - (if time < 0.5 then 500 else cos(time)) - 1000*sign(v);
end Loose;
)",
                                       "Loose");
  for (const char* method : {"auto", "rodas5p", "cvode", "ida", "rk4"}) {
    const SimulationResult run = simulate(
        model, {.stop = 20, .tolerance = 1e-6, .method = method, .chattering = Chattering::slide});
    ASSERT_EQ(run.outcome, Outcome::done) << method << run.message;
    EXPECT_NEAR(at(run, "v", 1.5), 0, 1e-6) << method;
    EXPECT_NEAR(at(run, "v", 20), 1 - std::sin(20.0), 1e-4) << method;
  }
}

// At rest from the start, until the force is larger than friction.
TEST(HybridText, SlidingFromTheStart) {
  const CompiledModel model = compiled(R"(
model Rest
  Real v(start = 0, fixed = true);
equation
  der(v) = 0.5*time - (if v > 0 then 1 else -1);
end Rest;
)",
                                       "Rest");
  for (const char* method : {"auto", "rodas5p", "cvode", "ida", "rk4"}) {
    const SimulationResult run = simulate(
        model, {.stop = 4, .tolerance = 1e-6, .method = method, .chattering = Chattering::slide});
    ASSERT_EQ(run.outcome, Outcome::done) << method << run.message;
    EXPECT_NEAR(at(run, "v", 1.9), 0, 1e-6) << method;
    EXPECT_NEAR(at(run, "v", 4), 1, 1e-5) << method;
  }
  const SimulationResult stops = simulate(model, {.stop = 4});
  EXPECT_EQ(stops.outcome, Outcome::event_failed);
  EXPECT_NE(stops.message.find("--chattering slide"), std::string::npos) << stops.message;
}

// A bouncing ball does not slide: both sides have the same derivatives.
TEST(HybridText, BouncingDoesNotSlide) {
  const CompiledModel model = compiled(R"(
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;
)",
                                       "Ball");
  const SimulationResult run = simulate(model, {.stop = 5, .chattering = Chattering::slide});
  EXPECT_EQ(run.outcome, Outcome::accumulation);
  EXPECT_NEAR(run.end_time, 2.5586, 1e-3);
}

// x is twice the state y, v its velocity: a kick on v moves the velocity, not the position.
TEST(HybridText, ReinitOfWhatFollowsFromStates) {
  const CompiledModel model = compiled(R"(
model Lever
  Real y(start = 1, fixed = true), w(start = 0, fixed = true), x, v;
equation
  der(y) = w;
  der(w) = 0;
  x = 2*y + 1;
  v = 2*w + 0*x;
  when time > 1 then
    reinit(v, 3);
  end when;
  when time > 2 then
    reinit(x, 10);
  end when;
end Lever;
)",
                                       "Lever");
  const SimulationResult run = simulate(model, {.stop = 3});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "v", 1.5), 3, 1e-9);
  EXPECT_NEAR(at(run, "y", 1.5), 1 + 0.5 * 1.5, 1e-9);
  EXPECT_NEAR(at(run, "x", 3), 10 + 3, 1e-8);
}

/// A velocity of a pendulum is set: the other one follows, the position stays, whatever is
/// integrated.
TEST(HybridText, ReinitOfAVelocityByEveryFormulation) {
  const CompiledModel model = compiled(R"(
model Struck
  Real x(start = 0.6), y(start = -0.8), vx(start = 0), vy, force;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = 1;
  when x < -0.3 then
    reinit(vx, -0.5*pre(vx));
  end when;
end Struck;
)",
                                       "Struck");
  const double at_event = -std::sqrt(2 * 9.81 * (std::sqrt(0.91) - 0.8)) * std::sqrt(0.91);
  for (const char* formulation : {"dynamic", "projection", "ggl", "baumgarte"}) {
    const SimulationResult run = simulate(
        model,
        {.stop = 3, .tolerance = 1e-9, .formulation = integrate::formulation_named(formulation)});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    ASSERT_EQ(run.events.size(), 2u) << formulation;
    const auto t = run.trajectory.times();
    std::size_t after = 1;
    while (t[after] != t[after - 1]) ++after;
    EXPECT_NEAR(run.trajectory.column("x")[after], -0.3, 1e-8) << formulation;
    EXPECT_NEAR(run.trajectory.column("vx")[after], -0.5 * at_event, 1e-6) << formulation;
    EXPECT_NEAR(at(run, "x", 3), 0.3159045, 1e-6) << formulation;
  }
}

TEST(HybridText, TheEndIsAnEventWhereTheModelAsks) {
  const CompiledModel model = compiled(R"(
model Ending
  Real x(start = 0, fixed = true);
  discrete Real last(start = -1, fixed = true);
equation
  der(x) = 2;
  when terminal() then
    last = x;
  end when;
end Ending;
)",
                                       "Ending");
  const SimulationResult run = simulate(model, {.stop = 3});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(at(run, "last", 2.9), -1);
  EXPECT_NEAR(run.trajectory.column("last").back(), 6, 1e-9);
}

// At t = 1, x > 0 is decided by where x goes; what that event sets is compared to time at once
// (exact: y = 4 - t from there on).
TEST(HybridText, TimesThatAnEventSetsCountFromItOn) {
  const CompiledModel model = compiled(R"(
model Timer
  Real x(start = 0, fixed = true), y;
  discrete Real T(start = 0, fixed = true);
equation
  der(x) = if time < 1 then 0 else 1;
  y = if time < T then T - time else 0;
  when x > 0 then
    T = time + 3;
  end when;
end Timer;
)",
                                       "Timer");
  const SimulationResult run = simulate(model, {.stop = 5});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "y", 2), 2, 1e-9);
  EXPECT_NEAR(at(run, "y", 3.5), 0.5, 1e-9);
  EXPECT_EQ(at(run, "y", 4.5), 0);
}

// terminate() is a good end, so that terminal() holds at it as well (exact: x = 1 at t = 1/2).
// What equations give by time alone changes conditions at times that are known ahead, also with
// equations in between. x is a sum of straight lines.
TEST(HybridText, ConditionsOfWhatFollowsFromTimeAreKnownAhead) {
  const char* text = R"(model M
    Real phase = mod(time, 2), share, x(start = 0, fixed = true), y(start = 0, fixed = true);
    Real limit = if share < 0.5 then 1 else 2 "not a straight line of time";
    Integer n(start = 0, fixed = true);
  equation
    phase/2 = share;
    der(x) = if share < 0.25 then 1 elseif phase < 1.5 then -1 else 0;
    der(y) = if x > -1.1 then limit else 0;
    when 1.2 < phase then
      n = pre(n) + 1;
    end when;
  end M;)";
  for (const char* method : {"auto", "cvode", "tsit5", "rk4"}) {
    const SimulationResult run =
        alembert::run(text, {.stop = 6.9, .intervals = 69, .method = method, .step = 0.1});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    // phase = 0, 0.5, 1, 1.5 and 1.2; x = -1.1 at 5.1, 6.4 and 6.6 s.
    EXPECT_EQ(run.n_time_events, 3u + 4 + 3 + 3 + 3) << method;
    EXPECT_EQ(run.n_state_events, 3u) << method;
    EXPECT_EQ(at_end(run, "n"), 3) << method;
    EXPECT_NEAR(at_end(run, "x"), -1.4, 1e-9) << method;
    EXPECT_NEAR(at_end(run, "y"), 7.4, 1e-9) << method;
  }
}

// A time that events set again, by way of an unknown. The periods are 1, 3/4, 5/8, ...
TEST(HybridText, TimesSinceAnEventComeFromUnknownsToo) {
  const SimulationResult run = alembert::run(R"(model M
    discrete Real T(start = 1, fixed = true), t0(start = 0, fixed = true);
    Real s = time - t0, x(start = 0, fixed = true);
  equation
    when s > T then
      t0 = time;
      T = pre(T)*0.5 + 0.25;
    end when;
    der(x) = if s < 0.5*T then 1 else -1;
  end M;)",
                                             {.stop = 4, .intervals = 8});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "t0"), 3.984375, 1e-9);
  EXPECT_NEAR(at_end(run, "x"), 4 - 3.984375, 1e-9);
}

TEST(HybridText, AnEndThatTheModelCallsForIsTerminalToo) {
  const CompiledModel model = compiled(R"(
model Enough
  Real x(start = 0, fixed = true);
  discrete Real last(start = -1, fixed = true);
equation
  der(x) = 2;
  when x > 1 then
    terminate("enough");
  end when;
  when terminal() then
    last = x;
  end when;
end Enough;
)",
                                       "Enough");
  const SimulationResult run = simulate(model, {.stop = 3});
  ASSERT_EQ(run.outcome, Outcome::terminated) << run.message;
  EXPECT_EQ(run.message, "enough");
  EXPECT_NEAR(run.end_time, 0.5, 1e-9);
  EXPECT_NEAR(run.trajectory.column("last").back(), 1, 1e-9);
}

// The mass follows what was: m x'' = F with x = sin(t - T)^3 from T on.
TEST(HybridText, DelayInAConstraintIsDifferentiated) {
  const CompiledModel model = compiled(R"(
model Follower
  Real x, v, F, u;
equation
  u = sin(time)^3;
  x = delay(u, 0.5);
  der(x) = v;
  2*der(v) = F;
end Follower;
)",
                                       "Follower");
  const SimulationResult run = simulate(model, {.stop = 3, .tolerance = 1e-10, .intervals = 3000});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  for (const double t : {0.9, 1.7, 2.8}) {
    const double s = std::sin(t - 0.5), c = std::cos(t - 0.5);
    EXPECT_NEAR(at(run, "v", t), 3 * s * s * c, 1e-8);
    EXPECT_NEAR(at(run, "F", t), 2 * (6 * s * c * c - 3 * s * s * s), 1e-8);
  }
}

// From x = 0 the actual equation has no values at all; the simplified one leads to where it has.
TEST(HybridText, HomotopyLeadsToTheStart) {
  const std::string text = R"(
model Valve
  Real x(start = 0), y(start = 0, fixed = true);
equation
  0 = homotopy(actual = sqrt(x - 300) - 1 + 0.1*y, simplified = x - 300.5);
  der(y) = 0;
end Valve;
)";
  const SimulationResult run = simulate(compiled(text, "Valve"), {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "x", 0), 301, 1e-7);
  std::string without = text;
  without.replace(without.find("homotopy(actual ="), 17, "(");
  without.erase(without.find(", simplified = x - 300.5"), 24);
  EXPECT_THROW(simulate(compiled(without, "Valve"), {.stop = 1}), Error);
}

// Newton by itself finds 0 from here, and there are a hundred others: the simplified equation tells
// which one is meant, whether or not another can be found without it.
TEST(HybridText, HomotopyChoosesTheSolution) {
  const SimulationResult run = simulate(compiled(R"(
model Many
  Real x(start = 0);
equation
  0 = homotopy(actual = sin(x)*(x - 100), simplified = x - 100);
end Many;
)",
                                                 "Many"),
                                        {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "x", 0), 100, 1e-7);
}

// No real x solves it: the file must hold the block by itself, and fail in the same way.
TEST(HybridText, AFailedStartCanBeReplayed) {
  const auto path = std::filesystem::temp_directory_path() / "alembert_failed_start.mo";
  std::filesystem::remove(path);
  const CompiledModel model = compiled(R"(
model Part
  parameter Real c = 2;
  Real x(start = 1), y(start = 2);
equation
  x^2 + y^2 + c = 0;
  x - y = sin(time);
end Part;
model Whole
  Part part(c = 3);
end Whole;
)",
                                       "Whole");
  const auto message_of = [](const CompiledModel& failing, const std::string& replay) {
    try {
      SimulateOptions options;
      options.replay_path = replay;
      simulate(failing, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string message = message_of(model, path.string());
  EXPECT_NE(message.find("alembert simulate " + path.string()), std::string::npos) << message;
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(text.find("'part.c'"), std::string::npos) << text;
  const std::string again = message_of(compiled(text, "Whole_start"), "");
  EXPECT_NE(again.find("I001"), std::string::npos) << again;
  std::filesystem::remove(path);
}

// The load sees |u|, whichever pair conducts; without resistances only two of the sixteen choices
// have a solution, and at u = 0 all comparisons are undecided.
TEST(HybridText, ABridgeOfPerfectDiodes) {
  const CompiledModel model = compiled(diode + R"(
model Bridge
  Diode d[4](each Ron = 0, each Goff = 0);
  Real u, a, b, p, from, load;
equation
  u = 10*sin(100*time);
  a - b = u - 1*from;
  d[1].v = a - p; d[2].v = b - p; d[3].v = -a; d[4].v = -b;
  from = d[1].i - d[3].i; -from = d[2].i - d[4].i;
  p = 100*load; load = d[1].i + d[2].i;
end Bridge;
)",
                                       "Bridge");
  const SimulationResult run = simulate(model, {.stop = 0.2});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const auto t = run.trajectory.times();
  const auto load = run.trajectory.column("load");
  for (std::size_t i = 0; i < t.size(); ++i)
    EXPECT_NEAR(load[i], std::abs(10 * std::sin(100 * t[i])) / 101, 1e-12) << t[i];
}

// The current goes over to the diode when the switch opens, and comes back: exponentials.
TEST(HybridText, AnInductanceFreewheelsThroughAPerfectDiode) {
  const CompiledModel model = compiled(diode + R"(
model Freewheel
  Diode d(Ron = 0, Goff = 0);
  Real i(start = 0, fixed = true), x, through, s;
  Boolean closed;
equation
  closed = time < 0.01 or time >= 0.02;
  12 - x = if closed then 0 else s;
  through = if closed then s else 0;
  d.v = -x;
  i = through + d.i;
  0.01*der(i) = x - 2*i;
end Freewheel;
)",
                                       "Freewheel");
  const SimulationResult run = simulate(model, {.stop = 0.03, .tolerance = 1e-8});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double decay = std::exp(-2.0);
  const double first = 6 - 6 * decay;
  const double second = first * decay;
  EXPECT_NEAR(at(run, "i", 0.01), first, 1e-6);
  EXPECT_NEAR(at(run, "i", 0.02), second, 1e-6);
  EXPECT_NEAR(at(run, "i", 0.03), 6 + (second - 6) * decay, 1e-6);
}

// Three inductances meet in what is left of the circuit, so their currents are two, which the
// structure does not show. The mean of the rectified current with overlapping commutation is
// 3 sqrt(3)/pi U / (R + 2 Rs + 3 w L/pi), but for the diodes.
TEST(HybridText, ASixDiodeRectifierWithLineInductances) {
  const CompiledModel model = compiled(diode + R"(
model Six
  constant Real w = 314.1592653589793, third = 2.0943951023931953;
  Diode up[3], down[3];
  Real i[3](each start = 0), x[3], p, n, load(start = 0, fixed = true);
equation
  for k in 1:3 loop
    0.001*der(i[k]) = 100*sin(w*time - (k - 1)*third) - 0.1*i[k] - x[k];
    up[k].v = x[k] - p;
    down[k].v = n - x[k];
    i[k] = up[k].i - down[k].i;
  end for;
  sum(up.i) = load;
  sum(down.i) = load;
  0.05*der(load) = p - n - 10*load;
end Six;
)",
                                       "Six");
  const SimulationResult run = simulate(model, {.stop = 0.1, .intervals = 2000});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_LT(run.n_state_events, 100u);  // twelve in each period
  double mean = 0, n_rows = 0;
  const auto t = run.trajectory.times();
  const auto load = run.trajectory.column("load");
  for (std::size_t r = 0; r < t.size(); ++r) {
    EXPECT_NEAR(run.trajectory.column("i[1]")[r] + run.trajectory.column("i[2]")[r] +
                    run.trajectory.column("i[3]")[r],
                0, 1e-9);
    if (t[r] < 0.08 || (r > 0 && t[r] == t[r - 1])) continue;
    mean += load[r];
    ++n_rows;
  }
  const double wanted = 3 * std::sqrt(3) / std::numbers::pi * 100 / (10 + 0.2 + 0.3);
  EXPECT_NEAR(mean / n_rows, wanted, 0.01 * wanted);
}

// A switch and a diode that leak, in legs of a few steps: stiffness must be seen across events, and
// an error that the tolerance allows is no reason for an event.
TEST(HybridText, ABoostConverterMakesNoNeedlessEvents) {
  const CompiledModel model = compiled(diode + R"(
model Boost
  Diode d;
  Real i(start = 0, fixed = true), c(start = 0, fixed = true), x, through;
  Boolean closed;
equation
  closed = time/2e-5 - floor(time/2e-5) < 0.5;
  through = (if closed then 1e5 else 1e-5)*x;
  d.v = x - c;
  i = through + d.i;
  1e-4*der(i) = 12 - x;
  1e-4*der(c) = d.i - c/20;
end Boost;
)",
                                       "Boost");
  const SimulationResult run = simulate(model, {.stop = 2e-3});
  const SimulationResult other = simulate(model, {.stop = 2e-3, .method = "rodas5p"});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_LT(run.n_state_events + run.n_time_events, 400u);  // 200 by the clock
  EXPECT_NEAR(run.trajectory.column("c").back(), other.trajectory.column("c").back(), 1e-5);
}

// Three straight lines: two of the three solutions end where the middle one does.
TEST(HybridText, ATriggerOfStraightLinesJumpsWhereItsBranchEnds) {
  const CompiledModel model = compiled(R"(
model Trigger
  Real u, w, y(start = 5), z;
equation
  u = 3*sin(6.283185307179586*time);
  w = 0.2*z + u;
  z = y;
  y = smooth(0, noEvent(if 1000*w > 5 then 5 elseif 1000*w < -5 then -5 else 1000*w));
end Trigger;
)",
                                       "Trigger");
  const SimulationResult run = simulate(model, {.stop = 2});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double late = std::asin(0.995 / 3) / (2 * std::numbers::pi);
  const std::vector<double> wanted{0.5 + late, 1 + late, 1.5 + late};
  const std::vector<double> jumps = jump_times(run, "y", 1);
  ASSERT_EQ(jumps.size(), wanted.size());
  for (std::size_t k = 0; k < jumps.size(); ++k) EXPECT_NEAR(jumps[k], wanted[k], 1e-6);
  EXPECT_NEAR(at(run, "y", 0.9), -5, 1e-9);
  EXPECT_NEAR(at(run, "y", 1.3), 5, 1e-9);
}

// The end of the branch is looked for in a step that ends on the other one. vout = -15 holds until
// 15000 (vout/15 - vin) = -15.
TEST(HybridText, TheEndOfABranchIsNotMistakenForAnother) {
  const CompiledModel model = compiled(R"(
model Trigger
  Real vin, u, vp, i, vout;
equation
  vin = if time < 0.015 then 5 elseif time < 0.035 then 5 - 500*(time - 0.015) else -5;
  u = 15000*(vp - vin);
  vout = noEvent(if u > 15 then 15 elseif u < -15 then -15 else u);
  vp = 1000*i;
  vout - vp = 14000*i;
end Trigger;
)",
                                       "Trigger");
  for (const char* const method : {"auto", "rodas5p"}) {
    const SimulationResult run = simulate(model, {.stop = 0.1, .intervals = 100, .method = method});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    const std::vector<double> jumps = jump_times(run, "vout", 1);
    ASSERT_EQ(jumps.size(), 1u);
    EXPECT_NEAR(jumps[0], 0.015 + 5.999 / 500, 1e-7);
    EXPECT_NEAR(at(run, "vout", 0.02), -15, 1e-9);
    EXPECT_NEAR(at(run, "vout", 0.03), 15, 1e-9);
  }
}

// What a when-clause computes is looked at when it acts; the comparisons in it are no events.
TEST(HybridText, ComparisonsInTheBodyOfAWhenAreNoEvents) {
  const CompiledModel model = compiled(R"(
model Body
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
  discrete Real y(start = 0, fixed = true);
equation
  der(x) = 10*cos(10*time);
  der(z) = 1;
  when {initial(), sample(0.5, 0.5)} then
    y = if x > 0.2 then 1 elseif x > -0.2 then 0 else -1;
    reinit(z, if x > 0 then 1 else floor(x));
  end when;
end Body;
)",
                                       "Body");
  const SimulationResult run = simulate(model, {.stop = 2.75, .intervals = 2750});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(run.n_state_events, 0u);
  EXPECT_EQ(run.n_time_events, 5u);
  for (const double t : {0.5, 1.0, 1.5, 2.0, 2.5}) {
    const double x = std::sin(10 * t);
    EXPECT_EQ(at(run, "y", t + 0.1), x > 0.2 ? 1 : x > -0.2 ? 0 : -1) << t;
    EXPECT_NEAR(at(run, "z", t + 0.2), (x > 0 ? 1 : -1) + 0.2, 1e-6) << t;
  }
}

// x = 1/(1 - t): near its end everything is far away a moment later, which is no other solution.
TEST(HybridText, GrowthWithoutBoundIsNoJump) {
  const CompiledModel model = compiled(R"(
model Escape
  Real x(start = 1, fixed = true), y;
equation
  der(x) = x^2;
  y = 2*x;
end Escape;
)",
                                       "Escape");
  const SimulationResult run = simulate(model, {.stop = 2});
  EXPECT_NE(run.outcome, Outcome::done);
  EXPECT_EQ(run.n_state_events, 0u);
  EXPECT_NEAR(run.end_time, 1, 1e-5);
}

// Friction by the sign of a derivative whose viscous part is zero: the sign is not a slope.
TEST(HybridText, DerivativesThatAreComparedStay) {
  const CompiledModel model = compiled(R"(
model Friction
  parameter Real m = 1, Fc = 0.3, d = 0;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), F;
equation
  v = der(x);
  F = -Fc*sign(der(x)) - d*der(x);
  m*der(v) = F;
end Friction;
)",
                                       "Friction");
  const SimulationResult run = simulate(model, {.stop = 2});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at(run, "v", 2), 0.4, 1e-9);
}

// Series and compositions have no states of their own; at events, the start's included, they have.
TEST(HybridText, SamplesFromTheStartUnderEveryKindOfMethod) {
  const CompiledModel model = compiled(R"(
model Sampled
  Real x(start = 1, fixed = true), y, z;
  discrete Real u(start = 0);
equation
  der(x) = -x + 0.1*u;
  y^3 + y = x + 2;
  z = 2*y + 1;
  when sample(0, 0.1) then
    u = y;
  end when;
end Sampled;
)",
                                       "Sampled");
  for (const char* method : {"taylor", "auto", "rodas5p"}) {
    const SimulationResult run = simulate(model, {.stop = 3, .tolerance = 1e-9, .method = method});
    ASSERT_EQ(run.outcome, Outcome::done) << method << run.message;
    EXPECT_EQ(run.n_time_events, 30u + 1u) << method;
    const auto y = run.trajectory.column("y"), z = run.trajectory.column("z");
    const auto x = run.trajectory.column("x");
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(z[i], 2 * y[i] + 1, 1e-12) << method;
      ASSERT_NEAR(y[i] * y[i] * y[i] + y[i], x[i] + 2, 1e-8) << method;
    }
  }
}

// Each method finds the bounces at a time of its own, in the last digits.
TEST(HybridText, RunsOfABouncingBallByTwoMethodsCompareSideBySide) {
  const CompiledModel model = compiled(R"(
model M
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Real seen(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
    n = pre(n) + 1;
  end when;
  when sample(0, 0.1) then
    seen = h;
  end when;
end M;
)");
  SimulateOptions options{.stop = 3, .tolerance = 1e-9, .method = "tsit5"};
  const SimulationResult a = simulate(model, options);
  options.method = "radau5";
  const SimulationResult b = simulate(model, options);
  options.method = "rodas5p";
  options.tolerance = 1e-5;
  const SimulationResult rough = simulate(model, options);
  EXPECT_GE(a.n_state_events, 5u);
  const result::Comparison fine = result::compare(a.trajectory, b.trajectory);
  EXPECT_LE(fine.worst()->relative, 1e-8) << fine.worst()->name << " at " << fine.worst()->time;
  EXPECT_GT(fine.events_apart, 0);
  EXPECT_LE(fine.events_apart, 1e-8);
  const result::Comparison coarse = result::compare(a.trajectory, rough.trajectory);
  EXPECT_LE(coarse.worst()->relative, 1e-3) << coarse.worst()->name;
  options.parameters = {{"e", 0.79}};
  const SimulationResult other = simulate(model, options);
  EXPECT_GE(result::compare(a.trajectory, other.trajectory).worst()->relative, 0.5);
}

}  // namespace
}  // namespace alembert
