// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/to_text.hpp"

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

TEST(FlatText, of_an_empty_model) {
  EXPECT_EQ(flat::to_text(Model("Nothing").flatten()), "model Nothing\nequation\nend Nothing;\n");
}

}  // namespace
}  // namespace alembert
