// SPDX-License-Identifier: Apache-2.0
// Kinks and jumps that make no events: oscillations between two springs, which come back to where
// they began after a period that is known. The error follows the tolerance by every method whose
// steps an estimate of the error decides.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using integrate::Outcome;
using integrate::SimulationResult;

const char* const methods[] = {"auto", "tsit5", "dop853", "rodas5p", "rodas6p", "radau5", "taylor"};
const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
constexpr double pi = std::numbers::pi;

/// Of x'' = -k (x - c) above the edge, from rest at 1, and x'' = -(x - d) below it.
struct TwoSprings {
  double edge, k, c, d;

  double period() const {
    const double above = std::acos((edge - c) / (1 - c)) / std::sqrt(k);
    const double v = std::sqrt(k * ((1 - c) * (1 - c) - (edge - c) * (edge - c)));
    const double below = 2 * (pi - std::atan2(v, edge - d));
    return 2 * above + below;
  }
};

/// `off`: how many times the tolerance it may be off by.
void comes_back(const std::string& force, const TwoSprings& springs, double off) {
  const std::string text =
      "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
      "equation der(x) = v; der(v) = " +
      force + "; end M;";
  for (const char* method : methods)
    for (const double tolerance : tolerances) {
      const SimulationResult result =
          run(text, {.stop = 6 * springs.period(), .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      EXPECT_EQ(result.n_state_events, 0u) << method;
      EXPECT_NEAR(at_end(result, "x"), 1, off * tolerance) << method << " at " << tolerance;
      EXPECT_NEAR(at_end(result, "v"), 0, 4 * off * tolerance) << method << " at " << tolerance;
    }
}

TEST(HiddenKinks, MaxOfAState) {
  comes_back("-x - 15*noEvent(max(x, 0))", {.edge = 0, .k = 16, .c = 0, .d = 0}, 60);
}

TEST(HiddenKinks, AbsOfAState) {
  comes_back("-2.5*x - 1.5*abs(x)", {.edge = 0, .k = 4, .c = 0, .d = 0}, 60);
}

TEST(HiddenKinks, ABranchThatIsSaidToBeContinuous) {
  comes_back("-x - 15*smooth(0, if x > 0.3 then x - 0.3 else 0)",
             {.edge = 0.3, .k = 16, .c = 4.5 / 16, .d = 0}, 200);
}

TEST(HiddenKinks, AJump) {
  comes_back("-x + noEvent(if x > 0.2 then -0.15 else 0.15)",
             {.edge = 0.2, .k = 1, .c = -0.15, .d = 0.15}, 300);
}

// Saturation: the integral of min(max(3 sin t, -1), 1) has a closed form, and passes two kinks in
// each half of a period, one of which steps of high order have missed.
TEST(HiddenKinks, Saturation) {
  const double edge = std::asin(1 / 3.0);
  const double half = 2 * 3 * (1 - std::cos(edge)) + (pi - 2 * edge);  // over half a period
  for (const char* method : methods)
    for (const double tolerance : tolerances) {
      const SimulationResult result =
          run(R"(
model M
  Real s(start = 0, fixed = true), c(start = 3, fixed = true), z(start = 0, fixed = true);
equation
  der(s) = c;
  der(c) = -s;
  der(z) = noEvent(min(max(s, -1), 1));
end M;)",
              {.stop = 9 * pi, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      EXPECT_NEAR(at_end(result, "z"), half, 100 * tolerance) << method << " at " << tolerance;
    }
}

// Nothing happens for a long time, and steps grow; then a ramp begins.
TEST(HiddenKinks, ARampThatBeginsLate) {
  for (const char* method : methods)
    for (const double tolerance : tolerances) {
      const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(max(x - 73.3, 0));
end M;)",
                                          {.stop = 100, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const double y = 0.5 * 26.7 * 26.7;
      EXPECT_NEAR(at_end(result, "y"), y, 2 * tolerance * y) << method << " at " << tolerance;
    }
}

// Steps have grown long when a pulse comes, which none of their stages meets.
TEST(HiddenKinks, APulseBetweenTwoStages) {
  for (const char* method : methods) {
    const SimulationResult result = run(R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(if x > 50 and x < 50.1 then 1 else 0);
end M;)",
                                        {.stop = 100, .method = method});
    ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
    EXPECT_NEAR(at_end(result, "y"), 0.1, 1e-5) << method;
  }
}

// A kink costs few steps: little more than an event at the same place.
TEST(HiddenKinks, CostNoMoreThanEvents) {
  const auto steps = [](const std::string& force) {
    const std::string text =
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
        "equation der(x) = v; der(v) = " +
        force + "; end M;";
    return run(text, {.stop = 30, .tolerance = 1e-8, .method = "dop853"}).statistics.steps;
  };
  EXPECT_LE(steps("-x - 15*noEvent(max(x, 0))"),
            1.5 * double(steps("if x > 0 then -16*x else -x")));
}

// What is shown alone may have kinks: they cost nothing.
TEST(HiddenKinks, OfWhatIsShownAlone) {
  const auto steps = [](const std::string& shown) {
    const std::string text =
        "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), s; "
        "equation der(x) = v; der(v) = -x; s = " +
        shown + "; end M;";
    return run(text, {.stop = 30, .tolerance = 1e-8, .method = "dop853"}).statistics.rhs_calls;
  };
  EXPECT_EQ(steps("abs(x)"), steps("2*x"));
}

// A step that begins a rounding error before a jump, and whose error is too large, is not cut
// there: a step of 1e-16 s would lead nowhere, and show the model in the middle of a leap.
TEST(HiddenKinks, AJumpAtTheStartOfARefusedStep) {
  for (const char* method : {"tsit5", "dop853", "rodas5p"})
    for (const double tolerance : {1e-4, 1e-8}) {
      const SimulationResult result = run(R"(
model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = exp(400*(x - 1));
  der(z) = noEvent(if x > 1.0000000000000002 then 1 else 0);
  assert(noEvent(time <= 0 or time > 1e-12), "a step ends at the jump");
end M;)",
                                          {.stop = 0.5, .tolerance = tolerance, .method = method});
      EXPECT_EQ(result.outcome, Outcome::done) << method << result.message;
      EXPECT_GT(result.statistics.rejected, 0u) << method;
      EXPECT_NEAR(at_end(result, "z"), 0.5, 300 * tolerance) << method;
    }
}

/// Smooth, and a thousand times shorter than the steps before it.
TEST(NarrowPulses, AreNotSteppedOver) {
  const struct {
    const char* slope;
    double area;
  } pulses[] = {{"exp(-u^2)", 0.03 * std::sqrt(pi)},
                {"100*exp(-(100*u)^2)", 0.03 * std::sqrt(pi)},
                {"10^(-u^2)", 0.03 * std::sqrt(pi / std::log(10))},
                {"exp(-abs(u))", 0.06},
                {"noEvent(if u < 0 then exp(u) else exp(-u))", 0.06},
                {"exp(-sqrt(u^2 + 1e-12))", 0.06},
                {"1/(1 + u^2)", 0.03 * (std::atan(30 / 0.03) + std::atan(70 / 0.03))},
                {"0.5*(tanh(u) - tanh(u - 20))", 0.6},
                {"1/(1 + exp(-u)) - 1/(1 + exp(10 - u))", 0.3}};
  for (const auto& pulse : pulses)
    for (const char* method :
         {"auto", "tsit5", "dop853", "rodas5p", "rodas6p", "radau5", "taylor", "cvode", "ida"})
      for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
        // Series of exp(2333) are beyond all numbers, and the run says so.
        if (std::string(method) == "taylor" && std::string(pulse.slope).find("exp(-u)") < 60)
          continue;
        const SimulationResult result = run(
            std::string("model M Real x(start = 0, fixed = true), u, y(start = 0, fixed = true); "
                        "equation der(x) = 1; u = (x - 70)/0.03; der(y) = ") +
                pulse.slope + "; end M;",
            {.stop = 100, .tolerance = tolerance, .method = method});
        ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
        EXPECT_NEAR(at_end(result, "y"), pulse.area, 100 * tolerance)
            << pulse.slope << " by " << method << " at " << tolerance;
      }
}

/// A window that an oscillation passes twenty times, with a corner in its middle.
TEST(NarrowPulses, WindowsWithACorner) {
  const double area = 20 * 1000 * (std::asin(0.301) - std::asin(0.299));
  for (const char* method : {"auto", "tsit5", "dop853", "rodas5p", "radau5", "cvode", "ida"})
    for (const double tolerance : {1e-6, 1e-8}) {
      const SimulationResult result =
          run("model M Real x(start = 0, fixed = true), v(start = 1, fixed = true); "
              "Real y(start = 0, fixed = true); equation der(x) = v; der(v) = -x; "
              "der(y) = noEvent(if abs(x - 0.3) < 0.001 then 1000 else 0); end M;",
              {.stop = 60, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      EXPECT_NEAR(at_end(result, "y"), area, 1e5 * tolerance) << method << " at " << tolerance;
    }
}

/// Twice within a step, beside where the state turns, two times in eight seconds. Second route:
/// Simpson's rule over the exact state.
TEST(NarrowPulses, PassedTwiceWithinAStep) {
  constexpr double place = 0.999, width = 3e-4, stop = 8;
  constexpr int n = 400'000;
  double area = 0;
  for (int i = 0; i <= n; ++i) {
    const double u = (std::sin(stop * i / n) - place) / width;
    area += std::exp(-u * u) * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * stop / n / 3;
  }
  for (const char* method :
       {"auto", "tsit5", "dop853", "rodas5p", "rodas6p", "radau5", "taylor", "cvode", "ida"})
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      const SimulationResult result =
          run("model M Real x(start = 0, fixed = true), v(start = 1, fixed = true); "
              "Real y(start = 0, fixed = true); equation der(x) = v; der(v) = -x; "
              "der(y) = exp(-((x - 0.999)/3e-4)^2); end M;",
              {.stop = stop, .tolerance = tolerance, .method = method});
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      // Methods with a memory control the errors of single steps, of which there are many here.
      const double off =
          std::string(method) == "cvode" || std::string(method) == "ida" ? 3000 : 200;
      EXPECT_NEAR(at_end(result, "y"), area, off * tolerance) << method << " at " << tolerance;
    }
}

}  // namespace
}  // namespace alembert
