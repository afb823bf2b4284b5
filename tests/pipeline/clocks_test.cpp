// SPDX-License-Identifier: Apache-2.0
// Clocked models from text to trajectory, against answers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/checkpoint.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

constexpr double eps = 0x1p-52;

result::Trajectory run(const std::string& text, double stop) {
  const compile::CompiledModel model(modelica::flatten({.text = text, .text_name = "m.mo"}).system);
  integrate::SimulationResult result = integrate::simulate(
      model, {.stop = stop, .tolerance = 1e-9, .intervals = 7, .method = "auto"});
  EXPECT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  return std::move(result.trajectory);
}

/// Times at which a column changes, the start included if its value there is not `before`.
std::vector<double> changes(const result::Trajectory& trajectory, const std::string& name,
                            double before) {
  std::vector<double> times;
  const std::vector<double> values = trajectory.column(name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == before) continue;
    times.push_back(trajectory.times()[i]);
    before = values[i];
  }
  return times;
}

void expect_times(const std::vector<double>& times, const std::vector<double>& expected) {
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], expected[i], 4 * eps * expected[i]) << i;
}

TEST(Clocks, AnEventClockTicksAtTheStartWhereItsConditionHolds) {
  const auto trajectory = run(R"(
model M
  Integer n(start = 0), others(start = 0);
  Real offset(start = 0);
equation
  when Clock(abs(time + 2 - hold(offset)) > 1) then
    n = previous(n) + 1;
    offset = sample(time) + 2;
  end when;
  when Clock(time > 0.5) then
    others = previous(others) + 1;
  end when;
end M;)",
                              2.5);
  expect_times(changes(trajectory, "n", 0), {0, 1, 2});
  expect_times(changes(trajectory, "others", 0), {0.5});
}

TEST(Clocks, ACounterTicksFromTheStartOnAndIsHeldBetween) {
  const auto trajectory = run(R"(
model M
  Integer n(start = 0);
  Real y;
equation
  when Clock(1, 10) then
    n = previous(n) + 1;
  end when;
  y = hold(n);
end M;)",
                              0.35);
  expect_times(changes(trajectory, "n", 0), {0, 0.1, 0.2, 0.3});
  EXPECT_EQ(trajectory.column("n").back(), 4);
  EXPECT_EQ(trajectory.column("y"), trajectory.column("n"));
}

// Far from time 0 an interval may be less than rounding; such runs went on for good.
TEST(Clocks, OneWhoseIntervalIsRoundingEndsTheRun) {
  for (const std::string interval : {"1e-20", "T"}) {
    const compile::CompiledModel model(modelica::flatten({.text = R"(
model M
  Integer n(start = 0);
  Real T(start = 1e-20);
equation
  when Clock()" + interval + R"() then
    n = previous(n) + 1;
    T = previous(T);
  end when;
end M;)"})
                                           .system);
    const auto result = integrate::simulate(model, {.start = 1, .stop = 2});
    EXPECT_EQ(result.outcome, integrate::Outcome::accumulation) << interval;
    EXPECT_NE(result.message.find("without any time passing"), std::string::npos) << result.message;
  }
}

// What clocks count and what their operators look at is nobody's variable.
TEST(Clocks, ResultsShowTheVariablesOfTheModelOnly) {
  const auto trajectory = run(R"(
model M
  Real x = time, u, y;
  Integer n(start = 0);
equation
  when Clock(sin(10 * x) > 0.5) then
    n = previous(n) + 1;
  end when;
  u = sample(x, Clock(1, 5));
  y = subSample(2 * u, 2);
end M;)",
                              1);
  EXPECT_EQ(trajectory.names(), (std::vector<std::string>{"x", "u", "y", "n"}));
}

TEST(Clocks, BothSidesOfATickAreWritten) {
  const auto trajectory = run(R"(
model M
  Real x(start = 5);
equation
  when Clock(1, 2) then
    x = previous(x) * 2;
  end when;
end M;)",
                              0.75);
  std::vector<double> at_half;
  for (std::size_t i = 0; i < trajectory.n_rows(); ++i)
    if (trajectory.times()[i] == 0.5) at_half.push_back(trajectory.column("x")[i]);
  EXPECT_EQ(at_half, (std::vector<double>{10, 20}));
}

TEST(Clocks, ASampledControllerAgreesWithTheDiscreteSolution) {
  const auto trajectory = run(R"(
model M
  Real x(start = 1, fixed = true);
  Real u;
  Real ud;
equation
  der(x) = -x + u;
  ud = -0.5 * sample(x, Clock(0.5));
  u = hold(ud);
end M;)",
                              2);
  double x = 1;  // between ticks x goes exponentially to u
  for (int k = 0; k < 4; ++k) {
    const double u = -0.5 * x;
    x = u + (x - u) * std::exp(-0.5);
  }
  EXPECT_NEAR(trajectory.column("x").back(), x, 1e-7);
}

TEST(Clocks, ASampleIsTheLeftLimit) {
  const auto trajectory = run(R"(
model M
  Real u = if time < 0.5 then 1 else 2;
  Real y;
equation
  y = sample(u, Clock(1, 4));
end M;)",
                              1);
  expect_times(changes(trajectory, "y", 0), {0, 0.75});
}

TEST(Clocks, RatiosAndShiftsAreExact) {
  const auto trajectory = run(R"(
model M
  Integer base(start = 0);
  Integer slow(start = 0);
  Integer fast(start = 0);
  Integer late(start = 0);
  Integer back(start = 0);
equation
  when Clock(3, 10) then
    base = previous(base) + 1;
  end when;
  slow = subSample(base, 2);
  fast = previous(fast) + (if superSample(base, 3) > 0 then 1 else 0);
  late = shiftSample(base, 1, 3);
  back = backSample(late, 1, 3);
end M;)",
                              0.95);
  expect_times(changes(trajectory, "base", 0), {0, 0.3, 0.6, 0.9});
  expect_times(changes(trajectory, "slow", 0), {0, 0.6});
  EXPECT_EQ(trajectory.column("slow").back(), 3);  // base at 0.6
  expect_times(changes(trajectory, "fast", 0), {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  expect_times(changes(trajectory, "late", 0), {0.1, 0.4, 0.7});
  EXPECT_EQ(trajectory.column("late").back(), 3);
  // At 0.3 the last tick of late was at 0.1.
  expect_times(changes(trajectory, "back", 0), {0.3, 0.6, 0.9});
}

TEST(Clocks, AFactorIsInferredFromTheOtherClock) {
  const auto trajectory = run(R"(
model M
  Real u;
  Real v(start = 0);
  Real sum(start = 0);
equation
  u = sample(1 + floor(time * 10 + 0.5), Clock(1, 5));
  when Clock(1, 10) then
    v = superSample(u);
    sum = previous(sum) + v * interval();
  end when;
end M;)",
                              0.45);
  // u: 1, 3, 5 at 0, 0.2, 0.4; v the same twice each.
  EXPECT_NEAR(trajectory.column("sum").back(), 0.1 * (1 + 1 + 3 + 3 + 5), 8 * eps);
}

TEST(Clocks, ValuesGoFromClockToClockAndBackInOneTick) {
  const auto trajectory = run(R"(
model M
  Real fast(start = 0);
  Real slow;
  Real result;
equation
  when Clock(1, 10) then
    fast = previous(fast) + 1;
    result = superSample(slow, 2) + fast;
  end when;
  slow = 100 * subSample(fast, 2);
end M;)",
                              0.35);
  // Ticks of slow at 0 and 0.2 with fast 1 and 3.
  EXPECT_EQ(trajectory.column("slow").back(), 300);
  EXPECT_EQ(trajectory.column("result").back(), 304);
}

std::string discretised(const std::string& method) {
  return R"(
model M
  Real x(start = 1);
  Real u = sample(1.0, Clock(Clock(1, 10), solverMethod = ")" +
         method + R"("));
equation
  der(x) = -x * u;
end M;)";
}

TEST(Clocks, DerivativesGoOneStepOfTheSolverMethodATick) {
  const double h = 0.1;
  const auto end = [](const std::string& method) {
    return run(discretised(method), 0.95).column("x").back();
  };
  EXPECT_NEAR(end("ExplicitEuler"), std::pow(1 - h, 9), 1e-14);
  EXPECT_NEAR(end("ImplicitEuler"), std::pow(1 / (1 + h), 9), 1e-14);
  EXPECT_NEAR(end("ImplicitTrapezoid"), std::pow((1 - h / 2) / (1 + h / 2), 9), 1e-14);
}

TEST(Clocks, AnEventClockTicksWhereItsConditionBecomesTrue) {
  const auto trajectory = run(R"(
model M
  Boolean up = sin(10 * time - 1) > 0;
  Integer n(start = 0);
  Real h;
  Real every_second;
  Clock c = Clock(up, 0.5);
equation
  when c then
    n = previous(n) + 1;
    h = interval();
  end when;
  every_second = subSample(n, 2);
end M;)",
                              2);
  const double period = 2 * std::numbers::pi / 10;
  const std::vector<double> times = changes(trajectory, "n", 0);
  ASSERT_EQ(times.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(times[k], 0.1 + double(k) * period, 1e-9);
  EXPECT_NEAR(trajectory.column("h").back(), period, 1e-9);
  EXPECT_EQ(trajectory.column("every_second").back(), 3);
}

TEST(Clocks, LoopsInClockedEquationsAreSolved) {
  const auto trajectory = run(R"(
model M
  Real y(start = 1);
  Real a;
  Real b;
equation
  y + y^3 = sample(10 * time, Clock(1));
  a + 2 * b = y;
  3 * a - b = 1;
end M;)",
                              1.5);
  const double y = trajectory.column("y").back();
  EXPECT_NEAR(y + y * y * y, 10, 1e-9);
  EXPECT_NEAR(trajectory.column("a").back(), (y + 2) / 7, 1e-12);
}

TEST(Clocks, BooleansRecordsAndArraysAreClockedToo) {
  const auto trajectory = run(R"(
model M
  record R
    Real a;
    Boolean b;
    Integer n[2];
  end R;
  R r(a = time, b = time > 0.45, n = {integer(10 * time + 0.5), 7});
  R s;
  R t;
  Boolean toggle(start = false);
  Boolean first;
equation
  s = sample(r, Clock(1, 10));
  t = hold(s);
  when Clock() then
    toggle = not previous(toggle) and s.b;
    first = firstTick();
  end when;
end M;)",
                              0.75);
  EXPECT_NEAR(trajectory.column("t.a").back(), 0.7, 1e-12);
  expect_times(changes(trajectory, "t.b", 0), {0.5});
  EXPECT_EQ(trajectory.column("t.n[1]").back(), 7);
  EXPECT_EQ(trajectory.column("t.n[2]").back(), 7);
  expect_times(changes(trajectory, "toggle", 0), {0.5, 0.6, 0.7});
  EXPECT_EQ(changes(trajectory, "first", 0).size(), 2u);  // true at 0, false from 0.1 on
}

TEST(Clocks, ARealIntervalIsAParameterOfTheRun) {
  const compile::CompiledModel model(modelica::flatten({.text = R"(
model M
  parameter Real T = 0.25;
  Integer n(start = 0);
equation
  when Clock(T) then
    n = previous(n) + 1;
  end when;
end M;)"})
                                         .system);
  const auto ticks = [&](double interval) {
    return integrate::simulate(model, {.stop = 1.1, .parameters = {{"T", interval}}})
        .trajectory.column("n")
        .back();
  };
  EXPECT_EQ(ticks(0.25), 5);
  EXPECT_EQ(ticks(0.5), 3);
  EXPECT_THROW(ticks(0), Error);
}

// The interval is what it is after a tick, until the next one, or before it where it is Real
// (Modelica 3.6, 16.3).
TEST(Clocks, AnIntervalThatVaries) {
  const auto trajectory = run(R"(
model M
  Integer next(start = 2), n(start = 0), slow(start = 0), shifted(start = 0);
  Real h(start = 0), real(start = 0.2), h_slow(start = 0);
equation
  when Clock(next, 100) then
    next = previous(next) + 1;
    n = previous(n) + 1;
    h = interval();
  end when;
  slow = subSample(n, 2);
  h_slow = interval(slow);
  shifted = shiftSample(n, 1);
  when Clock(real) then
    real = 0.75*previous(real);
  end when;
end M;)",
                              0.4);
  expect_times(changes(trajectory, "n", 0), {0, 0.03, 0.07, 0.12, 0.18, 0.25, 0.33});
  expect_times(changes(trajectory, "slow", 0), {0, 0.07, 0.18, 0.33});
  expect_times(changes(trajectory, "real", 0.2), {0, 0.2, 0.35});
  EXPECT_EQ(trajectory.column("shifted").back(), 7);
  expect_times(changes(trajectory, "shifted", 0), {0.03, 0.07, 0.12, 0.18, 0.25, 0.33});
  // At the first tick the start value, then what was waited for.
  const std::vector<double> h = trajectory.column("h");
  EXPECT_EQ(h[1], 0.02);  // behind the row before the tick
  EXPECT_EQ(h.back(), 0.08);
  EXPECT_NEAR(trajectory.column("h_slow").back(), 0.15, 4 * eps);
}

// A controller that samples quickly as long as there is something to do; its ticks go on where
// those of a periodic clock are.
TEST(Clocks, AnIntervalMayFollowFromWhatIsSampled) {
  const auto trajectory = run(R"(
model M
  Real x(start = 1, fixed = true), u(start = 0), T(start = 0.125);
  Integer n(start = 0), regular(start = 0);
equation
  der(x) = -hold(u);
  when Clock(T) then
    u = sample(x);
    T = if u > 0.5 then 0.125 else 0.25;
    n = previous(n) + 1;
  end when;
  when Clock(0.125) then
    regular = previous(regular) + 1;
  end when;
end M;)",
                              2);
  // x falls by an eighth of itself a tick, seven times, and then by a quarter.
  std::vector<double> expected{0};
  double x = 1, t = 0, before = 0.125;
  for (;;) {
    const double interval = std::exchange(before, x > 0.5 ? 0.125 : 0.25);
    t += interval;
    if (t > 2) break;
    x -= interval * x;
    expected.push_back(t);
  }
  expect_times(changes(trajectory, "n", 0), expected);
  EXPECT_NEAR(trajectory.column("u").back(), x, 1e-9);
  EXPECT_EQ(trajectory.column("regular").back(), 17);
}

TEST(Clocks, AnIntervalThatIsNotPositiveEndsTheRun) {
  const compile::CompiledModel model(modelica::flatten({.text = R"(
model M
  Integer n(start = 3);
equation
  when Clock(n, 10) then
    n = previous(n) - 1;
  end when;
end M;)"})
                                         .system);
  const auto result = integrate::simulate(model, {.stop = 2});
  EXPECT_EQ(result.outcome, integrate::Outcome::event_failed);
  EXPECT_NE(result.message.find("gives itself the interval 0"), std::string::npos)
      << result.message;
  EXPECT_NEAR(result.end_time, 0.3, 1e-12);
}

TEST(Clocks, ARunWithAnIntervalThatVariesGoesOnFromACheckpoint) {
  const compile::CompiledModel model(modelica::flatten({.text = R"(
model M
  Real x(start = 1, fixed = true), T(start = 0.1);
equation
  der(x) = -x + hold(T);
  when Clock(T) then
    T = 0.05 + 0.1*sample(x)*previous(T);
  end when;
end M;)"})
                                         .system);
  integrate::SimulateOptions options{.stop = 2, .tolerance = 1e-7, .intervals = 50};
  const auto whole = integrate::simulate(model, options);
  ASSERT_EQ(whole.outcome, integrate::Outcome::done) << whole.message;
  std::vector<integrate::Checkpoint> checkpoints;
  options.checkpoint_every = 0.3;
  options.on_checkpoint = [&](const integrate::Checkpoint& checkpoint) {
    checkpoints.push_back(checkpoint);
    return true;
  };
  integrate::simulate(model, options);
  ASSERT_GE(checkpoints.size(), 3u);
  options.on_checkpoint = {};
  for (const integrate::Checkpoint& checkpoint : checkpoints) {
    options.resume = &checkpoint;
    EXPECT_TRUE(integrate::simulate(model, options).trajectory == whole.trajectory);
  }
}

TEST(Clocks, AClockWhoseIntervalVariesHasNoTicksBetween) {
  const auto flatten = [](const std::string& text) {
    try {
      modelica::flatten({.text = text});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string between = flatten(R"(
model M
  Integer n(start = 3);
  Integer twice = superSample(n, 2);
equation
  when Clock(n, 10) then
    n = previous(n) + 1;
  end when;
end M;)");
  EXPECT_NE(between.find("between the ticks of its base clock, whose interval varies"),
            std::string::npos)
      << between;
  // What the interval is computed from ticks with the clock.
  const std::string continuous = flatten(R"(
model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0);
equation
  der(x) = -x;
  when Clock(x) then
    n = previous(n) + integer(sample(x));
  end when;
end M;)");
  EXPECT_NE(continuous.find("M350"), std::string::npos) << continuous;
}

TEST(Clocks, ImpureFunctionsRunOnceATick) {
  const compile::CompiledModel model(modelica::flatten({.text = R"(
model M
  impure function next
    input Real least;
    output Real n;
    external "C" n = next_number()
      annotation(Include="static double next_number(void) { static int n; return ++n; }");
  end next;
  Real drawn(start = 0);
  Integer ticks(start = 0), others(start = 0, fixed = true);
equation
  when Clock(0.25) then
    drawn = next(1);
    ticks = previous(ticks) + 1;
  end when;
  when sample(0.1, 0.1) then
    others = pre(others) + 1;
  end when;
end M;)"})
                                         .system);
  const auto run = integrate::simulate(model, {.stop = 1.05});
  EXPECT_EQ(run.trajectory.column("drawn").back(), 5);
  EXPECT_EQ(run.trajectory.column("ticks").back(), 5);
  EXPECT_EQ(run.trajectory.column("others").back(), 10);
}

}  // namespace
}  // namespace alembert
