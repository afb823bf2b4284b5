// SPDX-License-Identifier: Apache-2.0
// Stage: result. Expressions of columns: values by a second route (the same arithmetic in C++), and
// what is said about mistakes.
#include "alembert/result/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/base/error.hpp"

namespace alembert::result {
namespace {

Trajectory sample() {
  Trajectory t({"x", "a.b[1,2]", "der(x)", "E", "odd name", "min"});
  for (int i = 0; i < 5; ++i) {
    const double s = 0.5 * i;
    t.append(s, std::vector<double>{s * s - 1, 2 + s, 2 * s, 7 + s, -s, 3});
  }
  return t;
}

void expect_formula(const std::string& text, double (*expected)(double s)) {
  const auto values = evaluate_formula(text, sample(), {{"g", 9.81}});
  ASSERT_EQ(values.size(), 5u) << text;
  for (int i = 0; i < 5; ++i)
    EXPECT_DOUBLE_EQ(values[i], expected(0.5 * i)) << text << " row " << i;
}

TEST(Formula, arithmetic_and_names) {
  expect_formula("x", [](double s) { return s * s - 1; });
  expect_formula("odd name", [](double s) { return -s; });
  expect_formula("2*'odd name'", [](double s) { return -2 * s; });
  expect_formula("a.b[1, 2] - 2*der( x )", [](double s) { return 2 + s - 2 * (2 * s); });
  expect_formula("-x^2", [](double s) { return -std::pow(s * s - 1, 2); });
  expect_formula("2^3^2/-4", [](double) { return std::pow(2, 9) / -4; });
  expect_formula("1 - 2 - 3", [](double) { return -4.; });
  expect_formula("g*time + 1e-3", [](double s) { return 9.81 * s + 1e-3; });
  expect_formula("atan2(x, max(1, time))",
                 [](double s) { return std::atan2(s * s - 1, std::max(1., s)); });
  expect_formula("sqrt((x)*(x))", [](double s) { return std::abs(s * s - 1); });
}

TEST(Formula, values_at_a_time) {
  expect_formula("E - E(0)", [](double s) { return 7 + s - 7; });
  expect_formula("(E + x) - (E + x)(0)", [](double s) { return (7 + s + (s * s - 1)) - 6; });
  expect_formula("E(0.25)", [](double) { return 7.25; });
  expect_formula("min(1)", [](double) { return 3.; });  // a column may have a function's name
}

TEST(Formula, an_event_shows_the_value_after_it) {
  EXPECT_EQ(value_at_time({0, 1, 1, 2}, {0, 1, 5, 6}, 1), 5);
  EXPECT_EQ(value_at_time({0, 1, 1, 2}, {0, 1, 5, 6}, 0.5), 0.5);
  EXPECT_EQ(value_at_time({0, 1}, {3, 4}, -1), 3);
  EXPECT_EQ(value_at_time({0, 1}, {3, 4}, 9), 4);
}

std::string message(const std::string& text) {
  try {
    evaluate_formula(text, sample());
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Formula, mistakes_are_told) {
  EXPECT_NE(message("y").find("R004"), std::string::npos);
  for (const char* text : {"", "x +", "(x", "x)", "x y", "sin(x", "sin(x, x)", "max(x)", "x, x",
                           "'x", "a[1", "der(x", "E(time)", "3 3", "#", "*x", "()"})
    EXPECT_NE(message(text).find("R011"), std::string::npos) << text << ": " << message(text);
}

TEST(Formula, depth_costs_no_stack) {
  const std::string deep = std::string(200'000, '(') + "x" + std::string(200'000, ')');
  EXPECT_DOUBLE_EQ(evaluate_formula(deep, sample())[0], -1);
}

}  // namespace
}  // namespace alembert::result
