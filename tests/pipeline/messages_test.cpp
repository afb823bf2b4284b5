// SPDX-License-Identifier: Apache-2.0
// Messages about models in Modelica text show what their users wrote, and nothing that was made of
// it.
#include <gtest/gtest.h>

#include <string>

#include "alembert/base/error.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

/// What the model M ends with; empty if it runs.
std::string message_of(const std::string& text, const integrate::SimulateOptions& options = {}) {
  try {
    run(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Messages, CallsThatBecameVariablesAreShownAsCalls) {
  expect_says(message_of(R"(
model M
  Integer n;
  Boolean b;
equation
  n = integer(time);
  n = 3;
end M;)"),
              "equation 'n = integer(time)' gives nothing");
}

TEST(Messages, VariablesThatNobodyWroteAreNotCounted) {
  expect_says(message_of(R"(
model M
  Integer k, j;
  Real y(start = 0, fixed = true);
equation
  der(y) = 1;
  when sample(0, 1) then
    j = integer(time) + pre(k);
  end when;
end M;)"),
              "1 equation for 2 variables that change at events only; none gives 'k'");
}

TEST(Messages, WhatAClockKeepsIsPrevious) {
  expect_says(message_of(R"(
model M
  Real x, y;
equation
  when Clock(1, 10) then
    x = previous(x) + 1;
    x = previous(x) + y;
    x = 2;
  end when;
end M;)"),
              "previous(x)");
}

TEST(Messages, MethodsForVelocitiesSpeakOfStates) {
  const std::string message = message_of(R"(
model M
  Real x(start = 1), y, F;
equation
  der(der(x)) = F * x;
  der(der(y)) = F * y - 9.81;
  x^2 + y^2 = 1;
end M;)",
                                         {.stop = 1, .method = "newmark", .step = 0.01});
  expect_says(message, "I010");
  expect_says(message, "states are chosen anew while the model runs");
}

TEST(Messages, ADelayWithoutAValueBeforeTheStartIsNamed) {
  const std::string message = message_of(R"(
model M
  Real y = 1 + delay(y, 1)^2, x(start = 0, fixed = true);
equation
  der(x) = y;
end M;)");
  expect_says(message, "I001");
  expect_says(message, "no such value of 'delay(y, 1)'");
}

constexpr const char* removable = R"(
model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = sin(time - 1)/(time - 1);
end M;)";

TEST(Messages, ARowWithoutAValueIsNamedAndAllRowsBeforeItAreThere) {
  const auto result = run(removable, {.stop = 2, .intervals = 20});
  EXPECT_EQ(result.outcome, integrate::Outcome::stopped);
  EXPECT_NEAR(result.end_time, 1, 1e-12);
  expect_says(result.message, "'y' has no value at time 1, by equation 'y = sin(time - 1)");
  expect_says(result.message, "just before and after");
  // Ten rows at equidistant times, and the last time with values.
  ASSERT_EQ(result.trajectory.n_rows(), 11u);
  EXPECT_NEAR(result.trajectory.times()[9], 0.9, 1e-12);
  EXPECT_EQ(result.trajectory.times().back(), result.end_time);
}

TEST(Messages, RowsThatMissSuchAPointDoNotMatter) {
  const auto result = run(removable, {.stop = 2, .intervals = 21});
  EXPECT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  EXPECT_EQ(result.trajectory.n_rows(), 22u);
}

TEST(Messages, AConstraintThatIsUndeterminedAtOneTimeIsNamed) {
  const auto result = run(R"(
model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), l;
equation
  der(x) = -1;
  der(y) = l;
  x*y = 1 - time;
end M;)",
                          {.stop = 2, .intervals = 20});
  EXPECT_NEAR(result.end_time, 1, 1e-9) << result.message;
  expect_says(result.message,
              "has no value at time 1, by the derivative of equation 'x*y = 1 - time'");
}

TEST(Messages, EveryMethodNamesWhatHasNoValue) {
  for (const char* method : {"auto", "cvode", "ida", "radau5", "rodas5p", "taylor"}) {
    const auto result = run(R"(
model M
  function f
    input Real x;
    output Real y;
  algorithm
    y := if x > 0.5 then sqrt(0.5 - x) else x;
  end f;
  Real x(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(z) = f(x);
end M;)",
                            {.stop = 1, .method = method});
    EXPECT_NEAR(result.end_time, 0.5, 1e-9) << method;
    expect_says(result.message, "'der(z)' has no value at time 0.5, by equation 'der(z) = ");
  }
}

TEST(Messages, TooManyStepsComeWithAdvice) {
  const auto result = run(R"(
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -1e6*x;
end M;)",
                          {.stop = 1, .max_steps = 50});
  EXPECT_EQ(result.outcome, integrate::Outcome::too_many_steps);
  expect_says(result.message, "too many steps: ");
  EXPECT_EQ(result.statistics.steps + result.statistics.rejected, 50u);
  expect_says(result.message, "a larger tolerance");
  EXPECT_EQ(result.message.find("for stiff models"), std::string::npos) << result.message;
}

// What was missing in a step that was then repeated is not why the run ended, long after it.
TEST(Messages, WhatWasMissingBeforeIsNoReason) {
  const auto result = run(R"(
model M
  Real h1(start = 2, fixed = true), h2(start = 0, fixed = true), h3(start = 0.5, fixed = true);
  Real q, p;
equation
  der(h1) = -q;
  der(h2) = q - p;
  der(h3) = p;
  q = if h1 > h2 then sqrt(h1 - h2) else -sqrt(h2 - h1);
  p = if h2 > h3 then sqrt(h2 - h3) else -sqrt(h3 - h2);
end M;)",
                          {.stop = 5, .method = "rodas5p"});
  ASSERT_FALSE(result.missing_values.empty());
  EXPECT_LT(result.missing_values.front().time, 0.5);  // where h2 rises over h3
  if (result.outcome != integrate::Outcome::done)
    EXPECT_EQ(result.message.find(to_string(result.missing_values.front())), std::string::npos)
        << result.message;
}

TEST(Messages, StepsThatAreTooLongAreNoDivisionByZero) {
  const auto result = run(R"(
model M
  Real x(start = 2, fixed = true);
equation
  der(x) = -1e4*(x - cos(time));
end M;)",
                          {.stop = 1, .method = "rk4", .step = 1e-3});
  EXPECT_NE(result.outcome, integrate::Outcome::done);
  expect_says(result.message, "'x' grew beyond all bounds");
  expect_says(result.message, "fixed length that is too long");
}

TEST(Messages, InitialEquationsThatContradictEachOtherAreNamed) {
  const std::string message = message_of(R"(
model M
  Real a, b, c(start = 2);
initial equation
  a + b = 3;
  b + c = 4;
  a - c = 0;
equation
  der(a) = -a;
  der(b) = -b;
  der(c) = -c;
end M;)");
  expect_says(message, "I001");
  expect_says(message, "'a + b = 3'");
  expect_says(message, "'b + c = 4'");
  expect_says(message, "'a - c = 0'");
  expect_says(message, "contradict each other, whatever the start values. Remove one of them");
}

TEST(Messages, ASolutionOutsideOfARangeIsTold) {
  const std::string message = message_of(R"(
model M
  Real x(min = 0, max = 1, start = 0.1), s(start = 0, fixed = true);
equation
  der(s) = 1;
  x^2 + x - 6 = 0*s;
end M;)");
  expect_says(message, "within the ranges of the unknowns");
  expect_says(message, "'x' = 2, which is above its max = 1");
}

TEST(Messages, AHiddenConstraintIsNamedForAVelocityThatContradictsIt) {
  const std::string message = message_of(R"(
model M
  Real x(start = 0.6, fixed = true), y(start = -0.8), l;
  Real vx(start = 1, fixed = true), vy(start = 1, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = l*x;
  der(vy) = l*y - 9.81;
  x^2 + y^2 = 1;
end M;)");
  expect_says(message, "I002");
  expect_says(message, "it is determined by the derivative of equation 'x^2 + y^2 = 1'");
}

/// Conditions of the start with comparisons in them, at the line that they stand in.
TEST(Messages, ConditionsOfTheStartAreShownAsWritten) {
  const std::string contradicting = message_of(R"(
model M
  Real x(start = 1, fixed = true);
  Real y(start = 2, fixed = true);
equation
  der(x) = -x;
  y = if time < 0.5 then x else 2*x;
end M;)");
  expect_says(contradicting, ":3:8: error[I002]: the fixed start x = 1 contradicts the equations");
  expect_says(contradicting, "it is determined by equation 'y = if time < 0.5 then x else 2*x'");

  const std::string without_solution = message_of(R"(
model M
  Real x(start = 1), z;
initial equation
  x = 3;
  z^2 + 1 = (if time < 0.5 then -x else x);
equation
  der(x) = -x;
  der(z) = 1;
end M;)");
  expect_says(without_solution, ":6:3: error[I001]");
  expect_says(without_solution, "'z^2 + 1 = if time < 0.5 then -x else x'");
}

TEST(Messages, ADivisionByAParameterThatIsZeroIsNamed) {
  const std::string message = message_of(R"(
model M
  parameter Real p = 0;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/p;
end M;)");
  expect_says(message, "'der(x)' has no value at the start, by equation 'der(x) = ");
  expect_says(message, "it divides by 'p', which is 0");
}

// Also where the equation is one of parameters alone, or is solved for what has the factor zero.
TEST(Messages, EveryDivisionByZeroAtTheStartIsNamed) {
  const std::string of_parameters = message_of(
      "model M parameter Real p = 0; Real y;\n"
      "equation y = 1/p; end M;");
  expect_says(
      of_parameters,
      "'y' has no value at the start, by equation 'y = 1/p' (model.mo:2:10): it divides by 'p', "
      "which is 0");
  const std::string of_a_state = message_of(R"(
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y*x = sin(x);
end M;)");
  expect_says(of_a_state, "'y' has no value at the start, by equation 'x*y = sin(x)'");
  expect_says(of_a_state, "it divides by 'x', which is 0");
}

TEST(Messages, ALoopOfBooleansIsNoComparison) {
  for (const char* condition : {"x > 0.5", "time > 0.5"}) {
    const auto result =
        run("model M Boolean a, b; Real x(start = 0, fixed = true); equation "
            "der(x) = 1; a = not b; b = a and " +
                std::string(condition) + "; end M;",
            {.stop = 1});
    EXPECT_EQ(result.outcome, integrate::Outcome::event_failed) << condition;
    expect_says(result.message, "'a' and 'b' change again and again at the same time. Use pre()");
  }
}

TEST(Messages, ARoundingErrorIsShownAsZero) {
  expect_says(message_of(R"(
model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), v, w, lam;
equation
  der(x) = v;
  der(y) = w;
  der(v) = lam*x;
  der(w) = lam*y - 9.81;
  x^2 + y^2 = 1;
end M;)"),
              "which give 0 with the other start values");
}

TEST(Messages, StartsHaveTheTypeOfTheirVariable) {
  const auto message = [](const std::string& declaration) {
    return message_of("model M\n  " + declaration + R"(
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    n = pre(n);
  end when;
end M;)");
  };
  expect_says(message("Integer n(start = 2.5, fixed = true);"),
              "the start of 'n' has type Integer, but this is Real");
  expect_says(message("Boolean n(start = 2, fixed = true);"),
              "the start of 'n' has type Boolean, but this is Integer");
  expect_says(message("discrete Real n(start = true, fixed = true);"),
              "the start of 'n' has type Real, but this is Boolean");
  EXPECT_EQ(message("discrete Real n(start = 2, fixed = true);"), "");
}

TEST(Messages, AConditionOfWhenIsNamedByItsPlace) {
  const auto result = run(R"(
model M
  Boolean a(start = false, fixed = true), b(start = false, fixed = true);
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  a = x > 0.3 and not pre(b);
  b = pre(a) and x > 0.3;
  when change(a) then
    n = pre(n) + 1;
  end when;
end M;)",
                          {.stop = 1});
  expect_says(result.message, "a condition of when (");
  EXPECT_EQ(result.message.find("when(0"), std::string::npos) << result.message;
}

TEST(Messages, AWarningTellsWhenItsConditionBeganToFail) {
  const auto result = run(R"(
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.37, "x is large", AssertionLevel.warning);
end M;)",
                          {.stop = 1});
  EXPECT_EQ(result.outcome, integrate::Outcome::done);
  ASSERT_EQ(result.warnings.size(), 1u);
  expect_says(result.warnings.front(), "at time 0.37: x is large");
}

}  // namespace
}  // namespace alembert
