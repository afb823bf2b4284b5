// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "flatten_helpers.hpp"

namespace alembert::modelica {
namespace {

TEST(Declarations, keep_their_attributes) {
  EXPECT_EQ(flat_text_of(R"(
type Length = Real(unit = "m", min = 0);
model M
  parameter Real a = 2 "first";
  Length x(start = a, fixed = true, nominal = 10) "way";
  Real v(max = 5, stateSelect = StateSelect.prefer);
equation
  der(x) = v;
  v = a;
end M;)"),
            R"(  parameter Real a = 2 "first";
  Real x(start = a, fixed = true, min = 0, nominal = 10, unit = "m") "way";
  Real v(max = 5);  // state priority 1
equation
  der(x) = v;
  v = a;
)");
}

TEST(Declarations, parameters_follow_each_other_and_what_is_constant_is_folded) {
  EXPECT_EQ(flat_text_of(R"(
model M
  constant Real c = 3;
  parameter Real a = 2*c;
  parameter Real b = a + 1;
  parameter Integer n = 4;
  parameter Boolean on = true;
  Real x = b*c + n;
end M;)"),
            R"(  parameter Real c = 3;
  parameter Real a = 6;
  parameter Real b = a + 1;
  parameter Integer n = 4;
  parameter Boolean on = true;
  Real x;
equation
  x = 3*b + 4;
)");
}

TEST(Declarations, arrays_have_an_entry_a_scalar) {
  EXPECT_EQ(flat_text_of(R"(
model M
  parameter Real p[2] = {5, 6};
  Real x[2](start = {1, 2}, each fixed = true);
  Real m[1, 2] = [x[1], x[2]];
equation
  der(x) = p;
end M;)"),
            R"(  parameter Real p[1] = 5;
  parameter Real p[2] = 6;
  Real x[1](start = 1, fixed = true);
  Real x[2](start = 2, fixed = true);
  Real m[1,1];
  Real m[1,2];
equation
  m[1,1] = x[1];
  m[1,2] = x[2];
  der(x[1]) = p[1];
  der(x[2]) = p[2];
)");
}

TEST(Declarations, a_type_may_inherit_its_dimensions) {
  EXPECT_EQ(flat_of(R"(
type Matrix = Real[2, 3];
type Turned
  extends Matrix;
end Turned;
model M
  Turned t[4] = fill(time, 4, 2, 3);
end M;)")
                .unknowns.size(),
            24u);
}

TEST(Declarations, discrete_types_are_discrete) {
  const flat::FlatSystem system = flat_of(R"(
type Colour = enumeration(red, green);
model M
  Boolean b(start = true) = time > 1;
  Integer i = if b then 2 else 3;
  Colour c = if b then Colour.red else Colour.green;
end M;)");
  ASSERT_EQ(system.discrete_variables.size(), 3u);
  EXPECT_EQ(system.discrete_variables[0].type, flat::ValueType::boolean);
  EXPECT_EQ(system.discrete_variables[1].type, flat::ValueType::integer);
  EXPECT_EQ(system.discrete_variables[2].type, flat::ValueType::integer);
  EXPECT_EQ(system.discrete_equations.size(), 3u);
  EXPECT_TRUE(system.unknowns.empty());
}

TEST(Declarations, a_free_input_of_the_model_is_a_parameter) {
  EXPECT_EQ(flat_text_of(R"(
model M
  input Real u(start = 3);
  Real x = 2*u;
end M;)"),
            R"(  parameter Real u = 3;
  Real x;
equation
  x = 2*u;
)");
}

TEST(Declarations, parameters_that_are_not_fixed_are_solved_for) {
  const flat::FlatSystem system = flat_of(R"(
model M
  parameter Real p(fixed = false, start = 2);
  Real x(start = 1, fixed = true);
initial equation
  der(x) = 1;
equation
  der(x) = p*x;
end M;)");
  ASSERT_EQ(system.parameters.size(), 1u);
  EXPECT_TRUE(system.parameters[0].solved_for);
  EXPECT_EQ(system.initial_equations.size(), 1u);
}

TEST(Declarations, parameters_given_by_initial_equations_need_no_solver) {
  EXPECT_EQ(flat_text_of(R"(
model M
  parameter Real a = 2;
  parameter Boolean large(fixed = false);
  parameter Real b(fixed = false), c(fixed = false);
  Real x = if large then b else c;
initial equation
  b = 2*c;
  c = a + 1;
initial algorithm
  large := a > 1;
end M;)"),
            R"(  parameter Real a = 2;
  parameter Boolean large = if 1 < a then 1 else 0;
  parameter Real b = 2*c;
  parameter Real c = a + 1;
  Real x;
equation
  x = if 0 <> large then b else c;
)");
}

TEST(Declarations, records_are_their_fields) {
  EXPECT_EQ(flat_text_of(R"(
record Point
  Real x, y;
end Point;
model M
  parameter Point p = Point(1, 2);
  Point q(x = time, y = p.y);
end M;)"),
            R"(  parameter Real p.x = 1;
  parameter Real p.y = 2;
  Real q.x;
  Real q.y;
equation
  q.x = time;
  q.y = p.y;
)");
}

TEST(Declarations, the_command_line_modifies_from_outside) {
  const char* text = R"(
model Part
  parameter Real k = 1;
  Real x(start = 0);
equation
  der(x) = k;
end Part;
model M
  Part part;
end M;)";
  EXPECT_EQ(flat_text_of(text, {"part.k=7", "part.x=0.5"}),
            R"(  parameter Real part.k = 7;
  Real part.x(start = 0.5);
equation
  der(part.x) = part.k;
)");
}

TEST(Declarations, the_experiment_is_taken_over) {
  const flat::FlatSystem system = flat_of(R"(
model M
  Real x = time;
  annotation(experiment(StartTime = 1, StopTime = 2.5, Tolerance = 1e-4, Interval = 0.1));
end M;)");
  EXPECT_EQ(system.experiment.start, 1.0);
  EXPECT_EQ(system.experiment.stop, 2.5);
  EXPECT_EQ(system.experiment.tolerance, 1e-4);
  EXPECT_EQ(system.experiment.interval, 0.1);
}

TEST(Declarations, a_path_through_an_inner_outer_component_stays_inside) {
  const std::string text = flat_text_of(R"(
model Root
  Real level;
end Root;
model Probe
  outer Root root;
end Probe;
model Part
  inner outer Root root(level = 2);
  Probe probe;
  Real inside = probe.root.level;
  Real outside = root.level;
end Part;
model M
  inner Root root(level = 1);
  Part part;
end M;)");
  EXPECT_NE(text.find("part.inside = part.root.level;"), std::string::npos) << text;
  EXPECT_NE(text.find("part.outside = root.level;"), std::string::npos) << text;
}

}  // namespace
}  // namespace alembert::modelica
