// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/builder/model.hpp"

#include <gtest/gtest.h>

#include "alembert/alembert.hpp"
#include "flat/diagnostics_of.hpp"

namespace alembert {
namespace {

std::string equation_text(const FlatSystem& system, std::size_t i) {
  const flat::FlatEquation& equation = system.equations[i];
  return symbolic::to_text(*system.pool, equation.left) + " = " +
         symbolic::to_text(*system.pool, equation.right);
}

/// The error that an action ends with.
template <class Action>
Diagnostic error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.diagnostics().front();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(Model, the_pendulum_in_cartesian_coordinates) {
  Model m("Pendulum");
  auto g = m.parameter("g", 1.0);
  auto x = m.unknown("x", {.start = 1, .fixed = true});
  auto y = m.unknown("y", {.start = 0, .state_priority = 10});
  auto lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  m += x * x + y * y == 1;
  m.start(der(x), 0.0);

  const FlatSystem flat = m.flatten();
  check(flat);
  EXPECT_EQ(flat.name, "Pendulum");
  EXPECT_EQ(equation_text(flat, 0), "der(der(x)) = lambda*x");
  EXPECT_EQ(equation_text(flat, 2), "x^2 + y^2 = 1");
  EXPECT_TRUE(flat.unknowns[0].fixed);
  EXPECT_EQ(flat.unknowns[1].state_priority, 10);
  EXPECT_FALSE(flat.unknowns[2].start.valid());
  ASSERT_EQ(flat.derivative_starts.size(), 1u);
  EXPECT_EQ(flat.derivative_starts[0].symbol, der(x).id());
  EXPECT_FALSE(flat.derivative_starts[0].fixed);
}

TEST(Model, the_pendulum_in_polar_coordinates) {
  Model m("Pendulum");
  auto g = m.parameter("g", 1);
  auto x = m.unknown("x");
  auto y = m.unknown("y");
  auto lambda = m.unknown("λ");
  auto theta = m.unknown("θ", {.start = 0, .fixed = true, .state_priority = 10});
  auto T = m.unknown("T");
  auto V = m.unknown("V");
  auto E = m.unknown("E");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  m += x == cos(theta);
  m += y == sin(theta);
  m += T == (pow(der(x), 2) + pow(der(y), 2)) / 2;
  m += V == y * g;
  m += E == T + V;
  m.start(der(theta), 0, {.fixed = true});

  const FlatSystem flat = m.flatten();
  check(flat);
  EXPECT_EQ(flat.equations.size(), 7u);
  EXPECT_EQ(equation_text(flat, 3), "y = sin(θ)");
  EXPECT_TRUE(flat.derivative_starts[0].fixed);
}

TEST(Model, everything_remembers_its_line) {
  Model m("M");
  const auto first = static_cast<std::uint32_t>(__LINE__);
  auto p = m.parameter("p", 1);
  auto x = m.unknown("x");
  m += der(x) == -p * x;
  m.initial(x == 1);
  m.start(der(x), 0);
  m.observe("E", x * x);
  const FlatSystem flat = m.flatten();
  EXPECT_EQ(flat.origin.span.line, first - 1);
  EXPECT_EQ(flat.parameters[0].origin.span.line, first + 1);
  EXPECT_EQ(flat.unknowns[0].origin.span.line, first + 2);
  EXPECT_EQ(flat.equations[0].origin.span.line, first + 3);
  EXPECT_EQ(flat.initial_equations[0].origin.span.line, first + 4);
  EXPECT_EQ(flat.derivative_starts[0].origin.span.line, first + 5);
  EXPECT_EQ(flat.observed[0].origin.span.line, first + 6);
  EXPECT_TRUE(flat.equations[0].origin.span.file.ends_with("model_test.cpp"));
}

TEST(Model, start_takes_the_place_of_an_earlier_value) {
  Model m("M");
  auto x = m.unknown("x", {.start = 1, .fixed = true});
  m.start(x, 2);
  m.start(der(x), 3);
  m.start(der(x), 4, {.fixed = true});
  const FlatSystem flat = m.flatten();
  EXPECT_EQ(flat.unknowns[0].start, flat.pool->integer(2));
  EXPECT_FALSE(flat.unknowns[0].fixed);
  ASSERT_EQ(flat.derivative_starts.size(), 1u);
  EXPECT_EQ(flat.derivative_starts[0].value, flat.pool->integer(4));
  EXPECT_TRUE(flat.derivative_starts[0].fixed);
}

TEST(Model, F004_a_name_is_given_once) {
  Model m("M");
  m.unknown("x");
  const Diagnostic found = error_of([&] { m.parameter("x", 1); });
  EXPECT_EQ(found.code, "F004");
  EXPECT_EQ(found.text,
            "'x' is declared twice, as an unknown and as a parameter. Give one of them another "
            "name.");
  EXPECT_EQ(found.origin.span.line, found.notes.at(0).origin.span.line + 1);
  EXPECT_EQ(error_of([&] { m.observe("x", 1); }).code, "F004");
  EXPECT_EQ(m.flatten().parameters.size(), 0u);
}

TEST(Model, F004_time_is_taken) {
  Model m("M");
  const Diagnostic found = error_of([&] { m.unknown("time"); });
  EXPECT_EQ(found.code, "F004");
  EXPECT_EQ(found.text,
            "'time' is the time of every model and cannot be the name of an unknown. Choose "
            "another one.");
  EXPECT_TRUE(found.origin.span.known());
}

TEST(Model, N002_names_are_not_empty) {
  Model m("M");
  const Diagnostic found = error_of([&] { m.unknown(""); });
  EXPECT_EQ(found.code, "N002");
  EXPECT_TRUE(found.origin.span.known());
}

TEST(Model, F013_only_unknowns_and_their_derivatives_start_somewhere) {
  Model m("M");
  auto x = m.unknown("x");
  auto p = m.parameter("p", 1);
  const Diagnostic found = error_of([&] { m.start(2 * x, 0); });
  EXPECT_EQ(found.code, "F013");
  EXPECT_EQ(found.text,
            "only unknowns and their derivatives have start values, and '2*x' is neither. Write an "
            "initial equation for it.");
  EXPECT_EQ(error_of([&] { m.start(p, 0); }).code, "F013");
  EXPECT_EQ(error_of([&] { m.start(1, 0); }).code, "F013");
  EXPECT_EQ(error_of([&] { m.start(symbolic::unknown(m.pool(), "stray"), 0); }).code, "F006");
}

TEST(Model, E001_expressions_of_another_model) {
  Model m("M");
  Model other("Other");
  auto x = m.unknown("x");
  auto y = other.unknown("y");
  EXPECT_EQ(error_of([&] { m += y == 1; }).code, "E001");
  EXPECT_EQ(error_of([&] { m += x == y; }).code, "E001");
}

TEST(Model, a_flat_system_outlives_its_model) {
  FlatSystem flat;
  {
    Model m("M");
    auto x = m.unknown("x");
    m += der(x) == -x;
    flat = m.flatten();
    m += x == 1;  // later additions do not reach it
  }
  EXPECT_EQ(findings(flat), Lines{});
  EXPECT_EQ(equation_text(flat, 0), "der(x) = -x");
}

TEST(Model, a_copy_is_a_variant) {
  Model m("M");
  auto k = m.parameter("k", 1);
  auto x = m.unknown("x");
  Model linear = m;
  Model cubic = m;
  linear += der(x) == -k * x;
  cubic += der(x) == -k * x * x * x;
  EXPECT_EQ(findings(linear), Lines{});
  EXPECT_EQ(equation_text(cubic.flatten(), 0), "der(x) = -k*x^3");
}

TEST(Model, N001_a_variant_shares_the_kinds_of_names) {
  Model m("M");
  Model variant = m;
  m.parameter("c", 1);
  const Diagnostic found = error_of([&] { variant.unknown("c"); });
  EXPECT_EQ(found.code, "N001");
  EXPECT_TRUE(found.origin.span.known());
  EXPECT_TRUE(variant.flatten().unknowns.empty());
}

}  // namespace
}  // namespace alembert
