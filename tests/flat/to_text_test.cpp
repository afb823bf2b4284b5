// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/to_text.hpp"
#include "alembert/flat/short_text.hpp"

#include <gtest/gtest.h>

#include "alembert/alembert.hpp"

namespace alembert {
namespace {

TEST(FlatText, shows_everything_a_system_holds) {
  Model m("Pendulum");
  auto g = m.parameter("g", 9.81, {.unit = "m/s2", .description = "gravity"});
  auto length = m.parameter("length");
  auto x = m.unknown("x", {.start = length, .fixed = true, .unit = "m"});
  auto y = m.unknown("y", {.start = 0, .min = -2, .max = 2, .nominal = 0.5, .state_priority = 10});
  auto lambda = m.unknown("lambda", {.description = "tension \"per\" length"});
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  m += x * x + y * y == length * length;
  m.start(der(x), 0, {.fixed = true});
  m.start(der(y), 0.5);
  m.initial(lambda == 0);
  m.observe("V", g * y, {.unit = "J/kg"});
  EXPECT_EQ(flat::to_text(m.flatten()),
            R"(model Pendulum
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real length;
  Real x(start = length, fixed = true, unit = "m");
  Real y(start = 0, min = -2, max = 2, nominal = 0.5);  // state priority 10
  Real lambda "tension \"per\" length";
  output Real V(unit = "J/kg") = g*y;
initial equation
  der(x) = 0;
  // guess: der(y) = 0.5;
  lambda = 0;
equation
  der(der(x)) = lambda*x;
  der(der(y)) = lambda*y - g;
  x^2 + y^2 = length^2;
end Pendulum;
)");
}

TEST(FlatText, quotes_names_that_modelica_does_not_know) {
  Model m("Two words");
  auto theta = m.unknown("θ");
  m += der(theta) == 1;
  m.observe("total energy", theta);
  EXPECT_EQ(flat::to_text(m.flatten()),
            "model 'Two words'\n  Real 'θ';\n  output Real 'total energy' = 'θ';\nequation\n"
            "  der('θ') = 1;\nend 'Two words';\n");
}

TEST(FlatText, shows_what_happens_at_events) {
  Model m("Ball");
  auto h = m.unknown("h", {.start = 1});
  m += der(h) == -1;
  flat::FlatSystem system = m.flatten();
  symbolic::ExprPool& pool = *system.pool;
  const auto n = pool.discrete("n");
  const auto tick = pool.discrete("tick");
  const auto late = pool.discrete("late");
  const auto height = system.unknowns[0].symbol;
  const auto down = pool.apply(symbolic::Op::less, height, pool.integer(0));
  system.discrete_variables.push_back(
      {.symbol = n, .start = pool.integer(3), .fixed = true, .type = flat::ValueType::integer});
  system.discrete_equations.push_back(
      {.left = n, .right = pool.add(pool.previous_symbol(n), tick)});
  system.samples.push_back({.symbol = tick, .start = pool.integer(0), .interval = pool.real(0.5)});
  system.delays.push_back({.symbol = late, .value = height, .delay = pool.integer(1)});
  system.reinits.push_back({.condition = down, .unknown = height, .value = pool.integer(1)});
  system.assertions.push_back({.condition = down, .message = "up", .is_warning = true});
  system.terminations.push_back({.condition = down, .message = "done"});
  system.experiment = {.stop = 2.0, .tolerance = 1e-4};
  EXPECT_EQ(flat::to_text(system), R"(model Ball
  Real h(start = 1);
  discrete Integer n(start = 3, fixed = true);
equation
  der(h) = -1;
  n = pre(n) + tick;
  tick = sample(0, 0.5);
  late = delay(h, 1);
  when h < 0 then reinit(h, 1); end when;
  assert(h < 0, "up", AssertionLevel.warning);
  when h < 0 then terminate("done"); end when;
  annotation(experiment(StopTime = 2, Tolerance = 0.0001));
end Ball;
)");
}

TEST(FlatText, booleans_are_conditions) {
  Model m("Switch");
  auto x = m.unknown("x", {.start = 0});
  m += der(x) == 1;
  flat::FlatSystem system = m.flatten();
  symbolic::ExprPool& pool = *system.pool;
  const auto on = pool.discrete("on");
  const auto is_on = pool.apply(symbolic::Op::not_equal, on, pool.integer(0));
  const auto above = pool.apply(symbolic::Op::less, pool.integer(1), system.unknowns[0].symbol);
  system.discrete_variables.push_back(
      {.symbol = on, .start = pool.integer(1), .type = flat::ValueType::boolean});
  system.discrete_equations.push_back(
      {.left = on, .right = pool.if_then_else(above, pool.integer(1), pool.integer(0))});
  system.terminations.push_back({.condition = is_on, .message = "done"});
  const std::string text = flat::to_text(system);
  EXPECT_NE(text.find("discrete Boolean on(start = true);"), std::string::npos) << text;
  EXPECT_NE(text.find("  on = 1 < x;"), std::string::npos) << text;
  EXPECT_NE(text.find("when on then terminate"), std::string::npos) << text;
  EXPECT_EQ(flat::short_text(system, is_on), "on");
  const flat::DiscreteEquation& equation = system.discrete_equations.front();
  EXPECT_EQ(flat::short_text(system, equation.left, equation.right), "on = 1 < x");
}

TEST(FlatText, of_an_empty_model) {
  EXPECT_EQ(flat::to_text(Model("Nothing").flatten()), "model Nothing\nequation\nend Nothing;\n");
}

TEST(FlatText, what_doubles_with_every_level_is_cut_off) {
  Model m("Doubling");
  auto x = m.unknown("x");
  Expr y = x;
  for (int level = 0; level < 60; ++level) y = sin(y) * cos(y) + level;
  m += y == 1;
  const std::string text = flat::to_text(m.flatten());
  EXPECT_NE(text.find("/* cut off: "), std::string::npos);
  EXPECT_LT(text.size(), 1000U);
}

}  // namespace
}  // namespace alembert
