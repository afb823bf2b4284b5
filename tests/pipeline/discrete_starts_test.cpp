// SPDX-License-Identifier: Apache-2.0
// What initial equations say about variables that change at events only: they are solved together
// with everything else. Exact solutions throughout.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "alembert/base/error.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

constexpr double close = 1e-11;

std::string message_of(const std::string& text) {
  try {
    run(text, {.stop = 1});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// With d = 2 pre(d) at 0.5.
std::string model(const std::string& declarations, const std::string& initial,
                  const std::string& equations) {
  return "model M discrete Real d(start = 5); " + declarations + " initial equation " + initial +
         " equation " + equations + " when time > 0.5 then d = 2*pre(d); end when; end M;";
}

TEST(DiscreteStarts, FollowTheSolutionOfInitialEquations) {
  const auto result = run(model("Real x(start = 0);", "d = x + 1; x^3 + x = 10;", "der(x) = -x;"),
                          {.stop = 1, .tolerance = 1e-9});
  EXPECT_NEAR(at_start(result, "x"), 2, close);
  EXPECT_NEAR(at_start(result, "d"), 3, close);
  EXPECT_NEAR(at_end(result, "d"), 6, close);
  EXPECT_NEAR(at_end(result, "x"), 2 * std::exp(-1.0), 1e-8);
}

TEST(DiscreteStarts, FollowAnAlgebraicUnknown) {
  const auto result = run(model("Real x(start = 0, fixed = true), y(start = 1);", "d = y + 1;",
                                "der(x) = 1; y^2 + 0.1*y = 9.3 + x;"),
                          {.stop = 1});
  EXPECT_NEAR(at_start(result, "d"), 4, close);
}

TEST(DiscreteStarts, FollowADerivative) {
  const auto result = run(
      model("Real x(start = 0);", "d = der(x) + 5; x^3 + x = 10;", "der(x) = -x;"), {.stop = 1});
  EXPECT_NEAR(at_start(result, "d"), 3, close);
}

TEST(DiscreteStarts, FollowParametersThatAreSolvedFor) {
  const std::string declarations =
      "parameter Real L(fixed = false, start = 1); parameter Real K = 2*L; "
      "Real x(start = 0, fixed = true);";
  for (const char* given : {"d = K + 1;", "pre(d) = K + 1;", "K + 1 = d;", "2*d = 2*K + 2;"}) {
    const auto result =
        run(model(declarations, given + std::string(" L*(L - 1) = 6;"), "der(x) = d;"),
            {.stop = 1, .tolerance = 1e-9});
    EXPECT_NEAR(at_start(result, "d"), 7, close) << given;
    EXPECT_NEAR(at_end(result, "x"), 0.5 * 7 + 0.5 * 14, 1e-8) << given;
  }
}

// L (d - L) = 4 with d = L + 1: by turns there is nothing to be found, since L (2 - L) = 4 has no
// solution.
TEST(DiscreteStarts, DetermineWhatDeterminesThem) {
  const auto result = run(model("parameter Real L(fixed = false, start = 1); Real x(start = 0, "
                                "fixed = true);",
                                "d = L + 1; der(x) = 12;", "der(x) = L*(d - L)*3;"),
                          {.stop = 0.25, .tolerance = 1e-9});
  EXPECT_NEAR(at_start(result, "d"), 5, close);
  EXPECT_NEAR(at_end(result, "x"), 3, 1e-8);
}

TEST(DiscreteStarts, AFixedOneDeterminesOthers) {
  const auto result = run(
      "model M discrete Real d(start = 5, fixed = true); Real x; Integer n(start = 3, fixed = "
      "true); Real y; initial equation d = x + 1; y = n; equation der(x) = -x; der(y) = 0; when "
      "time > 0.5 then d = 2*pre(d); n = pre(n) + 1; end when; end M;",
      {.stop = 1});
  EXPECT_NEAR(at_start(result, "x"), 4, close);
  EXPECT_EQ(at_start(result, "d"), 5);
  EXPECT_NEAR(at_start(result, "y"), 3, close);
  EXPECT_EQ(at_end(result, "n"), 4);
}

TEST(DiscreteStarts, WholeNumbersAndTruthValues) {
  const auto result = run(
      "model M Integer n(start = 0); Boolean b(start = false); Real x(start = 0); initial equation "
      "n = integer(x + 0.5); pre(b) = n > 1; x^3 + x = 10; equation der(x) = -x; when time > 0.5 "
      "then n = 2*pre(n); b = not pre(b); end when; end M;",
      {.stop = 1});
  EXPECT_EQ(at_start(result, "n"), 2);
  EXPECT_EQ(at_start(result, "b"), 1);
  EXPECT_EQ(at_end(result, "n"), 4);
}

TEST(DiscreteStarts, NeverInconsistent) {
  // x = 1 wants n = 0, and x = 0 wants n = 1.
  EXPECT_NE(message_of("model M Integer n(start = 0); Real x; initial equation n = if x > 0.5 then "
                       "0 else 1; equation x = n; when time > 0.5 then n = pre(n) + 1; end when; "
                       "end M;")
                .find("no consistent start"),
            std::string::npos);
  EXPECT_NE(message_of("model M Integer n(start = 0); initial equation n = 3; equation when "
                       "initial() then n = 4; end when; end M;")
                .find("does not hold with what else determines the start: its sides are 4 and 3"),
            std::string::npos);
}

// Modelica 3.6, 8.6: a reinit that is active at the start is an initial equation there.
TEST(DiscreteStarts, AReinitAtTheStart) {
  const auto once =
      run("model M Real x(start = 1); equation der(x) = -x; when initial() then reinit(x, 5); end "
          "when; end M;",
          {.stop = 1, .tolerance = 1e-10});
  EXPECT_EQ(at_start(once, "x"), 5);
  EXPECT_NEAR(at_end(once, "x"), 5 * std::exp(-1.0), 1e-8);
  const auto twice =
      run("model M Real x(start = 1); equation der(x) = -x; when {initial(), time > 0.5} then "
          "reinit(x, 5); end when; end M;",
          {.stop = 1, .tolerance = 1e-10});
  EXPECT_NEAR(at_end(twice, "x"), 5 * std::exp(-0.5), 1e-8);
  EXPECT_NE(message_of("model M Real x(start = 1, fixed = true); equation der(x) = -x; when "
                       "initial() then reinit(x, 5); end when; end M;")
                .find("contradicts"),
            std::string::npos);
}

TEST(DiscreteStarts, AReinitAtTheStartUnderAConditionIsRefused) {
  EXPECT_NE(message_of("model M Real x(start = 1); equation der(x) = -x; when initial() then if x "
                       "> 2 then reinit(x, 5); end if; end when; end M;")
                .find("cannot depend on another condition"),
            std::string::npos);
}

}  // namespace
}  // namespace alembert
