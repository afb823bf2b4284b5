// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "alembert/frontend/modelica/modelica.hpp"
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

/// The capacity is a variable that parameters make zero, by being zero or by a factor 1 - f.
TEST(VanishingTerms, derivatives_with_a_factor_that_is_zero_are_none) {
  const std::string text = R"(
model M
  parameter Real C0 = 0;
  parameter Real f = 1;
  Real c = if v > 0 then C0*exp(v) else C0;
  Real d = (1 - f)*exp(v);
  Real v, i, j;
equation
  i = c*der(v);
  j = d*der(v);
  i + j = time - v;
end M;)";
  EXPECT_NE(flat_text_of(text).find("  i = 0;\n  j = 0;\n"), std::string::npos);
  EXPECT_NE(flat_text_of(text, {"C0=1"}).find("  i = c*der(v);\n  j = 0;\n"), std::string::npos);
  EXPECT_NE(flat_text_of(text, {"f=0"}).find("  i = 0;\n  j = d*der(v);\n"), std::string::npos);
  const flat::FlatSystem system = flat_of(text);
  for (const flat::Parameter& parameter : system.parameters) EXPECT_TRUE(parameter.structural);
}

TEST(VanishingTerms, only_final_parameters_take_other_unknowns_out) {
  const std::string text = flat_text_of(R"(
model M
  parameter Real R = 0;
  parameter Real d = 0;
  final parameter Real r = 2*R;
  Real u, i, w;
equation
  r*i = u - w;
  d*u = w;
  der(u) = i;
end M;)");
  EXPECT_NE(text.find("  0 = u - w;\n  d*u = w;\n"), std::string::npos) << text;
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
  parameter Boolean large = 1 < a;
  parameter Real b = 2*c;
  parameter Real c = a + 1;
  Real x;
equation
  x = if large then b else c;
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

TEST(Declarations, an_index_that_an_initial_algorithm_searches_for_is_known) {
  const std::string text = flat_text_of(R"(
model M
  parameter String names[3] = {"a", "b", "c"};
  parameter String wanted = "b";
  parameter Integer index(fixed = false);
  parameter Integer n(fixed = false);
  Real x[3] = {1, 2, 3}*time;
  Real y = x[index];
  Real z[n];
initial algorithm
  index := -1;
  for i in 1:3 loop
    if names[i] == wanted then
      index := i;
    end if;
  end for;
  n := 2*index - 3;
equation
  z = {time};
end M;)");
  EXPECT_NE(text.find("y = x[2];"), std::string::npos) << text;
  EXPECT_NE(text.find("z[1] = time;"), std::string::npos) << text;
}

constexpr const char* many_entries = R"(
record Data
  Real r = 1;
  Real v[2] = {2, 3};
end Data;
model Cell
  parameter Real c = 1;
  parameter Integer k = 1;
  parameter Data data;
  Real x[k](each start = 0, each fixed = true);
  Real y(start = 7);
equation
  for i in 1:k loop
    der(x[i]) = c*data.r*data.v[2];
  end for;
  der(y) = 1;
end Cell;
model M
  parameter Real a[3] = {1, 2, 3};
  parameter Real m[2, 2] = [1, 2; 3, 4];
  parameter Data data(r = 5);
  constant Real fixed_number[2] = {1, 2};
  Cell cell[2](c = {10, 20});
end M;)";

std::string lines_with(const std::string& text, const std::string& what) {
  std::string lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (line.find(what) != std::string::npos) lines += line + "\n";
  return lines;
}

TEST(Overrides, name_entries_of_arrays) {
  const std::string text =
      flat_text_of(many_entries, {"a[2]=20", "m[2,1]=2*a[1]", "cell[2].c=99", "data.v[1]=8"});
  EXPECT_EQ(
      lines_with(text, " a["),
      "  parameter Real a[1] = 1;\n  parameter Real a[2] = 20;\n  parameter Real a[3] = 3;\n");
  EXPECT_NE(text.find("m[2,1] = 2*a[1];"), std::string::npos) << text;
  EXPECT_NE(text.find("cell[1].c = 10;"), std::string::npos) << text;
  EXPECT_NE(text.find("cell[2].c = 99;"), std::string::npos) << text;
  EXPECT_NE(text.find("data.v[1] = 8;"), std::string::npos) << text;
  EXPECT_NE(text.find("data.v[2] = 3;"), std::string::npos) << text;
}

TEST(Overrides, of_what_the_structure_depends_on_change_the_structure) {
  const std::string text = flat_text_of(many_entries, {"cell[2].k=2", "cell[2].x[2]=5"});
  EXPECT_EQ(lines_with(text, "Real cell[1].x"), "  Real cell[1].x[1](start = 0, fixed = true);\n");
  EXPECT_EQ(lines_with(text, "Real cell[2].x"),
            "  Real cell[2].x[1](start = 0, fixed = true);\n"
            "  Real cell[2].x[2](start = 5, fixed = true);\n");
}

TEST(Overrides, give_start_values_and_whole_records_and_arrays) {
  const std::string text =
      flat_text_of(many_entries, {"cell[1].y=3", "data=Data(r = 6, v = {1, 1})", "a={7, 8, 9}"});
  EXPECT_EQ(lines_with(text, "].y"),
            "  Real cell[1].y(start = 3);\n  Real cell[2].y(start = 7);\n"
            "  der(cell[1].y) = 1;\n  der(cell[2].y) = 1;\n");
  EXPECT_NE(text.find(" data.r = 6;"), std::string::npos) << text;
  EXPECT_NE(text.find("a[3] = 9;"), std::string::npos) << text;
}

std::string refusal(std::vector<std::string> overrides) {
  try {
    flat_of(many_entries, std::move(overrides));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Overrides, that_name_nothing_say_what_there_is) {
  EXPECT_EQ(refusal({"cel[1].c=1"}),
            "error[M332]: the model M has no 'cel[1].c' whose value could be set. Did you mean "
            "'cell'?");
  EXPECT_EQ(refusal({"cell[1].data.q=1"}),
            "error[M332]: the model M has no 'cell[1].data.q' whose value could be set: "
            "'cell.data' has no 'q'. There are 'r' and 'v'.");
  EXPECT_EQ(refusal({"a[4]=1"}), "error[M332]: there is no 'a[4]' to be set: 'a' has size [3].");
  EXPECT_EQ(refusal({"m[1]=1"}),
            "error[M332]: 'm' has 2 dimensions and cannot be set by one number in brackets.");
  EXPECT_EQ(refusal({"cell[3].c=1"}),
            "error[M332]: there is no 'cell[3].c' in the model M to be set: an index may be too "
            "large, or what it belongs to is absent.");
  EXPECT_EQ(refusal({"fixed_number[1]=1"}),
            "error[M332]: 'fixed_number[1]' of the model M is a constant and cannot be set.");
  EXPECT_EQ(refusal({"a[x]=1"}),
            "error[M331]: 'a[x]=1' sets nothing. Write NAME=VALUE, such as body.m=2, a[2]=1 or "
            "cell[3].C=4.");
}

std::string warnings_of(const std::string& text) {
  std::string all;
  for (const Diagnostic& warning : flatten({.text = text, .text_name = "m.mo"}).warnings)
    all += to_string(warning).substr(0, to_string(warning).find('\n')) + "\n";
  return all;
}

TEST(UnitCheck, warns_of_quantities_that_cannot_be_added) {
  EXPECT_EQ(warnings_of(R"(
model M
  Real x(unit = "m"), v(unit = "m/s"), t(unit = "s"), a(unit = "m/s2");
  parameter Real m(unit = "kg") = 1;
  Real F(unit = "N");
equation
  x = v + 2*t;
  der(x) = v;
  F = m*v;
  a = sqrt(v^2)/t;
  der(t) = if x > t then 1 else 2;
end M;)"),
            "m.mo:7:7: error[M340]: units do not fit: 'v' is in 'm/s' and '2*t' in 's', so that "
            "they cannot be added.\n"
            "m.mo:9:3: error[M340]: units do not fit: 'F' is in 'N' and 'm*v' in 'kg.m/s', "
            "so that they cannot be equal.\n");
}

TEST(UnitCheck, names_units_as_they_were_declared_and_tells_once_an_equation) {
  EXPECT_EQ(warnings_of(R"(
model M
  Real v(unit = "V"), i(unit = "A"), x(unit = "m");
  parameter Real R(unit = "Ohm") = 1;
equation
  v = R + i + x;
  R*i = x;
  x = i;
end M;)"),
            "m.mo:6:7: error[M340]: units do not fit: 'R' is in 'Ohm' and 'i' in 'A', so that they "
            "cannot be added.\n"
            "m.mo:7:3: error[M340]: units do not fit: 'R*i' is in 'V' and 'x' in 'm', so that they "
            "cannot be equal.\n"
            "m.mo:8:3: error[M340]: units do not fit: 'x' is in 'm' and 'i' in 'A', so that they "
            "cannot be equal.\n");
}

// Modelica 3.6, 3.5: Reals are compared for equality in functions only.
TEST(RealEquality, is_warned_of_where_a_side_varies) {
  EXPECT_EQ(
      warnings_of(R"(
model M
  function f
    input Real u;
    output Real y = if u == 0 then 1 else 2;
  end f;
  model Part
    Real x = time;
    Boolean b = x <> 2;
  end Part;
  parameter Real p = 1, q = 2;
  parameter Boolean same = p == q;
  Integer n = if time > 1 then 1 else 2;
  discrete Real d;
  Part parts[3];
  Real h = f(time);
equation
  when h == p then
    d = if n == 1 and p <> q then 1 else 2;
  end when;
end M;)"),
      "m.mo:9:17: error[M342]: a Real that varies is hardly ever exactly equal to another "
      "number, and Modelica allows '<>' between Reals in functions only. Write '>' or '<', or "
      "both joined by 'or'.\n"
      "m.mo:18:8: error[M342]: a Real that varies is hardly ever exactly equal to another "
      "number, and Modelica allows '==' between Reals in functions only. Write '>=' or '<=', "
      "which finds the moment when one passes the other.\n");
}

TEST(ConnectorBalance, warns_once_of_a_class_that_is_not) {
  EXPECT_EQ(warnings_of(R"(
model M
  record Turn
    Real T[3, 3];
    function equalityConstraint
      input Turn a, b;
      output Real residue[3];
    algorithm
      residue := {a.T[1, 2] - b.T[1, 2], a.T[1, 3] - b.T[1, 3], a.T[2, 3] - b.T[2, 3]};
    end equalityConstraint;
  end Turn;
  connector Frame Real r[3]; Turn R; flow Real f[3]; flow Real t[3]; end Frame;
  connector Port Real p; flow Real m; stream Real h; input Real u; parameter Real k = 1; end Port;
  connector Pin
    Real v, phase;
    flow Real i;
  end Pin;
  connector Signal = input Real;
  expandable connector Bus Real x; end Bus;
  model A Pin p; Port q; Signal s; end A;
  A a[2], b; Frame frame; Bus bus;
end M;)"),
            "m.mo:14:13: error[M341]: connector 'M.Pin' is unbalanced: it has 2 potentials and 1 "
            "flow. What is connected by it lacks equations or has too many. Give each potential a "
            "flow, or make it an input, an output or a parameter.\n");
}

TEST(UnitCheck, leaves_alone_what_may_be_meant) {
  EXPECT_EQ(warnings_of(R"(
model M
  Real x(unit = "m"), v(unit = "m/s"), F(unit = "N"), T(unit = "K"), q, w(unit = "rad/s");
  parameter Real k = 3, m(unit = "kg") = 1, I(unit = "kg.m2") = 2;
  Real E(unit = "J");
equation
  v = der(x) + 0.1;
  F = -9.81*m;
  F = k*x + m*der(v);
  q = x + k*v;
  E = 0.5*m*v^2 + 1/2*I*w^2 + noEvent(abs(F*x));
  T = 20 + 273.15;
end M;)"),
            "");
}

TEST(Declarations, what_is_fixed_without_a_start_begins_near_zero) {
  const flat::FlatSystem system = flat_of(R"(
model M
  Real x(fixed = true);
  Real y(fixed = true, min = 2);
equation
  der(x) = 1;
  der(y) = 1;
end M;)");
  const auto start = [&](std::size_t i) {
    return system.pool->number_of(system.unknowns[i].start).value();
  };
  EXPECT_EQ(start(0), 0);
  EXPECT_EQ(start(1), 2);
}

TEST(Declarations, initial_equations_that_repeat_a_parameter_are_assertions) {
  const flat::FlatSystem system = flat_of(R"(
model M
  parameter Real k = 2;
  parameter Real p(fixed = false);
  parameter Real q = 4;
  Real x(start = 0, fixed = true);
initial equation
  p = 2*k;
  q = p;
equation
  der(x) = p;
end M;)");
  EXPECT_TRUE(system.initial_equations.empty());
  ASSERT_EQ(system.assertions.size(), 1u);
  EXPECT_NE(system.assertions[0].message.find("another value"), std::string::npos);
}

TEST(Declarations, a_start_tells_a_size) {
  const std::string text = flat_text_of(R"(
model M
  Real x[:](each fixed = true, start = {1, 2});
equation
  der(x) = -x;
end M;)");
  EXPECT_NE(text.find("Real x[2](start = 2, fixed = true);"), std::string::npos) << text;
}

TEST(Declarations, a_fixed_start_that_nobody_gives_keeps_its_fraction) {
  const std::string text = flat_text_of(R"(
model M
  Real x(min = 0.5, fixed = true);
equation
  der(x) = -x;
end M;)");
  EXPECT_NE(text.find("start = 0.5"), std::string::npos) << text;
}

}  // namespace
}  // namespace alembert::modelica
