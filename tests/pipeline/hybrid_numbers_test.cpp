// SPDX-License-Identifier: Apache-2.0
// Small models in Modelica text with closed forms: events close to each other, delays that vary,
// levels that are reached and kept, starts that follow from what is solved for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using integrate::Outcome;
using integrate::SimulationResult;

const char* const all_kinds[] = {"auto", "tsit5", "dop853", "rodas5p", "radau5", "cvode", "ida"};

// What time decides acts at its own time: not at the state event a few units in the last place
// before it, and not once more afterwards.
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
    for (const char* count : {"a", "b", "c"})
      EXPECT_EQ(at_end(result, count), 1) << method << count;
  }
}

// The dense output of a method with a memory begins a rounding error beside the state that the
// event left: what has just risen above zero must not fall below it again, and be counted twice.
TEST(HybridNumbers, EachRiseIsCountedOnce) {
  for (const char* method : all_kinds) {
    const SimulationResult result =
        run(R"(
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  when x > 0 then n = pre(n) + 1; end when;
end M;)",
            {.stop = 400 * std::acos(-1.0), .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_EQ(at_end(result, "n"), 200) << method;
    EXPECT_EQ(result.n_state_events, 400u) << method;
  }
}

// A time event comes while the ramp is a rounding error below its limit, which it will not reach:
// the event has decided that it is there. What does not move afterwards has not come back.
TEST(HybridNumbers, ARampThatEndsJustBelowItsLimit) {
  for (const char* method : all_kinds) {
    const SimulationResult result = run(R"(
model M
  Real v(start = -1e-15, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(v) = if v < 1 then 0.5e6 else 0;
  der(x) = if time >= 2e-6 then 1 else 0;
end M;)",
                                        {.stop = 14, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "v"), 1, 1e-12) << method;
    EXPECT_NEAR(at_end(result, "x"), 14 - 2e-6, 1e-6) << method;
  }
}

TEST(HybridNumbers, APulseOfAPicosecond) {
  for (const char* method : all_kinds) {
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
    // Methods that choose their steps meet a time to some units in its last place.
    const bool own = std::string(method) == "cvode" || std::string(method) == "ida";
    EXPECT_NEAR(at_end(result, "x"), ((0.4 + 1e-12) - 0.4) * 1e12, own ? 1e-4 : 1e-6) << method;
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

// A delay of nothing is nothing, whether it is so from the beginning, or becomes so: also where the
// quantity follows from what is delayed, and from itself.
TEST(HybridNumbers, ADelayOfNothing) {
  for (const char* method : {"auto", "tsit5", "rodas5p", "cvode"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationResult result = run(R"(
model M
  parameter Real T = 0;
  Real x(start = 1, fixed = true), y, z(start = 0, fixed = true), late, itself, follows = 2*late;
equation
  y = delay(x, T);
  der(x) = -y;
  late = delay(sin(3*time), if time < 0.5 then 0.5 - time else 0, 0.5);
  der(z) = delay(follows, 0);
  itself = 0.3*delay(itself, 0) + 0.7*x;
end M;)",
                                          {.stop = 1, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const auto column = [&](const char* name) { return result.trajectory.column(name); };
      const auto x = column("x"), late = column("late"), itself = column("itself");
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double t = result.trajectory.times()[k];
        ASSERT_NEAR(x[k], std::exp(-t), 100 * tolerance) << method << tolerance;
        ASSERT_NEAR(itself[k], x[k], 1e-12) << method << tolerance;
        const double then = t < 0.5 ? std::max(0.0, 2 * t - 0.5) : t;
        ASSERT_NEAR(late[k], std::sin(3 * then), 2e-6 + 10 * tolerance) << method << tolerance;
      }
      // 2 sin(6 t - 1.5) from 0.25 to 0.5, then 2 sin(3 t).
      const double z = (1 - std::cos(1.5)) / 3 + 2 * (std::cos(1.5) - std::cos(3.0)) / 3;
      EXPECT_NEAR(at_end(result, "z"), z, 2e-6 + 100 * tolerance) << method << tolerance;
    }
}

// Before the start a quantity was what it is there, also where that follows from itself and putting
// it in again and again leads nowhere: y = 1 - y, w = 3 - 2 w, u = 4 - u^2.
TEST(HybridNumbers, DelayedQuantitiesThatFollowFromThemselvesAtTheStart) {
  const SimulationResult result = run(R"(
model M
  Real y = 1 - delay(y, 1), z = 1 - 0.5*delay(z, 1), w = 3 - 2*delay(w, 1);
  Real u = 4 - delay(v, 1)^2, v = delay(u, 1);
  Real x(start = 0, fixed = true);
equation
  der(x) = y;
end M;)",
                                      {.stop = 2, .tolerance = 1e-8});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  EXPECT_NEAR(at_start(result, "y"), 0.5, 1e-9);
  EXPECT_NEAR(at_start(result, "z"), 2.0 / 3, 1e-12);
  EXPECT_NEAR(at_start(result, "w"), 1, 1e-9);
  for (const char* name : {"u", "v"})
    EXPECT_NEAR(at_start(result, name), (std::sqrt(17.0) - 1) / 2, 1e-9) << name;
  EXPECT_NEAR(at_end(result, "x"), 1, 1e-8);
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
  EXPECT_NE(result.message.find("only the last 0.5 are kept"), std::string::npos) << result.message;
  EXPECT_NEAR(result.end_time, 0.4, 0.1);
}

// The capacitance hardly moves between the peaks of the source, so that steps grow over whole
// periods: the diode conducts in a tenth of each. Against a scheme of its own with short steps.
TEST(HybridNumbers, ARectifierMissesNoPeakOfItsSource) {
  constexpr double pi = 3.14159265358979324, vt = 0.02585, saturation = 1e-14, r = 10, c = 1e-6;
  // vd + r i(vd) = v, by Newton from the last one.
  double vd = 0;
  const auto slope = [&](double t, double u) {
    const double v = 5 * std::sin(2000 * pi * t) - u;
    if (v < vd) vd = v;
    for (int k = 0; k < 60; ++k) {
      const double e = saturation * std::exp(vd / vt);
      const double change = (vd + r * (e - saturation) - v) / (1 + r * e / vt);
      vd -= std::clamp(change, -0.1, 0.1);
      if (std::abs(change) < 1e-15) break;
    }
    return (saturation * std::expm1(vd / vt) - u / 1e4) / c;
  };
  double u = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double h = 3.3e-3 / n, t = i * h;
    const double k1 = slope(t, u), k2 = slope(t + h / 2, u + h / 2 * k1);
    const double k3 = slope(t + h / 2, u + h / 2 * k2), k4 = slope(t + h, u + h * k3);
    u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  for (const char* method :
       {"auto", "tsit5", "dop853", "rodas5p", "rodas6p", "radau5", "cvode", "ida", "taylor"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationResult result =
          run(R"(
model M
  Real u(start = 0, fixed = true), vd, i;
equation
  5*sin(2*3.14159265358979324*1000*time) = vd + 10*i + u;
  i = 1e-14*(exp(vd/0.02585) - 1);
  1e-6*der(u) = i - u/1e4;
end M;)",
              {.stop = 3.3e-3, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      EXPECT_NEAR(at_end(result, "u"), u, std::max(1e-7, 50 * tolerance)) << method << tolerance;
    }
}

// A system at rest, which a smooth source wakes late and for a short time.
TEST(HybridNumbers, ASmoothPulseIsNotSteppedOver) {
  for (const char* method : all_kinds)
    for (const double tolerance : {1e-4, 1e-8}) {
      const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), shown;
equation
  der(x) = exp(-((time - 70)/0.5)^2);
  der(y) = (1 + tanh((time - 30)/0.01))/2 - y;
  shown = sin(1e7*time);
end M;)",
                                          {.stop = 100, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      EXPECT_NEAR(at_end(result, "x"), 0.5 * std::sqrt(std::acos(-1.0)), 20 * tolerance) << method;
      const auto y = result.trajectory.column("y");
      EXPECT_NEAR(y[160], 1 - std::exp(-2.0), std::max(2e-4, 20 * tolerance)) << method;
      EXPECT_LT(result.statistics.steps, 2000u) << method;  // what is shown alone may be fast
    }
}

// The ring of a planetary gear is held by a brake: its velocity follows from two others, and is
// zero up to rounding, so that comparisons with zero are undecided and change in no time. Nothing
// jumps there, and steps must not be as short as these events are near.
TEST(HybridNumbers, FrictionAtRest) {
  constexpr double r = 110.0 / 50;
  constexpr double a = 0.5 * (1 + r) + 4 / (1 + r), b = 0.1 / (1 + r);
  // While it holds: a wc' + b wc = 10 sin 2t.
  const auto exact = [](double t) {
    return 10 / (b * b + 4 * a * a) *
           (b * std::sin(2 * t) - 2 * a * std::cos(2 * t) + 2 * a * std::exp(-b * t / a));
  };
  double end = 0;
  for (const char* method : all_kinds) {
    const SimulationResult result = run(R"(
model M
  parameter Real r = 110/50, small = 1e10;
  Real ws(start = 0, fixed = true), ps(start = 0, fixed = true), wc, wr, pc, pr, as, ac, ar;
  Real f, sa, fn, ts;
  Boolean free, forward(start = false, fixed = true), backward(start = false, fixed = true), held;
  Integer mode(start = 3, fixed = true) "1, -1: slips, 0: at rest, 2: free, 3: not known";
equation
  ws = der(ps); wc = der(pc); wr = der(pr); as = der(ws); ac = der(wc); ar = der(wr);
  (1 + r)*pc = ps + r*pr;
  0.5*as = 10*sin(2*time) + ts;
  4*ac = -(1 + r)*ts - 0.1*wc;
  0 = r*ts - f;
  fn = if time < 2 then 50 else if time < 3 then 0 else 60;
  free = fn <= 0;
  forward = pre(mode) == 0 and (sa > 1.1*fn or pre(forward) and sa > fn) or
    pre(mode) == -1 and wr > small or initial() and wr > 0;
  backward = pre(mode) == 0 and (sa < -1.1*fn or pre(backward) and sa < -fn) or
    pre(mode) == 1 and wr < -small or initial() and wr < 0;
  held = not free and not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
  ar = if held then 0 else if free then sa else if forward then sa - fn
    else if backward then sa + fn else if pre(mode) == 1 then sa - fn
    else if pre(mode) == -1 then sa + fn else sa - sign(wr)*fn;
  f = if held then sa else if free then 0 else if forward then fn else if backward then -fn
    else if pre(mode) == 1 then fn else if pre(mode) == -1 then -fn else sign(wr)*fn;
  mode = if free then 2
    else if (pre(mode) == 1 or pre(mode) == 2 or forward) and wr > 0 then 1
    else if (pre(mode) == -1 or pre(mode) == 2 or backward) and wr < 0 then -1 else 0;
initial equation
  pr = 0;
  wr = 0;
end M;)",
                                        {.stop = 6, .tolerance = 1e-6, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_LT(result.n_state_events, 1000u) << method;
    const auto wc = result.trajectory.column("wc");
    const auto t = result.trajectory.times();
    for (std::size_t i = 0; i < t.size() && t[i] < 2; ++i)
      ASSERT_NEAR(wc[i], exact(t[i]), 1e-4) << method << " at " << t[i];
    EXPECT_EQ(at_end(result, "mode"), 0) << method;
    EXPECT_NEAR(at_end(result, "wr"), 0, 1e-9) << method;
    if (end == 0) end = at_end(result, "wc");
    EXPECT_NEAR(at_end(result, "wc"), end, 1e-4) << method;
  }
}

// A charge of a picocoulomb and a reaction of 1e-10 mol, without nominal values: beside an absolute
// tolerance of 1e-6 they would be nothing, and every step good. A coordinate that only rounding
// moves is no small state, and costs no steps.
TEST(HybridNumbers, SmallStatesWithoutNominalValues) {
  for (const char* method :
       {"auto", "tsit5", "dop853", "rodas5p", "radau5", "cvode", "ida", "taylor"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationResult result = run(R"(
model M
  Real q(start = 2e-13, fixed = true), v, i;
equation
  q = 1e-12*v;
  der(q) = i;
  i = (1 - v)/1e6;
end M;)",
                                          {.stop = 5e-6, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const auto v = result.trajectory.column("v");
      for (std::size_t k = 0; k < v.size(); ++k)
        ASSERT_NEAR(v[k], 1 - 0.8 * std::exp(-result.trajectory.times()[k] / 1e-6), 300 * tolerance)
            << method << tolerance;
      const SimulationResult reaction = run(R"(
model M
  Real a(start = 1e-10, fixed = true), b(start = 2e-10, fixed = true);
equation
  der(a) = -1e10*a*b;
  der(b) = -1e10*a*b;
end M;)",
                                            {.stop = 2, .tolerance = tolerance, .method = method});
      ASSERT_EQ(reaction.outcome, Outcome::done) << method << reaction.message;
      const double left = std::exp(-2.0);
      EXPECT_NEAR(at_end(reaction, "a") / 1e-10, left / (2 - left), 500 * tolerance) << method;
      const SimulationResult rounding = run(R"(
model M
  Real x(start = 0.51, fixed = true), v(start = 0, fixed = true), d(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(d) = cosh(x)^2 - sinh(x)^2 - 1 + tan(atan(x/7)) - x/7;
end M;)",
                                            {.stop = 20, .tolerance = tolerance, .method = method});
      ASSERT_EQ(rounding.outcome, Outcome::done) << method << rounding.message;
      EXPECT_LT(rounding.statistics.steps, 1000u) << method;
    }
}

// A state that starts at next to nothing is driven by another one, whose error is larger than it.
// And one of a filter in companion form, at rest: slopes of the first state are what is left of
// terms of 1e15. Neither can be known better than what drives it, and no steps are spent on that.
TEST(HybridNumbers, NoStateIsKnownBetterThanWhatDrivesIt) {
  for (const char* method : {"auto", "rodas5p", "radau5", "cvode", "ida"}) {
    for (const std::string start : {"1e-36", "0"}) {
      const SimulationResult driven =
          run("model M Real x(start = 0, fixed = true), y(start = " + start +
                  ", fixed = true); Real bump = exp(-(7*(time - 1.3))^2); equation "
                  "der(x) = 0.5*cos(0.5*time) - 10*(x - sin(0.5*time)); "
                  "der(y) = -98*(time - 1.3)*bump - 0.1*(y - bump) + 0.5*(x - sin(0.5*time)); "
                  "end M;",
              {.stop = 3, .tolerance = 1e-6, .method = method});
      ASSERT_EQ(driven.outcome, Outcome::done) << method << driven.message;
      EXPECT_LT(driven.statistics.steps, 1000u) << method << start;
      const auto y = driven.trajectory.column("y");
      for (std::size_t k = 0; k < y.size(); ++k)
        ASSERT_NEAR(y[k], std::exp(-std::pow(7 * (driven.trajectory.times()[k] - 1.3), 2)), 1e-4)
            << method;
    }
    // Eight poles at -100, gain 1: at rest until 0.3, then the incomplete gamma function.
    const SimulationResult filter = run(R"(
model M
  constant Real p = 100;
  Real x[8](start = {0, 0, 0, 0, 0, 0, 0, 0.1}, each fixed = true);
  Real u = if time < 0.3 then 0.1 else 1.1;
equation
  der(x[1]) = p^8*u - (8*p*x[1] + 28*p^2*x[2] + 56*p^3*x[3] + 70*p^4*x[4] + 56*p^5*x[5]
    + 28*p^6*x[6] + 8*p^7*x[7] + p^8*x[8]);
  for i in 2:8 loop
    der(x[i]) = x[i - 1];
  end for;
end M;)",
                                        {.stop = 1, .tolerance = 1e-6, .method = method});
    ASSERT_EQ(filter.outcome, Outcome::done) << method << filter.message;
    // IDA looks at differences of slopes of several orders, which are noise here: it took ten
    // millions without reaching the end.
    EXPECT_LT(filter.statistics.steps, method == std::string("ida") ? 40000u : 1500u) << method;
    const auto out = filter.trajectory.column("x[8]");
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double s = std::max(0.0, 100 * (filter.trajectory.times()[k] - 0.3));
      double left = 0, term = std::exp(-s);
      for (int n = 0; n < 8; ++n, term *= s / n) left += term;
      ASSERT_NEAR(out[k], 1.1 - left, 1e-4) << method << " " << filter.trajectory.times()[k];
    }
  }
}

// A fast filter at rest moves by rounding only, beside an oscillation that asks for steps far
// beyond what is stable for it. Powers of that many roundings are nothing at the ends of a step of
// an explicit method, and everything between them.
TEST(HybridNumbers, AFastStateAtRestBesideAnOscillation) {
  for (const char* method : {"auto", "dop853", "tsit5", "rodas5p"})
    for (const double tolerance : {1e-3, 1e-4, 1e-6, 1e-8}) {
      const SimulationResult result = run(R"(
model M
  Real x(start = -1, fixed = true), z(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = 20*(1 - tanh(20*(time - 1))^2) - 1e4*(x - tanh(20*(time - 1)));
  der(z) = v;
  der(v) = -400*z;
end M;)",
                                          {.stop = 3, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const auto x = result.trajectory.column("x");
      for (std::size_t k = 0; k < x.size(); ++k)
        ASSERT_NEAR(x[k], std::tanh(20 * (result.trajectory.times()[k] - 1)), 100 * tolerance)
            << method << " " << tolerance << " " << result.trajectory.times()[k];
    }
}

// x^2 = 1 - 2 t ends at 0.5, and what a long step finds beyond is no solution. Where the numerator
// vanishes as well, nothing ends: Si(1) is 0.946083070367183.
TEST(HybridNumbers, ASolutionThatEndsAtAPole) {
  for (const char* method :
       {"auto", "dop853", "tsit5", "rodas5p", "rodas6p", "radau5", "cvode", "ida", "taylor"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationResult ends =
          run("model M Real x(start = 1, fixed = true); equation der(x) = -1/x; end M;",
              {.stop = 1, .tolerance = tolerance, .method = method});
      EXPECT_EQ(ends.outcome, Outcome::step_too_small) << method << tolerance;
      EXPECT_NEAR(ends.trajectory.times().back(), 0.5, 100 * tolerance) << method << tolerance;
      EXPECT_LT(ends.statistics.steps, 500u) << method << tolerance;
      if (method == std::string_view("taylor")) continue;  // which has no value at 0/0
      const SimulationResult passes =
          run(R"(
model M
  Real x(start = -1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = sin(x)/x;
end M;)",
              {.stop = 2, .tolerance = tolerance, .intervals = 7, .method = method});
      ASSERT_EQ(passes.outcome, Outcome::done) << method << passes.message;
      EXPECT_NEAR(at_end(passes, "y"), 2 * 0.946083070367183, 100 * tolerance) << method;
    }
}

// Steps of a fixed size cannot be made shorter: the run ends before the one that leads over a pole.
TEST(HybridNumbers, FixedStepsEndAtAPole) {
  for (const char* method : {"euler", "rk4", "implicit-euler", "bdf2", "trapezoidal", "midpoint"})
    for (const double step : {0.1, 0.01, 0.003}) {
      const SimulationResult ends =
          run("model M Real x(start = 1, fixed = true); equation der(x) = -1/x; end M;",
              {.stop = 2, .method = method, .step = step});
      EXPECT_NE(ends.outcome, Outcome::done) << method << step;
      // The methods of order 1 come later, or earlier, by about the step.
      EXPECT_NEAR(ends.trajectory.times().back(), 0.5, 4 * step) << method << step;
      const SimulationResult passes = run(R"(
model M
  Real x(start = -1.00123, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = sin(x)/x;
end M;)",
                                          {.stop = 2, .method = method, .step = step});
      EXPECT_EQ(passes.outcome, Outcome::done) << method << passes.message;
    }
  // A secant leads straight to where nothing has a value.
  for (const char* method : {"euler", "rk4", "midpoint", "bdf2"})
    for (const char* by : {"time", "y"}) {
      const SimulationResult ends = run(std::string(R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(y) = 1;
  der(x) = 1/()") + by + " - 0.7321); end M;",
                                        {.stop = 2, .method = method, .step = 0.004});
      EXPECT_NE(ends.outcome, Outcome::done) << method << by;
      EXPECT_NEAR(ends.trajectory.times().back(), 0.7321, 0.005) << method << by;
    }
  for (const char* method : {"euler", "rk4", "midpoint", "bdf2", "tsit5", "radau5"}) {
    const SimulationResult tangent =
        run("model M Real x(start = 0, fixed = true); equation der(x) = tan(time); end M;",
            {.stop = 3, .method = method, .step = 0.006});
    EXPECT_NE(tangent.outcome, Outcome::done) << method;
    EXPECT_NEAR(tangent.trajectory.times().back(), std::acos(0.0), 0.007) << method;
    const SimulationResult collision = run(R"(
model M
  Real x(start = 1, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -1/x^2;
end M;)",
                                           {.stop = 8, .method = method, .step = 0.006});
    EXPECT_NE(collision.outcome, Outcome::done) << method;
    // Euler's method gains energy on the way, and falls later.
    const bool is_euler = std::string(method) == "euler";
    EXPECT_NEAR(collision.trajectory.times().back(), 1 + 3 * std::acos(0.0), is_euler ? 1 : 0.05)
        << method;
  }
  const SimulationResult told =
      run("model M Real x(start = 1, fixed = true); equation der(x) = -1/x; end M;",
          {.stop = 2, .method = "rk4", .step = 0.1});
  EXPECT_NE(told.message.find("der(x) grows without bound"), std::string::npos) << told.message;
}

// A value that nobody integrates: infinite at 1, or of no size there.
TEST(HybridNumbers, AGapInAValueIsToldByItsSides) {
  const auto told = [](const std::string& equations) {
    return run("model M Real x(start = 0, fixed = true), a, b; equation der(x) = 1; " + equations +
                   " end M;",
               {.stop = 2})
        .message;
  };
  for (const char* pole : {"a + x*b = 1; a + b = 3;", "b = 2/(1 - x); a = b + 1;"})
    EXPECT_NE(told(pole).find("grows without bound"), std::string::npos) << told(pole);
  const std::string open = told("b = sin(1 - x)/(1 - x); a = b + 1;");
  EXPECT_NE(open.find("0/0 or the like"), std::string::npos) << open;
}

// What is not zero for a hundredth of a step lies between the places at which slopes are taken.
TEST(HybridNumbers, PulsesWithoutEventsAreMet) {
  for (const char* method : {"auto", "tsit5", "rodas5p", "radau5", "cvode", "ida", "taylor"})
    for (const char* pulse : {"x > 0.7 and x < 0.71 then 100", "x > 0.7 and x < 0.7001 then 10000",
                              "abs(x - 0.3) < 0.005 then 100"}) {
      const SimulationResult met = run(std::string(R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(if )") + pulse + R"( else 0);
end M;)",
                                       {.stop = 1, .tolerance = 1e-6, .method = method});
      ASSERT_EQ(met.outcome, Outcome::done) << method << met.message;
      EXPECT_NEAR(at_end(met, "y"), 1, 1e-3) << method << pulse;
    }
}

// Twisting comes to its end in ever smaller turns of two events each. Steps of a fixed size do not
// follow them down to nothing, and would go on for ever a little above.
TEST(HybridNumbers, TurnsThatShrinkToNothingEndTheRun) {
  const double end = 4 * std::sqrt(2.0) / 3 / (1 - 1 / std::sqrt(3.0));
  for (const char* method : {"auto", "tsit5", "rodas5p", "rk4", "bdf2"}) {
    const SimulationResult ends = run(R"(
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -2*sign(x) - sign(v);
end M;)",
                                      {.stop = 15, .method = method});
    EXPECT_EQ(ends.outcome, Outcome::accumulation) << method;
    EXPECT_NEAR(ends.end_time, end, 5e-3) << method;
  }
}

// A function whose value is 0/0 has none, however that is written.
TEST(HybridNumbers, AFunctionWithoutAValueEndsTheRun) {
  for (const char* value : {"0.0/0.0", "0/(x - x)", "0.0/d", "(1/d)/(1/d)", "1/d - 1/d"}) {
    const SimulationResult ends = run(std::string(R"(
model M
  function f
    input Real x;
    output Real y;
  protected
    Real d;
  algorithm
    d := x - x;
    y := if x < 0.5 then x else )") + value +
                                          R"(;
  end f;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1 + f(x);
end M;)",
                                      {.stop = 1});
    EXPECT_NE(ends.outcome, Outcome::done) << value;
    EXPECT_NEAR(ends.trajectory.times().back(), std::log(1.5), 1e-4) << value;
  }
}

// Steps of a series are as long as its states allow: that of a clock for ever, and that of a tank
// that runs empty beyond its end, where the root has come back. What comparisons do in between has
// another series, and slopes tell of the rest.
TEST(HybridNumbers, SeriesReachAsFarAsTheirComparisonsAndSlopes) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const SimulationResult peaks = run(R"(
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when sin(10*x) > 0.999999 then n = pre(n) + 1; end when;
end M;)",
                                       {.stop = 20, .tolerance = tolerance, .method = "taylor"});
    ASSERT_EQ(peaks.outcome, Outcome::done) << peaks.message;
    EXPECT_EQ(at_end(peaks, "n"), 32) << tolerance;
    for (const std::string open : {"", "noEvent("}) {
      const SimulationResult tank =
          run("model M Real h(start = 1, fixed = true); equation der(h) = " + open +
                  "if h > 0 then -2*sqrt(h) else 0" + (open.empty() ? "" : ")") + "; end M;",
              {.stop = 3, .tolerance = tolerance, .method = "taylor"});
      ASSERT_EQ(tank.outcome, Outcome::done) << tank.message;
      const auto h = tank.trajectory.column("h");
      for (std::size_t i = 0; i < h.size(); ++i) {
        const double left = std::max(0.0, 1 - tank.trajectory.times()[i]);
        ASSERT_NEAR(h[i], left * left, 100 * tolerance) << open << tolerance;
      }
    }
  }
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
// An oscillation that begins with a billionth: it is followed from there, and once it has grown no
// closer than any other.
TEST(HybridNumbers, AnOscillationThatGrowsFromNearlyNothing) {
  for (const char* method : all_kinds) {
    const auto run_from = [&](const char* start) {
      return run(std::string("model M\n  Real x(start = ") + start + R"(, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 2*(1 - x^2)*v - x;
end M;)",
                 {.stop = 200, .method = method});
    };
    const SimulationResult small = run_from("1e-9"), large = run_from("0.1");
    ASSERT_EQ(small.outcome, Outcome::done) << method << small.message;
    const auto x = small.trajectory.column("x");
    EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 2.02, 0.02) << method;
    EXPECT_LT(small.statistics.steps, 1.1 * static_cast<double>(large.statistics.steps)) << method;
  }
}

// The pressure of the air is in all pressures, and makes stairs of what the flow is solved from:
// as little as they are, Newton ends on one of them.
TEST(HybridNumbers, TanksThatLevelOutUnderAHundredBar) {
  for (const char* method : all_kinds) {
    const SimulationResult result = run(R"(
model M
  Real h1(start = 3, fixed = true), h2(start = 1, fixed = true), m, pa, pb;
equation
  der(h1) = -m/1000;
  der(h2) = m/1000;
  pa = 1e7 + 9810*h1 - m*abs(m);
  pb = 1e7 + 9810*h2 + m*abs(m);
  m = 0.7*(pa - pb)/((pa - pb)^2 + 1)^0.25;
end M;)",
                                        {.stop = 100, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "h1"), 2, 1e-4) << method;
    EXPECT_NEAR(at_end(result, "h2"), 2, 1e-4) << method;
  }
}

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
  EXPECT_NEAR(result.end_time, 1, 1e-9);
  EXPECT_NE(result.message.find("'y' has no value"), std::string::npos) << result.message;
}

// The same in a parameter, where it is found before the run.
TEST(HybridNumbers, ALoopWithoutEndInAParameterIsToldSoon) {
  try {
    run(R"(
model M
  function f
    input Real a;
    output Real y;
  algorithm
    y := a;
    while y > 0 loop
      y := abs(-y);
    end while;
  end f;
  parameter Real p = f(1);
  Real x(start = 0, fixed = true);
equation
  der(x) = p;
end M;)",
        {.stop = 1});
    FAIL() << "a loop without end";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("this loop does not end"), std::string::npos)
        << error.what();
  }
}

// The bounces become lower than the tolerance. A method that sees them as errors of its steps must
// not take a rise for a fall: the ball would go through the floor.
TEST(HybridNumbers, ABallThatComesToRestIsNeverThroughTheFloor) {
  constexpr double g = 9.81, e = 0.7;
  const double first = std::sqrt(2 / g);
  for (const char* method : all_kinds) {
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const SimulationResult result = run(R"(
model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then reinit(v, -0.7*pre(v)); end when;
end M;)",
                                          {.stop = 3, .tolerance = tolerance, .method = method});
      EXPECT_EQ(result.outcome, Outcome::accumulation) << method << tolerance << result.message;
      EXPECT_NEAR(result.end_time, first * (1 + e) / (1 - e), 5 * std::sqrt(tolerance)) << method;
      EXPECT_NE(result.message.find("'h < 0'"), std::string::npos) << result.message;
      for (const double h : result.trajectory.column("h")) EXPECT_GT(h, -10 * tolerance) << method;
    }
  }
}

// A switch that opens with an arc, which goes out where the current is as small as the leak of the
// open switch. From then on both sides of the comparison are equal by an equation, and differ by
// rounding alone: no events. What is left is the leak of a voltage that the inductance hardly sees.
TEST(HybridNumbers, SidesThatAnEquationHoldsEqualMakeNoEvents) {
  for (const char* method : all_kinds) {
    const SimulationResult result = run(R"(
model M
  parameter Real leak = 1e-3, L = 0.01, R = 1;
  Real i(start = 0, fixed = true), v, u = 100*sin(314*time);
  Boolean off = time > 0.063;
  Boolean out(start = true, fixed = true);
equation
  out = off and (abs(i) <= abs(v)*leak or pre(out));
  if off then
    if out then i = leak*v; else v = 30*sign(i); end if;
  else
    v = 1e-5*i;
  end if;
  L*der(i) + R*i + v = u;
end M;)",
                                        {.stop = 0.2, .tolerance = 1e-7, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_LT(result.n_state_events, 30u) << method;
    const double omega = 314, leak = 1e-3;
    const double lag = 0.01 * leak / (1 + leak);  // of i behind u
    EXPECT_NEAR(at_end(result, "i"), leak / (1 + leak) * 100 * std::sin(omega * (0.2 - lag)), 2e-6)
        << method;
  }
}

// Unknowns of a block agree but for a little, so their difference has the rounding errors of both,
// of which its own size says nothing. It passes zero once, however flat, and makes one event.
TEST(HybridNumbers, ASmallDifferenceOfLargeUnknownsChangesItsSignOnce) {
  const std::string text = R"(
model M
  parameter Real slope = 0;
  Real x(start = 1, fixed = true), b, c, u;
  Integer falls(start = 0, fixed = true), rises(start = 0, fixed = true);
equation
  der(x) = 3 - x;
  b + c = 1000*x;
  b - c = 300*sin(7*time) + slope*(0.5 - time);
  u = 2*b - 1000*x - 300*sin(7*time);
  when u < 0 then
    falls = pre(falls) + 1;
  end when;
  when u >= 0 then
    rises = pre(rises) + 1;
  end when;
end M;)";
  for (const char* method : {"auto", "rodas5p", "dop853", "cvode"})
    for (const char* slope : {"1", "0.01", "0.001", "1e-5", "1e-9", "1e-12", "0"}) {
      const std::string changed =
          std::string(text).replace(text.find("slope = 0"), 9, std::string("slope = ") + slope);
      const SimulationResult result =
          run(changed, {.stop = 1, .tolerance = 1e-6, .method = method});
      ASSERT_EQ(result.outcome, integrate::Outcome::done) << method << result.message;
      const double falls = at_end(result, "falls");
      if (std::strtod(slope, nullptr) > 1e-6)
        EXPECT_EQ(falls, 1) << method << " " << slope;
      else
        EXPECT_LE(falls, 1) << method << " " << slope;  // it is zero all the time, but for rounding
      EXPECT_EQ(at_end(result, "rises"), 0) << method << " " << slope;
    }
}

// Two crossings of a window that is a billionth wide, with a corner between them.
TEST(HybridNumbers, ANarrowWindowIsNotSteppedOver) {
  for (const char* method : all_kinds) {
    const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = -x;
  when abs(x - 0.37) < 1e-9 then n = pre(n) + 1; end when;
end M;)",
                                        {.stop = 7, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_EQ(at_end(result, "n"), 3) << method;
  }
}

// x = sin(t) passes the middle of a window wherever it lies in a step; so does what is only defined
// by such a function. Exact: once on the way up and once on the way down in each period.
TEST(HybridNumbers, WindowsAnywhereInAStep) {
  for (const double at : {0.65850888157423948, -0.87379022854665866, -0.5570500608398582, 0.11})
    for (const double width : {8.56e-6, 1.1e-7})
      for (const char* condition : {"abs(x - a) < b", "w < b", "max(x, 2*a - x) < a + b",
                                    "abs(abs(x - a) - 0.01) < b and x > a"}) {
        const SimulationResult result = run(
            "model M parameter Real a = " + number_text(at) + ", b = " + number_text(width) +
                "; Real x(start = 0, fixed = true), y(start = 1, fixed = true), w = abs(x - a); "
                "Integer n(start = 0, fixed = true); equation der(x) = y; der(y) = -x; when " +
                condition + " then n = pre(n) + 1; end when; end M;",
            {.stop = 20, .tolerance = 1e-9});
        ASSERT_EQ(result.outcome, Outcome::done) << result.message;
        const double level = condition[4] == 'a' ? at + 0.01 : at;
        int expected = 0;
        for (int k = 0; k < 8; ++k)
          for (const double phase : {std::asin(level), std::numbers::pi - std::asin(level)})
            if (const double t = phase + 2 * std::numbers::pi * (k - 1); t > 0 && t < 20)
              ++expected;
        EXPECT_EQ(at_end(result, "n"), expected) << at << " " << width << " " << condition;
      }
}

// On the circle x = 1 is a turning point: no small change of y leads to x = 0.8, and y = -0.6, to
// where the motion goes, does. Told is who changes one state in two when-equations.
TEST(HybridNumbers, AReinitAtATurningPoint) {
  const std::string text =
      "model M Real x(start = 0.6), y(start = 0.8), lam; Integer n(start = 0, fixed = true); "
      "equation der(der(x)) = lam*x; der(der(y)) = lam*y - 9.81; x^2 + y^2 = 1; when y < 0 then "
      "reinit(x, 0.8); n = pre(n) + 1; end when; end M;";
  const SimulationResult result = run(text, {.stop = 1, .tolerance = 1e-8});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  const auto n = result.trajectory.column("n");
  const auto after = static_cast<std::size_t>(std::ranges::find(n, 1.0) - n.begin());
  ASSERT_LT(after, n.size());
  EXPECT_NEAR(result.trajectory.column("x")[after], 0.8, 1e-9);
  EXPECT_NEAR(result.trajectory.column("y")[after], -0.6, 1e-9);
}

TEST(HybridNumbers, AStateThatTwoWhenEquationsChangeIsTold) {
  const auto warnings = [](const char* second) {
    return modelica::flatten(
               {.text = std::string("model M Real x(start = 1, fixed = true); equation der(x) = "
                                    "-x; when time > 0.2 then reinit(x, 2); ") +
                        second + " time > 0.3 then reinit(x, 3); end when; end M;"})
        .warnings;
  };
  EXPECT_TRUE(warnings("elsewhen").empty());
  const auto told = warnings("end when; when");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].text.find("'x' is changed by reinit in two when-equations"), std::string::npos);
}

// Backlash: in contact y moves as x does, so that this side of the comparison stays on its surface,
// and the other, in which y rests, leads to it.
TEST(HybridNumbers, OneSideOfASurfaceMayBeWhatSlides) {
  const SimulationResult result = run(R"(
model M
  parameter Real b = 0.1;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), u = sin(time);
equation
  der(x) = u;
  der(y) = if x - y > b and u > 0 or y - x > b and u < 0 then u else 0;
end M;)",
                                      {.stop = 10,
                                       .tolerance = 1e-8,
                                       .intervals = 1000,
                                       .chattering = integrate::Chattering::slide});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  const auto t = result.trajectory.column("time");
  const auto y = result.trajectory.column("y");
  double expected = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double x = 1 - std::cos(t[i]);
    expected = std::clamp(expected, x - 0.1, x + 0.1);
    EXPECT_NEAR(y[i], expected, 1e-6) << t[i];
  }
}

// ---- blocks of exponentials ---------------------------------------------------------------------

// Six diodes between line inductances and a load. By any choice of torn variables a step of Newton
// leads over hundreds of powers of e; the currents of two ways of integration agree.
TEST(HybridNumbers, ABridgeOfSixExponentialDiodes) {
  const std::string model = R"(
model M
  parameter Real Is = 1e-9, Vt = 0.026, L = 1e-3, R = 10, G = 1e-6, V = 100;
  Real u[3], i[3](start = {0, 0, 0}), v[3], a[3], b[3], p, n, load;
equation
  for k in 1:3 loop
    u[k] = V*sin(100*3.14159265358979*time - (k - 1)*2.0943951023932);
    L*der(i[k]) = u[k] - v[k];
    a[k] = Is*(exp((v[k] - p)/Vt) - 1) + G*(v[k] - p);
    b[k] = Is*(exp((n - v[k])/Vt) - 1) + G*(n - v[k]);
    i[k] = a[k] - b[k];
  end for;
  load = sum(a);
  load = sum(b);
  p - n = R*load;
end M;)";
  const SimulationResult reference =
      run(model, {.stop = 0.03, .tolerance = 1e-10, .intervals = 100, .method = "radau5"});
  ASSERT_EQ(reference.outcome, Outcome::done) << reference.message;
  for (const char* method : {"auto", "rodas5p", "radau5", "cvode", "ida"}) {
    const SimulationResult result =
        run(model, {.stop = 0.03, .tolerance = 1e-8, .intervals = 100, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    for (const char* name : {"load", "i[1]", "i[2]", "i[3]"}) {
      const auto got = result.trajectory.column(name);
      const auto wanted = reference.trajectory.column(name);
      ASSERT_EQ(got.size(), wanted.size());
      for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_NEAR(got[k], wanted[k], 1e-2) << method << name << k;
    }
  }
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

// Bounds hold nothing back; what is outside of them, by more than the tolerance, is told once.
TEST(HybridNumbers, WhatIsOutsideOfItsBoundsIsWarnedOf) {
  const auto warnings = [](const std::string& max) {
    return run("model M Real x(start = 0, fixed = true, max = " + max +
                   "), y(min = -0.5) = -x, z(min = 0) = x - x*x/1000; equation der(x) = 1; end M;",
               {.stop = 2})
        .warnings;
  };
  ASSERT_EQ(warnings("1").size(), 1u);
  EXPECT_EQ(warnings("1")[0],
            "'y' is -0.504 at time 0.504, below its min = -0.5; so is one more later on. A bound "
            "tells what can be, and holds nothing back: look for a mistake in the model, or give a "
            "smaller tolerance or nominal values.");
  EXPECT_EQ(warnings("2 - 1e-7").size(), 1u);
  EXPECT_EQ(
      run("model M Real x(start = 0, fixed = true, max = 2 - 1e-7); equation der(x) = 1; end M;",
          {.stop = 2})
          .warnings.size(),
      0u);
}

// A state that is smaller than the tolerance all the time may have no correct digit; who reads the
// result is told.
TEST(HybridNumbers, StatesBelowTheToleranceAreWarnedOf) {
  const std::string text = R"(
model M
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = (if time > 1 then 1e-9*sin(time) else 0) - x;
end M;)";
  const auto warned = [](const SimulationResult& result) {
    for (const std::string& text : result.warnings)
      if (text.find("nominal") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(warned(run(text, {.stop = 5, .tolerance = 1e-6})));
  EXPECT_FALSE(warned(run(text, {.stop = 5, .tolerance = 1e-10})));
}

// Charges, currents and lengths in SI units that start at zero, without nominal values: slopes tell
// how large they will be. Closed forms; they were off by their own size, or by thousands of it.
TEST(HybridNumbers, SmallStatesThatStartAtZero) {
  for (const char* method :
       {"auto", "dop853", "tsit5", "rodas5p", "radau5", "cvode", "ida", "taylor"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const auto run_to = [&](const char* text, double stop) {
        const SimulationResult result =
            run(text, {.stop = stop, .tolerance = tolerance, .method = method});
        EXPECT_EQ(result.outcome, Outcome::done) << method << result.message;
        EXPECT_LT(result.statistics.steps, 1000u) << method << tolerance;
        return result;
      };
      const SimulationResult charge = run_to(R"(
model M
  Real q(start = 0, fixed = true), i;
equation
  i = der(q);
  5 = 1e3*i + q/1e-12;
end M;)",
                                             1e-8);
      const auto q = charge.trajectory.column("q");
      for (std::size_t k = 0; k < q.size(); ++k)
        ASSERT_NEAR(q[k] / 5e-12, 1 - std::exp(-charge.trajectory.times()[k] / 1e-9),
                    300 * tolerance)
            << method << tolerance;
      // A mass of a nanogram on a spring, pushed by a nanonewton.
      const SimulationResult spring = run_to(R"(
model M
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  1e-12*der(v) = 1e-9 - 1e-3*x;
end M;)",
                                             1e-3);
      const auto x = spring.trajectory.column("x");
      for (std::size_t k = 0; k < x.size(); ++k)
        ASSERT_NEAR(x[k] / 1e-6, 1 - std::cos(std::sqrt(1e9) * spring.trajectory.times()[k]),
                    5000 * tolerance)
            << method << tolerance;
    }
  // Of Robertson's reaction the second substance is never more than 3.7e-5.
  for (const char* method : {"auto", "rodas5p", "radau5", "cvode", "ida"}) {
    const SimulationResult result = run(R"(
model M
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  der(c) = 3e7*b^2;
end M;)",
                                        {.stop = 40, .tolerance = 1e-4, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "a"), 0.7158270687193941, 1e-3) << method;
    EXPECT_NEAR(at_end(result, "b") / 9.185534764557338e-6, 1, 1e-2) << method;
  }
  // What has no value where slopes were looked at is not told of.
  const SimulationResult root = run(R"(
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 100*sqrt(1 - 20*x) - 1000*x;
end M;)",
                                    {.stop = 2});
  ASSERT_EQ(root.outcome, Outcome::done);
  EXPECT_TRUE(root.missing_values.empty());
  // Slopes that are rounding say nothing: 0.1 + 0.2 - 0.3 is no force.
  const SimulationResult rest = run(R"(
model M
  parameter Real a = 0.1, b = 0.2, c = 0.3;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 1e6*((x + a + b) - c);
end M;)",
                                    {.stop = 0.01});
  ASSERT_EQ(rest.outcome, Outcome::done);
  EXPECT_LT(rest.statistics.steps, 30u);
}

// A delayed kink is a step's end, and what was is known to the order of the methods. Exact, by
// steps of the delay: the sum of (-1)^k (t - k + 1)^k / k! as long as t > k - 1.
TEST(HybridNumbers, DelaysFollowTheTolerance) {
  const auto exact = [](double t) {
    double sum = 0, factorial = 1;
    for (int k = 0; k == 0 || t > k - 1; ++k) {
      if (k > 0) factorial *= -k;
      sum += std::pow(t - (k - 1), k) / factorial;
    }
    return sum;
  };
  for (const char* method : {"auto", "dop853", "tsit5", "rodas5p", "rodas6p", "radau5", "cvode"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const SimulationResult result = run(R"(
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 1);
end M;)",
                                          {.stop = 8, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const auto x = result.trajectory.column("x");
      for (std::size_t k = 0; k < x.size(); ++k)
        ASSERT_NEAR(x[k], exact(result.trajectory.times()[k]), 200 * tolerance)
            << method << " " << tolerance;
    }
}

// Rosenbrock methods need the derivative of slopes in time, of which what is delayed is a part:
// without it their order is lost, and a thousand steps are taken where twenty would do.
TEST(HybridNumbers, DelaysCostImplicitMethodsNoSteps) {
  for (const char* method : {"rodas5p", "rodas6p"}) {
    const SimulationResult result = run(R"(
model M
  Real y(start = 1, fixed = true);
equation
  der(y) = -delay(y, 1);
end M;)",
                                        {.stop = 3, .tolerance = 1e-8, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    // By steps of the delay: 1 - t, then 1 - t + (t - 1)^2/2, then less (t - 2)^3/6.
    EXPECT_NEAR(at_end(result, "y"), 1 - 3 + 2 - 1 / 6.0, 1e-7) << method;
    EXPECT_LT(result.statistics.steps, 200u) << method;
  }
}

// What a comparison decides just after an event may be what another one compares: that follows.
// Where the second comparison is of constants, no later event would put it right. Exact solutions.
TEST(HybridNumbers, ComparisonsFollowWhatTheMomentAfterAnEventDecides) {
  for (const char* method : {"auto", "rodas5p", "ida", "cvode", "tsit5", "rk4"}) {
    const integrate::SimulateOptions options{.stop = 1.5, .method = method, .step = 0.1};
    const SimulationResult step = run(R"(
model M
  Real u = if time > 0 then 1 else 0;
  Real x(start = 0, fixed = true);
equation
  der(x) = if u > 0.5 then 1 else 0;
end M;)",
                                      options);
    EXPECT_NEAR(at_end(step, "x"), 1.5, 1e-12) << method;
    const SimulationResult saw = run(R"(
model M
  Real s = if time <= 0.5 then 2*time else 0;
  Real q(start = 0, fixed = true);
equation
  der(q) = if s >= 1 then 1 else 0;
end M;)",
                                     options);
    EXPECT_NEAR(at_end(saw, "q"), 0, 1e-12) << method;
    const SimulationResult chain = run(R"(
model M
  Real x(start = 0, fixed = true);
  Real a = if x <= 0 then 0 else 1;
  Real b = if a < 0.75 then 5 else 6;
  Real c = if b > 5.5 then 7 else 8;
equation
  der(x) = 1;
end M;)",
                                       options);
    EXPECT_EQ(at_start(chain, "c"), 7) << method;
    EXPECT_EQ(at_end(chain, "c"), 7) << method;
  }
}

TEST(HybridNumbers, AComparisonThatUndoesItselfHasNoSolution) {
  const SimulationResult result = run(R"(
model M
  Boolean b;
  Real y;
equation
  b = y > 0.5;
  y = if b then 0 else time;
end M;)",
                                      {.stop = 1.5});
  EXPECT_NE(result.outcome, Outcome::done);
  EXPECT_NEAR(result.end_time, 0.5, 1e-6);
  EXPECT_NE(result.message.find("no values of '0.5 < y' agree"), std::string::npos)
      << result.message;
}

TEST(HybridNumbers, AConditionThatConstantsDecideIsNoConditionOfTime) {
  const SimulationResult result = run(R"(
model M
  Real y = 1;
  Real z = if y < 1 then 2 else time;
end M;)",
                                      {.stop = 2});
  EXPECT_EQ(at_end(result, "z"), 2);
  EXPECT_EQ(at_start(result, "z"), 0);
}

// Where time drives nothing but comparisons, steps have no other reason to be short. The exact
// integral of a pulse train.
TEST(HybridNumbers, FastCarriersOfComparisonsAreNotSteppedOver) {
  const double pi = std::acos(-1.0);
  for (const char* method : {"auto", "rodas5p", "radau5", "tsit5"})
    for (const double w : {2000.0, 3000.0, 5000.0}) {
      const SimulationResult result = run(R"(
model M
  parameter Real w = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = if sin(w*time) > 0 then 1 else 0;
end M;)",
                                          {.stop = 1, .method = method, .parameters = {{"w", w}}});
      const double n = std::floor(w / (2 * pi));
      EXPECT_NEAR(at_end(result, "x"), n * pi / w + std::min(1 - n * 2 * pi / w, pi / w), 1e-9)
          << method << " " << w;
    }
}

}  // namespace
}  // namespace alembert
