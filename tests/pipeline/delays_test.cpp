// SPDX-License-Identifier: Apache-2.0
// What is delayed may be faster than the states, may jump and may have kinks: delay() in Modelica
// text against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "modelica_runs.hpp"

namespace alembert {
namespace {

using integrate::Checkpoint;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulateOptions;
using integrate::SimulationResult;
using std::numbers::pi;

constexpr const char* methods[] = {"auto", "radau5", "cvode", "ida", "tsit5", "rodas5p"};

struct Known {
  std::string name;
  std::function<double(double)> exact;
  double within;  // of the tolerance; 0: to rounding
};

/// Runs the model M by several methods, and compares all rows.
void expect_known(const std::string& body, double stop, const std::vector<Known>& all) {
  const compile::CompiledModel model = compiled("model M " + body + " end M;");
  for (const char* method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const SimulationResult run =
          simulate(model, {.stop = stop, .tolerance = tolerance, .method = method});
      ASSERT_EQ(run.outcome, Outcome::done) << body << method << ": " << run.message;
      const auto times = run.trajectory.times();
      for (const Known& known : all) {
        const auto values = run.trajectory.column(known.name);
        const double within = known.within > 0 ? known.within * tolerance : 1e-11;
        double off = 0;
        for (std::size_t i = 0; i < times.size(); ++i)
          off = std::max(off, std::abs(values[i] - known.exact(times[i])));
        EXPECT_LE(off, within) << known.name << " of " << body << " by " << method << " at "
                               << tolerance;
      }
    }
}

double after(double t, double delay) { return std::max(t - delay, 0.0); }

// Nothing but the delayed signal is fast: the past has points of its own.
TEST(Delays, WhatIsFasterThanTheStatesIsKept) {
  expect_known(
      "Real u, d, x(start=0, fixed=true); equation u = sin(2*3.141592653589793*50*time); "
      "d = delay(u, 0.1); der(x) = d;",
      0.4,
      {{"d", [](double t) { return std::sin(100 * pi * after(t, 0.1)); }, 2},
       {"x", [](double t) { return (1 - std::cos(100 * pi * after(t, 0.1))) / (100 * pi); }, 300}});
  expect_known(
      "Real p(start=0, fixed=true), u, d; equation der(p) = 10; u = sin(p); "
      "d = delay(u, 2);",
      6, {{"d", [](double t) { return std::sin(10 * after(t, 2)); }, 2}});
}

// Against the integral of exp(sin(100 s)) from 0 to 2 by Simpson's rule.
TEST(Delays, WhatDrivesADelayedSignalIsResolvedWhenItArrives) {
  const auto f = [](double s) { return std::exp(std::sin(100 * s)); };
  constexpr int n = 200000;
  double integral = f(0) + f(2);
  for (int i = 1; i < n; ++i) integral += (i % 2 == 0 ? 2 : 4) * f(2.0 * i / n);
  integral *= 2.0 / n / 3;
  const compile::CompiledModel model = compiled(
      "model M Real x(start=0, fixed=true); equation der(x) = delay(exp(sin(100*time)), 2); end "
      "M;");
  for (const char* method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const SimulationResult run =
          simulate(model, {.stop = 4, .tolerance = tolerance, .method = method});
      EXPECT_NEAR(at_end(run, "x"), 2 + integral, 1000 * tolerance) << method;
    }
}

// The delay is the period: steps as long as the delay see the same value each time.
TEST(Delays, ASignalIsNotLostWhereTheDelayIsItsPeriod) {
  const auto x = [](double t) { return (1 - std::cos(100 * pi * after(t, 0.02))) / (100 * pi); };
  expect_known(
      "Real d, x(start=0, fixed=true); equation d = delay(sin(314.159265358979*time), "
      "0.02); der(x) = d;",
      0.2, {{"x", x, 200}});
  expect_known(
      "Real p(start=0, fixed=true), d, x(start=0, fixed=true); equation "
      "der(p) = 314.159265358979; d = delay(sin(p), 0.02); der(x) = d;",
      0.2, {{"x", x, 200}});
}

TEST(Delays, DelaysOfDelaysAreResolved) {
  expect_known(
      "Real x(start=0, fixed=true), d; equation d = delay(delay(sin(100*time), 0.3), 0.5); "
      "der(x) = d;",
      2, {{"x", [](double t) { return (1 - std::cos(100 * after(t, 0.8))) / 100; }, 300}});
}

// Between the jumps x is a straight line or a parabola, for which methods of one step are exact.
TEST(Delays, JumpsInsideOfDelayAreEventsAndArriveAsEvents) {
  // A triangle wave from 0.2 to 0.8 with the period 1.2.
  const auto triangle = [](double t) {
    if (t < 0.8) return t;
    const double phase = std::fmod(t - 0.8, 1.2);
    return phase < 0.6 ? 0.8 - phase : phase - 0.4;
  };
  expect_known(
      "Real x(start=0, fixed=true); equation der(x) = delay(if x < 0.5 then 1 else -1, "
      "0.3);",
      5, {{"x", triangle, 0}});
  expect_known(
      "Real y, x(start=0, fixed=true); equation y = delay(if time < 1 then 0 else 1, "
      "0.5); der(x) = y;",
      3, {{"x", [](double t) { return after(t, 1.5); }, 0}});
  expect_known("Real x(start=0, fixed=true); equation der(x) = delay(sign(time - 1), 0.25);", 4,
               {{"x", [](double t) { return t < 1.25 ? -t : t - 2.5; }, 0}});
  const auto sum_of_whole = [](double s) {
    const double n = std::floor(s);
    return n * (n - 1) / 2 + n * (s - n);
  };
  expect_known("Real x(start=0, fixed=true); equation der(x) = delay(floor(time), 0.25);", 4,
               {{"x", [&](double t) { return sum_of_whole(after(t, 0.25)); }, 0}});
  expect_known("Real x(start=0, fixed=true); equation der(x) = delay(mod(time, 1), 0.25);", 4,
               {{"x",
                 [&](double t) {
                   const double s = after(t, 0.25);
                   return s * s / 2 - sum_of_whole(s);
                 },
                 100}});
  // What jumps goes on between the jumps.
  expect_known(
      "Real z(start=0, fixed=true), x(start=0, fixed=true); equation der(z) = 1; "
      "der(x) = delay((if time < 1 then 0 else 1) + z, 0.5);",
      3, {{"x", [](double t) { return after(t, 1.5) + std::pow(after(t, 0.5), 2) / 2; }, 100}});
}

TEST(Delays, AJumpArrivesAtItsTimeAndOnlyThen) {
  const SimulationResult run = alembert::run(
      "model M Real z(start=0, fixed=true), d; equation der(z) = 1; "
      "d = delay((if z < 1 then 0 else 1) + z, 0.5); end M;",
      {.stop = 3, .tolerance = 1e-9, .intervals = 30});
  EXPECT_EQ(run.n_state_events, 1u);
  EXPECT_EQ(run.n_time_events, 1u);
  const auto t = run.trajectory.times();
  const auto d = run.trajectory.column("d");
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (t[i] != t[i - 1] || t[i] < 1.2) continue;
    EXPECT_NEAR(t[i], 1.5, 1e-9);
    EXPECT_NEAR(d[i - 1], 1, 1e-9);
    EXPECT_NEAR(d[i], 2, 1e-9);
  }
}

// A kink makes no event, and polynomials do not lead over it all the same. With `u` it is in
// another equation than delay is.
TEST(Delays, KinksOfWhatIsDelayedAreKept) {
  const auto x = [](double t) {
    const double angle = 5 * after(t, 0.25), n = std::floor(angle / pi);
    return (2 * n + 1 - std::cos(angle - n * pi)) / 5;
  };
  expect_known("Real x(start=0, fixed=true); equation der(x) = delay(abs(sin(5*time)), 0.25);", 4,
               {{"x", x, 300}});
  expect_known(
      "Real u, x(start=0, fixed=true); equation u = abs(sin(5*time)); "
      "der(x) = delay(u, 0.25);",
      4, {{"x", x, 300}});
  // By itself alone: exact to the tolerance at every row, those beside the kinks too.
  expect_known("Real p(start=0, fixed=true), d; equation der(p) = 5; d = delay(abs(sin(p)), 0.25);",
               4, {{"d", [](double t) { return std::abs(std::sin(5 * after(t, 0.25))); }, 10}});
}

// What only is shown may be as fast as it likes.
TEST(Delays, WhatDrivesNothingLimitsNoSteps) {
  const SimulateOptions options{.stop = 6};
  const auto steps = [&](const std::string& driven) {
    return alembert::run(
               "model M Real p(start=0, fixed=true), x(start=0, fixed=true), d; equation "
               "der(p) = 10; d = delay(sin(p), 2); der(x) = " +
                   driven + "; end M;",
               options)
        .statistics.steps;
  };
  EXPECT_LT(steps("0"), 20u);
  EXPECT_GT(steps("d"), 20u);
}

// 160 000 periods in a delay: the effort is bounded, and the run says what it leaves out.
TEST(Delays, WhatIsTooFastIsTold) {
  const auto warnings = [](const std::string& speed) {
    return alembert::run("model M Real p(start=0, fixed=true), d; equation der(p) = " + speed +
                             "; d = delay(sin(p), 0.1); end M;",
                         {.stop = 10})
        .warnings;
  };
  EXPECT_TRUE(warnings("1e3").empty());
  const std::vector<std::string> told = warnings("1e7");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("changes too fast for all of it to be kept"), std::string::npos)
      << told[0];
}

TEST(Delays, RunsGoOnFromACheckpointExactly) {
  const compile::CompiledModel model = compiled(
      "model M Real x(start=0, fixed=true), y(start=0, fixed=true), p(start=0, fixed=true); "
      "equation "
      "der(p) = 30; der(x) = delay((if x < 0.5 then 1 else -1) + 0.1*y, 0.3); "
      "der(y) = delay(sin(p) + abs(sin(5*time)) + exp(sin(20*time)), 0.7) - y; end M;");
  for (const char* method : {"auto", "tsit5", "rodas5p", "radau5"}) {
    SimulateOptions options{.stop = 4, .tolerance = 1e-7, .method = method};
    const SimulationResult undisturbed = simulate(model, options);
    ASSERT_EQ(undisturbed.outcome, Outcome::done) << method << ": " << undisturbed.message;
    std::vector<Checkpoint> checkpoints;
    options.checkpoint_every = 0.6;
    options.on_checkpoint = [&](const Checkpoint& checkpoint) {
      checkpoints.push_back(checkpoint);
      return true;
    };
    EXPECT_TRUE(simulate(model, options).trajectory == undisturbed.trajectory) << method;
    ASSERT_GE(checkpoints.size(), 5u) << method;
    options.on_checkpoint = {};
    for (const Checkpoint& checkpoint : checkpoints) {
      options.resume = &checkpoint;
      EXPECT_TRUE(simulate(model, options).trajectory == undisturbed.trajectory)
          << method << checkpoint.time;
    }
  }
}

}  // namespace
}  // namespace alembert
