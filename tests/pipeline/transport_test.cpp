// SPDX-License-Identifier: Apache-2.0
// What moves through a pipe: spatialDistribution in Modelica text, against closed forms and against
// characteristics that are followed back in time.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/flat/to_text.hpp"
#include "alembert/integrate/problem.hpp"
#include "modelica_runs.hpp"

namespace alembert {
namespace {

using integrate::Checkpoint;
using integrate::Outcome;
using integrate::SimulateOptions;
using integrate::SimulationResult;

constexpr const char* methods[] = {"auto", "tsit5", "dop853", "rodas5p", "radau5", "cvode"};

/// y at the rows of a run; at the instant of an event, what holds near it on either side.
void expect_follows(const SimulationResult& run, const std::string& name,
                    const std::function<double(double)>& exact, double within,
                    const std::string& about) {
  const auto y = run.trajectory.column(name);
  const auto times = run.trajectory.times();
  constexpr double beside = 1e-6;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double t = times[k];
    const bool at_event = (k > 0 && times[k - 1] == t) || (k + 1 < y.size() && times[k + 1] == t);
    double off = std::abs(y[k] - exact(t));
    // There may be the root of time on one side, where the flow turned.
    if (at_event)
      for (const double side : {-beside, beside})
        off = std::min(off, std::abs(y[k] - exact(t + side)) - 2 * std::sqrt(beside));
    ASSERT_LE(off, within) << about << " " << name << " at " << t << ": " << y[k] << " against "
                           << exact(t);
  }
}

/// A pipe of which position and inputs are known functions of time: what is at an end, by following
/// it back to where it entered.
struct KnownPipe {
  std::function<double(double)> position, in0, in1;
  std::function<double(double)> initial;  // by the place from 0 to 1

  double at(int end, double t) const {
    constexpr double step = 1e-3, small = 1e-9;
    const auto where = [&](double then) { return end + position(then) - position(t); };
    // What has just arrived there from outside is what is offered.
    const double before_now = t > small ? t - small : t + small;
    const double was = t > small ? where(before_now) : 2 * end - where(before_now);
    if (!(was > 0 && was < 1)) return end == 0 ? in0(t) : in1(t);
    if (t <= small) return initial(end);
    double after = t - small;
    for (;;) {
      const double before = std::max(0.0, after - step);
      const double place = where(before);
      if (place <= 0 || place >= 1) {
        double inside = after, outside = before;
        for (int k = 0; k < 60; ++k) {
          const double middle = 0.5 * (inside + outside);
          (where(middle) > 0 && where(middle) < 1 ? inside : outside) = middle;
        }
        return place <= 0 ? in0(inside) : in1(inside);
      }
      if (before == 0) return initial(place);
      after = before;
    }
  }
};

// With a constant velocity a pipe is a delay of what enters; before, what was in it leaves.
TEST(Transport, AtAConstantVelocityItIsADelay) {
  const std::string text = R"(
model M
  Real x(start = 3, fixed = true), out0, out1;
equation
  der(x) = 2;
  (out0, out1) = spatialDistribution(2 + sin(3*time), 0, x, der(x) >= 0, {0, 1}, {1, 4});
end M;)";
  const auto exact = [](double t) { return t < 0.5 ? 4 - 6 * t : 2 + std::sin(3 * (t - 0.5)); };
  for (const char* method : methods)
    for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
      const SimulationResult result =
          run(text, {.stop = 4, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const std::string about = method + std::string(" ") + std::to_string(tolerance);
      expect_follows(result, "out1", exact, 10 * tolerance, about);
      expect_follows(
          result, "out0", [](double t) { return 2 + std::sin(3 * t); }, 1e-14, about);
      // What was in the pipe at 0 is 1, what entered first is 2: a jump, and nothing else.
      EXPECT_EQ(result.n_state_events, 1u) << about;
    }
}

TEST(Transport, StepsOfAFixedSizeCarryAsWell) {
  const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), out1;
equation
  der(x) = 1.6;
  (, out1) = spatialDistribution(cos(time), 0, x, true, {0, 1}, {1, 1});
end M;)",
                                      {.stop = 5, .method = "rk4", .step = 0.01});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  expect_follows(
      result, "out1", [](double t) { return t < 0.625 ? 1 : std::cos(t - 0.625); }, 1e-9, "rk4");
}

// Flow that turns again and again: what entered leaves where it entered or at the other end, and
// jumps where the contents of different origin meet are events.
TEST(Transport, FlowThatTurns) {
  const std::string text = R"(
model M
  Real x(start = 0, fixed = true), v, out0, out1;
equation
  v = 1.5*cos(time) + 0.2;
  der(x) = v;
  (out0, out1) = spatialDistribution(1 + time, -time, x, v >= 0, {0, 0.3, 0.3, 1}, {5, 6, 8, 7});
end M;)";
  const KnownPipe pipe{
      [](double t) { return 1.5 * std::sin(t) + 0.2 * t; }, [](double t) { return 1 + t; },
      [](double t) { return -t; },
      [](double place) { return place < 0.3 ? 5 + place / 0.3 : 8 - (place - 0.3) / 0.7; }};
  for (const char* method : methods) {
    const double tolerance = 1e-8;
    const SimulationResult result =
        run(text, {.stop = 20, .tolerance = tolerance, .intervals = 400, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    // Where the flow turns, what leaves changes with the root of time: positions count so much.
    const double within = 1e-3 * std::sqrt(tolerance / 1e-8);
    expect_follows(
        result, "out0", [&](double t) { return pipe.at(0, t); }, within, method);
    expect_follows(
        result, "out1", [&](double t) { return pipe.at(1, t); }, within, method);
  }
}

// The velocity varies, and the result follows the tolerance.
TEST(Transport, TheErrorFollowsTheTolerance) {
  const std::string text = R"(
model M
  Real x(start = 0, fixed = true), y(start = 1, fixed = true), out1;
equation
  der(x) = 1 + 0.6*sin(2*time);
  der(y) = out1 - y;
  (, out1) = spatialDistribution(1 + 0.5*sin(3*time), 0, x, true, {0, 1}, {1, 1});
end M;)";
  const KnownPipe pipe{[](double t) { return t + 0.3 * (1 - std::cos(2 * t)); },
                       [](double t) { return 1 + 0.5 * std::sin(3 * t); },
                       [](double) { return 0.0; }, [](double) { return 1.0; }};
  const double finest = at_end(run(text, {.stop = 6, .tolerance = 1e-12, .method = "dop853"}), "y");
  for (const char* method : methods)
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationResult result =
          run(text, {.stop = 6, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const std::string about = method + std::string(" ") + std::to_string(tolerance);
      expect_follows(
          result, "out1", [&](double t) { return pipe.at(1, t); }, 50 * tolerance, about);
      EXPECT_NEAR(at_end(result, "y"), finest, 50 * tolerance) << about;
    }
}

// y' = -y(t - 1), as by `delay`: by steps of the delay a polynomial.
TEST(Transport, WhatLeavesMayDecideWhatEnters) {
  for (const char* method : methods) {
    const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), y(start = 1, fixed = true), late;
equation
  der(x) = 1;
  der(y) = -late;
  (, late) = spatialDistribution(y, 0, x, true, {0, 1}, {1, 1});
end M;)",
                                        {.stop = 3, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "y"), 1 - 3 + 2 - 1 / 6.0, 1e-7) << method;
    EXPECT_EQ(result.n_state_events, 0u) << method;
    EXPECT_LT(result.statistics.steps, 250u) << method;
  }
}

// No states: the position is told as a function of time. It turns without an event.
TEST(Transport, APositionThatFollowsFromTime) {
  const SimulationResult result = run(R"(
model M
  Real x = 1.2*sin(time), out0, out1;
equation
  (out0, out1) = spatialDistribution(2, 3, x, noEvent(cos(time) >= 0), {0, 1}, {7, 7});
end M;)",
                                      {.stop = 7, .tolerance = 1e-6, .intervals = 350});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  const KnownPipe pipe{[](double t) { return 1.2 * std::sin(t); }, [](double) { return 2.0; },
                       [](double) { return 3.0; }, [](double) { return 7.0; }};
  expect_follows(
      result, "out0", [&](double t) { return pipe.at(0, t); }, 1e-12, "");
  expect_follows(
      result, "out1", [&](double t) { return pipe.at(1, t); }, 1e-12, "");
}

// Several quantities in one pipe, and several pipes in a row: three delays of a third.
TEST(Transport, VectorsAndArraysOfPipes) {
  const SimulationResult result = run(R"(
model Pipe
  parameter Integer n = 2;
  input Real u[n];
  output Real y[n];
  Real x(start = 0, fixed = true), back[n];
equation
  der(x) = 3;
  (back, y) = spatialDistribution(u, zeros(n), x, der(x) > 0, initialPoints = {0, 1},
                                  initialValues = {{i, i} for i in 1:n});
end Pipe;
model M
  Pipe pipes[3];
  Real y[2] = pipes[3].y;
equation
  pipes[1].u = {1 + time^2, 2};
  for i in 2:3 loop
    pipes[i].u = pipes[i - 1].y;
  end for;
end M;)",
                                      {.stop = 3, .tolerance = 1e-8});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  expect_follows(
      result, "y[1]", [](double t) { return t < 1 ? 1 : 1 + (t - 1) * (t - 1); }, 1e-7, "");
  expect_follows(
      result, "y[2]", [](double) { return 2; }, 0, "");
}

// The pipe is so short beside the run that contents pass it in a thousandth.
TEST(Transport, AShortPipe) {
  for (const char* method : methods) {
    const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), out1, z(start = 0, fixed = true);
equation
  der(x) = 1000;
  der(z) = out1;
  (, out1) = spatialDistribution(sin(time), 0, x, true);
end M;)",
                                        {.stop = 1, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "z"), 1 - std::cos(1 - 1e-3), 1e-7) << method;
  }
}

// Both pipes draw from the point between them, and nothing says what is there: what was last.
TEST(Transport, PipesThatDrawFromOnePointKeepWhatWasThere) {
  const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), a0, a1, b0, b1;
equation
  der(x) = 1;
  (a0, a1) = spatialDistribution(b0, 0, x, true, {0, 1}, {4, 4});
  (b0, b1) = spatialDistribution(a0, 0, x, true, {0, 1}, {4, 4});
end M;)",
                                      {.stop = 3, .tolerance = 1e-6});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  for (const char* name : {"a0", "a1", "b0", "b1"})
    expect_follows(
        result, name, [](double) { return 4; }, 0, "");
}

// An equation with what leaves is differentiated: its rate is that of the profile by the velocity.
TEST(Transport, TheRateOfWhatLeaves) {
  const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), out1, rate, z(start = 0, fixed = true);
equation
  der(x) = 1 + time;
  (, out1) = spatialDistribution(x^2, 0, x, true, {0, 1}, {1, 0});
  rate = der(out1);
  der(z) = rate;
end M;)",
                                      {.stop = 3, .tolerance = 1e-8});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  // At first 1 - place = x leaves, then what entered when the position was x - 1.
  const auto x = [](double t) { return t + t * t / 2; };
  expect_follows(
      result, "rate", [&](double t) { return (1 + t) * (x(t) < 1 ? 1 : 2 * (x(t) - 1)); }, 1e-5,
      "");
}

const char* const turning = R"(
model M
  Real x(start = 0, fixed = true), v, out0, out1, z(start = 0, fixed = true);
equation
  v = 1.5*cos(time) + 0.2;
  der(x) = v;
  der(z) = out0 + out1 - z;
  (out0, out1) = spatialDistribution(1 + z, -time, x, v >= 0, {0, 0.5, 0.5, 1}, {5, 6, 8, 7});
end M;)";

TEST(Transport, ARunThatWasPutAsideGoesOnWithTheSameBits) {
  const compile::CompiledModel model = compiled(turning);
  for (const char* method : {"auto", "tsit5", "rodas5p", "radau5"}) {
    SimulateOptions options{.stop = 12, .tolerance = 1e-7, .intervals = 200, .method = method};
    const SimulationResult undisturbed = simulate(model, options);
    ASSERT_EQ(undisturbed.outcome, Outcome::done) << method << undisturbed.message;
    std::vector<Checkpoint> checkpoints;
    options.checkpoint_every = 2.5;
    options.on_checkpoint = [&](const Checkpoint& checkpoint) {
      checkpoints.push_back(checkpoint);
      return true;
    };
    EXPECT_TRUE(simulate(model, options).trajectory == undisturbed.trajectory) << method;
    ASSERT_GE(checkpoints.size(), 4u) << method;
    options.on_checkpoint = {};
    for (const Checkpoint& checkpoint : checkpoints) {
      options.resume = &checkpoint;
      EXPECT_TRUE(simulate(model, options).trajectory == undisturbed.trajectory)
          << method << checkpoint.time;
    }
  }
}

// Between rows, on both sides of jumps, the solution is that of rows at those times.
TEST(Transport, DenseOutputAgreesWithRows) {
  const auto model = std::make_shared<const compile::CompiledModel>(
      modelica::flatten({.text = turning, .model = "M"}).system);
  const SimulateOptions options{.stop = 8, .tolerance = 1e-9, .intervals = 1000};
  const SimulationResult rows = simulate(*model, options);
  const integrate::Solution solution =
      integrate::Problem(model, {.stop = 8, .tolerance = 1e-9, .intervals = 7}).solve();
  const auto times = rows.trajectory.times();
  for (const char* name : {"out0", "out1", "z"}) {
    const auto y = rows.trajectory.column(name);
    for (std::size_t k = 1; k + 1 < times.size(); ++k) {
      if (times[k - 1] == times[k] || times[k + 1] == times[k]) continue;
      ASSERT_NEAR(solution(times[k], name), y[k], 1e-4) << name << times[k];
    }
  }
}

TEST(Transport, TheFlatTextShowsIt) {
  const std::string text = flat::to_text(modelica::flatten({.text = R"(
model M
  parameter Real T = 300;
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  (, y) = spatialDistribution(sin(time), 0, x, true, {0, 1}, {T, T});
end M;)",
                                                            .model = "M"})
                                             .system);
  EXPECT_NE(text.find(") = spatialDistribution(sin(time), 0, x, true, {0, 1}, {T, T});"),
            std::string::npos)
      << text;
}

std::string mistake(const std::string& call) {
  try {
    const SimulationResult result =
        run("model M\n  parameter Real p = 2;\n  Real x(start = 0, fixed = true), y;\nequation\n  "
            "der(x) = 1;\n  (, y) = " +
                call + ";\nend M;\n",
            {.stop = 1});
    return result.message;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Transport, MistakesAreToldByName) {
  const auto expect = [](const std::string& call, const std::string& part) {
    EXPECT_NE(mistake(call).find(part), std::string::npos) << call << ": " << mistake(call);
  };
  expect("spatialDistribution(1, 2, x)", "needs its argument 'positiveVelocity'");
  expect("spatialDistribution(1, 2, x, 3)", "'positiveVelocity' of 'spatialDistribution' must be");
  expect("spatialDistribution(1, {2}, x, true)", "two scalars or two vectors of the same size");
  expect("spatialDistribution(1, 2, {x}, true)", "'x' of 'spatialDistribution' must be a scalar");
  expect("spatialDistribution(1, 2, x, true, {0, 2}, {1, 1})", "end with 1, and never fall");
  expect("spatialDistribution(1, 2, x, true, {0, 0.6, 0.5, 1}, {1, 1, 1, 1})", "here is 0.5");
  expect("spatialDistribution(1, 2, x, true, {0, 1}, {1})", "each of the 2 initial points");
  expect("spatialDistribution(1, 2, x, true, {0, 0.5, 1})", "but no initial values");
  expect("spatialDistribution(1, 2, x, true, {0, x, 1}, {1, 2, 3})", "must not change during");
  expect("spatialDistribution(1, 2, x, true, speed = 3)", "has no argument 'speed'");
  expect("spatialDistribution(1, 2, x, true, {0, p, 1}, {1, 2, 3})", "comes behind 2");
}

TEST(Transport, TaylorSeriesAreRefused) {
  try {
    run(turning, {.stop = 1, .method = "taylor"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "C004");
  }
}

}  // namespace
}  // namespace alembert
