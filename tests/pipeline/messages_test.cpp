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

}  // namespace
}  // namespace alembert
