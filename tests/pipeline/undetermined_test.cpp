// SPDX-License-Identifier: Apache-2.0
// Modes that leave an unknown undetermined while nothing contradicts: it keeps its value, and the
// run goes on. Oracles: closed forms of what is determined, and the value before.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/integrate/checkpoint.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using integrate::Outcome;
using integrate::SimulationResult;

const char* const methods[] = {"auto", "dop853", "rodas5p", "radau5", "cvode", "ida"};

// Between two valves that are shut the pressure is what it was.
const std::string closed_valves = R"(
model M
  parameter Real k = 2;
  Real pa(start = 3, fixed = true), pb(start = 1, fixed = true);
  Real p(unit = "Pa", start = 2);
  Real m1, m2;
  Boolean open1 = time < 1 or time > 3, open2 = time < 1.5 or time > 2.5;
equation
  der(pa) = -m1;
  der(pb) = m2;
  m1 = if open1 then k*(pa - p) else 0;
  m2 = if open2 then k*(p - pb) else 0;
  m1 = m2;
end M;)";

TEST(Undetermined, ThePressureBetweenShutValvesStays) {
  for (const char* method : methods) {
    const SimulationResult result =
        run(closed_valves, {.stop = 4, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    // The difference decays by exp(-k t) while both are open: for one second, and one more.
    const double left = std::exp(-4.0);
    EXPECT_NEAR(at_end(result, "pa"), 2 + left, 1e-7) << method;
    EXPECT_NEAR(at_end(result, "pb"), 2 - left, 1e-7) << method;
    // From 1 to 1.5 it is that behind the valve which is still open, and stays with both shut.
    EXPECT_NEAR(at_time(result, "p", 2.0), 2 - std::exp(-2.0), 1e-7) << method;
    ASSERT_EQ(result.warnings.size(), 1u) << method;
    EXPECT_EQ(
        result.warnings[0],
        "at time 1.5 nothing determines 'p' in the modes that hold then, since equation 'm2 = "
        "if open2 then k*(p - pb) else 0' repeats other equations; it keeps its value");
  }
}

// A run that is taken up while the pressure is held goes on to the bit.
TEST(Undetermined, WhatIsHeldSurvivesACheckpoint) {
  const compile::CompiledModel model = compiled(closed_valves);
  integrate::SimulateOptions options{.stop = 4, .tolerance = 1e-8};
  const SimulationResult whole = integrate::simulate(model, options);
  std::vector<integrate::Checkpoint> checkpoints;
  options.checkpoint_every = 0.4;
  options.on_checkpoint = [&](const integrate::Checkpoint& checkpoint) {
    checkpoints.push_back(checkpoint);
    return true;
  };
  integrate::simulate(model, options);
  options.on_checkpoint = {};
  bool while_held = false;
  for (const integrate::Checkpoint& checkpoint : checkpoints) {
    while_held = while_held || (checkpoint.time > 1.5 && checkpoint.time < 2.5);
    // Another program would have made no structures yet.
    const compile::CompiledModel other = compiled(closed_valves);
    options.resume = &checkpoint;
    EXPECT_TRUE(integrate::simulate(other, options).trajectory == whole.trajectory)
        << checkpoint.time;
  }
  EXPECT_TRUE(while_held);
}

// Openings that fall to zero and rise again: singular at the ends of ramps, where no mode changes
// that stands in an equation of the flows.
TEST(Undetermined, ValvesThatShutSlowly) {
  for (const char* method : methods) {
    const SimulationResult result = run(R"(
model M
  parameter Real k = 2;
  Real pa(start = 3, fixed = true), pb(start = 1, fixed = true);
  Real p(unit = "Pa", start = 2), m1, m2;
  Real y1 = if time < 1 then 1 - time elseif time < 3 then 0 else time - 3;
  Real y2 = if time < 0.5 then 1 - 2*time elseif time < 2 then 0 else time - 2;
equation
  der(pa) = -m1;
  der(pb) = m2;
  m1 = k*y1*(pa - p);
  m2 = k*y2*(p - pb);
  m1 = m2;
end M;)",
                                        {.stop = 4, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    // Openings in series: y1 y2/(y1 + y2), in closed form from 0 to 0.5 and from 3 to 4.
    // With s = 1 - 2t: y1 y2/(y1 + y2) = (1 + s) s/(1 + 3 s), dt = -ds/2.
    const auto shut = [](double s) {
      return s * s / 6 + 2 * s / 9 - 2.0 / 27 * std::log(1 + 3 * s);
    };
    // With u = t - 3: u (1 + u)/(1 + 2 u).
    const auto open = [](double u) { return u * u / 4 + u / 4 - std::log(1 + 2 * u) / 8; };
    const double integral = (shut(1) - shut(0)) / 2 + open(1) - open(0);
    const double left = std::exp(-2 * 2 * integral);
    EXPECT_NEAR(at_end(result, "pa"), 2 + left, 1e-6) << method;
    EXPECT_NEAR(at_end(result, "pb"), 2 - left, 1e-6) << method;
  }
}

// What each of two brakes carries is not determined while both hold; the body does not move.
TEST(Undetermined, TwoBrakesHoldOneBody) {
  for (const char* method : methods) {
    const SimulationResult result = run(R"(
model M
  parameter Real c(fixed = false);
  Real v(start = 0, fixed = true), a, b, f1, f2;
  Boolean stuck1 = time < 1, stuck2 = time < 2;
initial equation
  c = 2;
equation
  der(v) = a;
  b = c*a;
  a = 1.5 + time - f1 - f2;
  if stuck1 then a = 0; else f1 = 1; end if;
  if stuck2 then b = 0; else f2 = 1; end if;
end M;)",
                                        {.stop = 4, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "v"), (16 - 4) / 2.0 - 0.5 * 2, 1e-6) << method;
    EXPECT_NEAR(at_time(result, "f1", 0.8) + at_time(result, "f2", 0.8), 2.3, 1e-8) << method;
  }
}

// Equations that contradict each other are no such case.
TEST(Undetermined, WhatContradictsEndsTheRun) {
  const SimulationResult result = run(R"(
model M
  Real v(start = 0, fixed = true), a, f1, f2;
  Boolean stuck1 = time < 1, stuck2 = time < 2 and time > 0.5;
equation
  der(v) = a;
  a = 1.5 - f1 - f2;
  if stuck1 then a = 0; else f1 = 1; end if;
  if stuck2 then a = 1; else f2 = 1; end if;
end M;)",
                                      {.stop = 4});
  EXPECT_EQ(result.outcome, Outcome::event_failed);
  EXPECT_NEAR(result.end_time, 0.5, 1e-12);
}

// The same by discrete variables, which are no branches of equations.
TEST(Undetermined, ValvesThatAreSetByDiscreteVariables) {
  for (const char* method : methods) {
    const SimulationResult result = run(R"(
model M
  Real pa(start = 3, fixed = true), pb(start = 1, fixed = true);
  Real p(unit = "Pa", start = 2), m1, m2;
  discrete Real y1(start = 1, fixed = true), y2(start = 1, fixed = true);
equation
  der(pa) = -m1;
  der(pb) = m2;
  m1 = 2*y1*(pa - p);
  m2 = 2*y2*(p - pb);
  m1 = m2;
  when time >= 1 then y1 = 0; elsewhen time >= 3 then y1 = 1; end when;
  when time >= 1.5 then y2 = 0; elsewhen time >= 2.5 then y2 = 1; end when;
end M;)",
                                        {.stop = 4, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "pa"), 2 + std::exp(-4.0), 1e-7) << method;
    EXPECT_NEAR(at_time(result, "p", 2.0), 2 - std::exp(-2.0), 1e-7) << method;
  }
}

// Four ideal diodes around a source that is zero at the start: all of them may conduct or none, and
// what is tried for the moment after has no values. The start has, and they are shown.
TEST(Undetermined, ABridgeOfDiodesBeginsAtZero) {
  const auto bridge = [](const std::string& variables, const std::string& source,
                         const std::string& load) {
    return "model M Real " + variables +
           "u, a, b, i, vo, s1, s2, s3, s4, i1, i2, i3, i4; equation " + source + load + R"(
  a - vo = if s1 > 0 then 0 else s1; i1 = if s1 > 0 then s1 else 0;
  b - vo = if s2 > 0 then 0 else s2; i2 = if s2 > 0 then s2 else 0;
  -a = if s3 > 0 then 0 else s3; i3 = if s3 > 0 then s3 else 0;
  -b = if s4 > 0 then 0 else s4; i4 = if s4 > 0 then s4 else 0;
  i = i1 - i3; i = i4 - i2;
end M;)";
  };
  const std::string ideal = "a - b = u;", resistor = "vo = 10*(i1 + i2);";
  const double t = 0.2;
  const double u = std::sin(10 * t);
  const struct {
    std::string text;
    double vo;
  } cases[] = {
      {bridge("", "u = sin(10*time);" + ideal, resistor), u},
      {bridge("", "u = 10*time; a - b = u - 0.1*i;", resistor), 10 * t / 1.01},
      {bridge("w(start = 10, fixed = true), x(start = 0, fixed = true), ",
              "der(x) = w; der(w) = -100*x; u = x;" + ideal, resistor),
       u},
      // The capacitor charges: until the source turns, vo = u.
      {bridge("q(start = 0, fixed = true), ", "u = sin(10*time);" + ideal,
              "vo = q + 0.1*(i1 + i2); der(q) = i1 + i2 - q;"),
       u},
  };
  for (const auto& one : cases) {
    const SimulationResult result = run(one.text, {.stop = t, .tolerance = 1e-8});
    ASSERT_EQ(result.outcome, Outcome::done) << one.text << result.message;
    for (std::size_t row = 0; row < result.trajectory.n_rows(); ++row)
      for (const double value : result.trajectory.row(row))
        ASSERT_TRUE(std::isfinite(value)) << one.text << " row " << row;
    EXPECT_EQ(at_start(result, "vo"), 0) << one.text;
    EXPECT_NEAR(at_end(result, "vo"), one.vo, 1e-6) << one.text;
  }
}

// Without modes it is the model that is wrong.
TEST(Undetermined, ASystemThatIsSingularByItsParametersIsRefused) {
  for (const std::string event : {"", "when time > 0.5 then reinit(z, 0); end when;"}) {
    try {
      run(R"(
model M
  parameter Real a = 1, b = 1;
  Real x, y, z(start = 0, fixed = true);
equation
  der(z) = x;
  a*x + y = 1;
  x + b*y = 1;
  )" + event + "end M;",
          {.stop = 1});
      ADD_FAILURE() << "it has no single solution";
    } catch (const Error& error) {
      EXPECT_EQ(error.diagnostics().front().code, "I001");
    }
  }
}

}  // namespace
}  // namespace alembert
