// SPDX-License-Identifier: Apache-2.0
// Small models in Modelica text with closed forms: events close to each other, delays that vary, levels
// that are reached and kept, starts that follow from what is solved for.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulateOptions;
using integrate::SimulationResult;

SimulationResult run(const std::string& text, const SimulateOptions& options) {
  return simulate(CompiledModel(modelica::flatten({.text = text, .model = "M"}).system), options);
}

double at_end(const SimulationResult& run, const char* name) {
  return run.trajectory.column(name).back();
}

double at_start(const SimulationResult& run, const char* name) {
  return run.trajectory.column(name).front();
}

const char* const all_kinds[] = {"auto", "tsit5", "dop853", "rodas5p", "radau5", "cvode", "ida"};

// What time decides acts at its own time: not at the state event a few units in the last place before
// it, and not once more afterwards.
TEST(HybridNumbers, AStateEventJustBeforeATimeEvent) {
  for (const char* method : all_kinds) {
    const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true);
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.3 then a = pre(a) + 1; end when;
  when time > 0.3 then b = pre(b) + 1; end when;
  when time >= 0.7 then c = pre(c) + 1; end when;
end M;)",
                                        {.stop = 1, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    for (const char* count : {"a", "b", "c"}) EXPECT_EQ(at_end(result, count), 1) << method << count;
  }
}

// CVODE and IDA make no steps that short beside the time; they end, and say so.
TEST(HybridNumbers, APulseOfAPicosecond) {
  for (const char* method : {"auto", "tsit5", "dop853", "rodas5p", "radau5"}) {
    const SimulationResult result = run(R"(
model M
  Boolean p;
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  p = time >= 0.4 and time < 0.4 + 1e-12;
  der(x) = if p then 1e12 else 0;
  when p then n = pre(n) + 1; end when;
end M;)",
                                        {.stop = 1, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_EQ(at_end(result, "n"), 1) << method;
    EXPECT_NEAR(at_end(result, "x"), ((0.4 + 1e-12) - 0.4) * 1e12, 1e-6) << method;
  }
}

TEST(HybridNumbers, TheEndOfTheRunIsAnEdge) {
  const SimulationResult result = run(R"(
model M
  Integer m(start = 0, fixed = true), n(start = 0, fixed = true);
equation
  when terminal() then m = pre(m) + 1; end when;
  when {time >= 1, terminal()} then n = pre(n) + 1; end when;
end M;)",
                                      {.stop = 2});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  EXPECT_EQ(at_end(result, "m"), 1);
  EXPECT_EQ(at_end(result, "n"), 2);
}

// y = x(t - d) with d a variable that falls and rises: exact solution.
TEST(HybridNumbers, ADelayThatVaries) {
  const std::string text = R"(
model M
  Real x, y, d, exact, s(start = 0, fixed = true);
  parameter Real longest = 0.6;
equation
  x = sin(time + 1);
  d = 0.3 + 0.2*sin(2*time);
  y = delay(x, d, longest);
  exact = if time - d > 0 then sin(time - d + 1) else sin(1);
  der(s) = y;
end M;)";
  for (const char* method : {"auto", "tsit5", "rodas5p", "radau5"}) {
    const SimulationResult result = run(text, {.stop = 5, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    const auto y = result.trajectory.column("y"), exact = result.trajectory.column("exact");
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_NEAR(y[i], exact[i], 1e-6) << method << result.trajectory.times()[i];
  }
}

TEST(HybridNumbers, ADelayLongerThanWasToldIsRefused) {
  const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = delay(x, 0.1 + time, 0.5);
end M;)",
                                      {.stop = 1});
  EXPECT_EQ(result.outcome, Outcome::assertion_failed);
  EXPECT_NE(result.message.find("only the last 0.5 are kept"), std::string::npos)
      << result.message;
  EXPECT_NEAR(result.end_time, 0.4, 0.1);
}

// Each overflows when it is full, and stays exactly so.
TEST(HybridNumbers, TanksThatFillAndOverflow) {
  for (const char* method : {"auto", "tsit5", "rodas5p", "rodas6p", "radau5", "cvode", "rk4"}) {
    const SimulationResult result = run(R"(
model M
  Real h[3](each start = 0, each fixed = true), q[4];
equation
  q[1] = 1;
  for i in 1:3 loop
    q[i + 1] = if h[i] >= i*0.3 then q[i] else 0;
    der(h[i]) = q[i] - q[i + 1];
  end for;
end M;)",
                                        {.stop = 3, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_LT(result.n_state_events, 10u) << method;
    EXPECT_NEAR(at_end(result, "h[1]"), 0.3, 1e-9) << method;
    EXPECT_NEAR(at_end(result, "h[3]"), 0.9, 1e-9) << method;
  }
}

// From 0 V the slope of a diode leads Newton to 1e13 V; the way to 0.9 V is a small part of that.
TEST(HybridNumbers, ADiodeFromNothingToAThousandAmperes) {
  for (const char* method : {"auto", "tsit5", "rodas5p", "rk4"}) {
    const SimulationResult result = run(R"(
model M
  Real v(start = 0), q(start = 0, fixed = true);
equation
  noEvent(if time > 0.45 then 1000 else 0) = 1e-12*(exp(v/0.026) - 1) + 1e-9*v;
  der(q) = v;
end M;)",
                                        {.stop = 1, .method = method, .step = 0.1});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "v"), 0.026 * std::log(1e15 + 1), 1e-6) << method;
  }
}

// A function whose loop never ends has no value; that is told in a moment, not after twenty million
// rounds at each point that is tried.
TEST(HybridNumbers, ALoopWithoutEndIsToldSoon) {
  const SimulationResult result = run(R"(
model M
  function root
    input Real a;
    output Real x;
  algorithm
    x := 1;
    while abs(x*x - a) > 1e-12 loop
      x := 0.5*(x + a/x);
    end while;
  end root;
  Real y, x(start = 0, fixed = true);
equation
  der(x) = 1;
  y = root(1 - x);
end M;)",
                                      {.stop = 2});
  EXPECT_NE(result.outcome, Outcome::done);
  EXPECT_NEAR(result.end_time, 1, 1e-3);
  EXPECT_NE(result.message.find("'y' has no value"), std::string::npos) << result.message;
}

// ---- starts -------------------------------------------------------------------------------------

TEST(StartNumbers, AFixedStartThatFollowsFromASolvedParameter) {
  const SimulationResult result = run(R"(
model M
  parameter Real a(fixed = false), b = 2*a, c = b + 1;
  Real x(start = c, fixed = true);
initial equation
  c = 9;
equation
  der(x) = 0;
end M;)",
                                      {.stop = 1});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  EXPECT_NEAR(at_start(result, "x"), 9, 1e-12);
}

// y is the better state at these guesses and has no start value; x and its velocity have.
TEST(StartNumbers, AGivenStartOfAnotherCoordinateIsKept) {
  const SimulationResult result = run(R"(
model M
  parameter Real L = 2;
  Real x(start = L*sin(0.5)), y, vx(start = 0.7), vy, T;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = T*x;
  der(vy) = T*y - 9.81;
  x^2 + y^2 = L^2;
end M;)",
                                      {.stop = 0.1});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  EXPECT_NEAR(at_start(result, "x"), 2 * std::sin(0.5), 1e-12);
  EXPECT_NEAR(at_start(result, "vx"), 0.7, 1e-12);
  EXPECT_NEAR(std::abs(at_start(result, "y")), 2 * std::cos(0.5), 1e-12);
}

}  // namespace
}  // namespace alembert
