// SPDX-License-Identifier: Apache-2.0
// The wording of what is said about mistakes: code, place, names, and what to try.
#include <gtest/gtest.h>

#include "flatten_helpers.hpp"

namespace alembert::modelica {
namespace {

/// The first line of what is said, without the excerpt of the text.
std::string first_line(const std::string& text) {
  const std::string said = mistakes_in(text);
  return said.substr(0, said.find('\n'));
}

TEST(Messages, every_unknown_name_is_told) {
  const std::string said = mistakes_in(R"(
model M
  Real x, y;
equation
  der(x) = -alpha*x + beta*y;
  gamma = y + delta;
end M;)");
  for (const char* line : {"m.mo:5:13: error[M101]: there is no 'alpha' here.",
                           "m.mo:5:23: error[M101]: there is no 'beta' here.",
                           "m.mo:6:3: error[M101]: there is no 'gamma' here.",
                           "m.mo:6:15: error[M101]: there is no 'delta' here."})
    EXPECT_NE(said.find(line), std::string::npos) << line << "\n" << said;
}

TEST(Messages, connect_of_different_connectors) {
  EXPECT_EQ(first_line(R"(
connector A
  Real x;
  flow Real f;
end A;
connector B
  Real y;
  flow Real f;
end B;
model M
  A a;
  B b;
equation
  connect(a, b);
end M;)"),
            "m.mo:14:3: error[M303]: 'a' and 'b' cannot be connected: A has 'x', B has not.");
}

TEST(Messages, connect_of_different_types) {
  EXPECT_EQ(first_line(R"(
connector In = input Real;
connector Switch = input Boolean;
model M
  In a;
  Switch b;
equation
  connect(a, b);
end M;)"),
            "m.mo:8:3: error[M303]: 'a' and 'b' cannot be connected: the first is In, the second "
            "Switch.");
}

TEST(Messages, connect_of_flow_and_potential) {
  EXPECT_EQ(first_line(R"(
connector A
  Real x;
  flow Real f;
end A;
connector B
  Real f;
  flow Real x;
end B;
model M
  A a;
  B b;
equation
  connect(a, b);
end M;)"),
            "m.mo:14:3: error[M303]: 'a.x' and 'b.x' cannot be connected: the first is no flow, "
            "the second a flow.");
}

TEST(Messages, connect_of_arrays_of_different_size) {
  EXPECT_EQ(first_line(R"(
connector In = input Real;
model M
  In a[2];
  In b[3];
equation
  connect(a, b);
end M;)"),
            "m.mo:7:3: error[M303]: connect of arrays of different size: 'a' has size [2] and 'b' "
            "has size [3].");
}

TEST(Messages, connect_within_when) {
  EXPECT_EQ(
      first_line(R"(
connector In = input Real;
model M
  In a, b;
equation
  when time > 1 then
    connect(a, b);
  end when;
end M;)"),
      "m.mo:6:3: error[M305]: connect cannot stand in a when-equation: what is connected does "
      "not change during a run. Move it out.");
}

TEST(Messages, sides_of_different_size) {
  EXPECT_EQ(first_line(R"(
model M
  Real x[3];
equation
  x = {1, 2};
end M;)"),
            "m.mo:5:3: error[M311]: the two sides of this equation do not fit together: Real[3] on "
            "the left, Integer[2] on the right.");
}

TEST(Messages, a_boolean_equal_to_a_number) {
  EXPECT_EQ(first_line(R"(
model M
  Boolean b;
equation
  b = 1;
end M;)"),
            "m.mo:5:3: error[M311]: the two sides of this equation do not fit together: Boolean on "
            "the left, Integer on the right.");
}

TEST(Messages, too_many_results) {
  EXPECT_EQ(first_line(R"(
function f
  input Real u;
  output Real y;
algorithm
  y := u;
end f;
model M
  Real a, b;
equation
  (a, b) = f(1);
end M;)"),
            "m.mo:11:3: error[M312]: 2 values are wanted on the left, but the right side gives 1.");
}

TEST(Messages, an_if_without_else) {
  EXPECT_EQ(first_line(R"(
model M
  Real x;
equation
  if time > 1 then
    x = 1;
  end if;
end M;)"),
            "m.mo:5:3: error[M314]: the branches of this if-equation have different numbers of "
            "scalar equations: 1 and 0. Its condition changes during a run, so write an else with "
            "as many.");
}

TEST(Messages, a_condition_that_is_a_number) {
  EXPECT_EQ(first_line(R"(
model M
  Real x;
equation
  if time then
    x = 1;
  else
    x = 2;
  end if;
end M;)"),
            "m.mo:5:6: error[M313]: a condition must be Boolean, and this is Real.");
}

TEST(Messages, nested_when) {
  EXPECT_EQ(first_line(R"(
model M
  Integer n;
equation
  when time > 1 then
    when time > 2 then
      n = 1;
    end when;
  end when;
end M;)"),
            "m.mo:6:5: error[M318]: when-equations cannot be nested. Join the conditions with "
            "'and', or use elsewhen.");
}

TEST(Messages, a_when_that_does_not_say_what_it_changes) {
  EXPECT_EQ(first_line(R"(
model M
  Real x, y;
equation
  when time > 1 then
    x + y = 1;
  end when;
end M;)"),
            "m.mo:6:5: error[M319]: an equation in a when-equation must have the form 'variable = "
            "expression', so that it is clear which variable it changes.");
}

// The new value would have to be larger than itself: a forgotten pre.
TEST(Messages, a_when_that_computes_a_value_from_itself) {
  const auto counting = [](const std::string& equation) {
    return first_line(
        "model M\n  Integer n(start = 0), m[2];\n  discrete Real r;\nequation\n"
        "  when time > 1 then\n    " +
        equation + ";\n  end when;\nend M;");
  };
  EXPECT_EQ(counting("n = n + 1"),
            "m.mo:6:5: error[M319]: this equation computes the new value of 'n' from that new "
            "value itself. With the value before the event, write 'n = pre(n) + 1'.");
  EXPECT_EQ(counting("r = if pre(n) > 2 then r*r else pre(r)"),
            "m.mo:6:5: error[M319]: this equation computes the new value of 'r' from that new "
            "value itself. With the value before the event, write 'r = if pre(n) > 2 then "
            "pre(r)*pre(r) else pre(r)'.");
  EXPECT_EQ(counting("m = {m[2], m[2]}"),
            "m.mo:6:5: error[M319]: this equation computes the new value of 'm[2]' from that new "
            "value itself. The value before the event is pre(m[2]).");
  EXPECT_EQ(mistakes_in("model M\n  Integer n(start = 0), k(start = 0);\nequation\n"
                        "  when time > 1 then\n    n = pre(n) + k;\n    k = pre(k) + pre(n);\n"
                        "  end when;\nend M;"),
            "");
}

TEST(Messages, reinit_outside_of_when) {
  EXPECT_EQ(first_line(R"(
model M
  Real x;
equation
  der(x) = 1;
  reinit(x, 0);
end M;)"),
            "m.mo:6:3: error[M317]: reinit changes a state at an event, so it must stand in a "
            "when-equation. Write 'when condition then reinit(...); end when'.");
}

TEST(Messages, a_sample_that_varies) {
  EXPECT_EQ(first_line(R"(
model M
  Real x = time;
  Integer n(start = 0);
equation
  when sample(0, x) then
    n = pre(n) + 1;
  end when;
end M;)"),
            "m.mo:6:8: error[M310]: the interval of sample must not change during a run, but it "
            "depends on 'x'. Use numbers and parameters.");
}

TEST(Messages, a_loop_without_a_range) {
  EXPECT_EQ(first_line(R"(
model M
  Real x;
equation
  for i loop
    x = 1;
  end for;
end M;)"),
            "m.mo:5:7: error[M309]: the range of 'i' cannot be told: it is not used as a subscript "
            "of an array. Write 'for i in 1:n'.");
}

TEST(Messages, an_assertion_that_cannot_hold) {
  EXPECT_EQ(first_line(R"(
model Part
  constant Integer n = 2;
equation
  assert(n > 2, "too few");
end Part;
model M
  Part part;
end M;)"),
            "m.mo:5:3: error[M316]: in 'part': too few");
}

TEST(Messages, a_stream_without_a_flow) {
  EXPECT_EQ(first_line(R"(
connector Port
  Real p;
  stream Real h;
end Port;
model M
  Port port;
  Real x = inStream(port.h);
end M;)"),
            "m.mo:4:15: error[M308]: the stream variable 'port.h' stands in a connector without a "
            "flow variable. Declare one, such as 'flow Real m_flow'.");
}

TEST(Messages, in_stream_of_something_else) {
  EXPECT_EQ(first_line(R"(
model M
  Real y = time;
  Real x = inStream(y);
end M;)"),
            "m.mo:4:12: error[M308]: inStream and actualStream want a stream variable of a "
            "connector, and 'y' is none.");
}

TEST(Messages, several_are_reported_together) {
  const std::string said = mistakes_in(R"(
model Part
  Real x;
equation
  x = {1};
end Part;
model M
  Part a;
  Real y[2];
equation
  y = 1;
end M;)");
  EXPECT_NE(said.find("m.mo:11:3: error[M311]"), std::string::npos);
  EXPECT_NE(said.find("m.mo:5:3: error[M311]"), std::string::npos);
}

TEST(Messages, an_override_of_nothing) {
  try {
    flat_of("model M\n  parameter Real a = 1;\n  Real x = a;\nend M;", {"b=2"});
    FAIL() << "nothing was said";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().text,
              "the model M has no 'b' whose value could be set. There are 'a' and 'x'.");
  }
}

struct Beginner {
  const char* text;
  const char* message;
};

TEST(Messages, of_beginners_lead_on) {
  const Beginner mistakes[] = {
      {"model M\n  Real x = Sin(time);\nend M;",
       "m.mo:2:12: error[M101]: there is no 'Sin' here. Did you mean 'sin'?"},
      {"model M\n  Real f2;\nequation\n  F2(time) = 1;\n  f2 = 1;\nend M;",
       "m.mo:4:3: error[M101]: there is no 'F2' here. Declare or import a function of that name."},
      {"model M\n  Real x = volume;\nend M;",
       "m.mo:2:12: error[M101]: there is no 'volume' here. Declare it, for example with 'Real "
       "volume;'."},
      {"model M\n  Real pressure_in = 1;\n  Real x = pressure;\nend M;",
       "m.mo:3:12: error[M101]: there is no 'pressure' here. Did you mean 'pressure_in'?"},
      {"model A\nprotected\n  parameter Real length = 1;\nend A;\nmodel M\n  A a(lenght = 2);\n"
       "end M;",
       "m.mo:6:7: error[M104]: 'lenght' is modified, but 'A' has no such element."},
      {"model M\n  Real x = sin(t);\nend M;",
       "m.mo:2:16: error[M101]: there is no 't' here. The time is called 'time'."},
      {"model M\n  Real x = 2*pi;\nend M;",
       "m.mo:2:14: error[M101]: there is no 'pi' here. Write Modelica.Constants.pi, or declare "
       "'constant Real pi = 2*acos(0)'."},
      {"model M\n  Real x, v;\nequation\n  v = dx/dt;\n  x = time;\nend M;",
       "m.mo:4:7: error[M101]: there is no 'dx' here. The derivative of 'x' in time is written "
       "'der(x)'."},
      {"model M\n  Real x[3] = {1, 2, 3};\n  Real y = x[0];\nend M;",
       "m.mo:3:14: error[M206]: subscript 0 of 'x' is out of range: dimension 1 has size 3. "
       "Subscripts count from 1."},
      {"model M\n  Real x[3] = [1, 2, 3];\nend M;",
       "m.mo:2:15: error[M203]: 'x' has size [3], but this has [1, 3]. Brackets make a matrix; a "
       "vector is written with braces: {1, 2, 3}."},
      {"model M\n  parameter Integer n = 5/2;\n  Real x = n;\nend M;",
       "m.mo:2:25: error[M202]: 'n' has type Integer, but this is Real. A quotient is a Real: "
       "write div(a, b) for whole numbers, or integer(x)."},
      {"model M\n  Boolean b = 1;\nend M;",
       "m.mo:2:15: error[M202]: 'b' has type Boolean, but this is Integer. A Boolean is true, "
       "false or a comparison."},
      {"model M\n  Real x(start = 0);\nequation\n  when time > 1 then\n    x = 1;\n  end when;\n"
       "  der(x) = 1;\nend M;",
       "m.mo:7:3: error[M202]: 'x' changes at events only, because a when-clause gives it its "
       "value, so that it has no derivative. To change a state at an event, write reinit(x, "
       "value)."}};
  for (const Beginner& each : mistakes) EXPECT_EQ(first_line(each.text), each.message) << each.text;
  // Once, although the size of an array asks for it too.
  const std::string said =
      mistakes_in("model M\n  parameter Integer n = 5/2;\n  Real x[n];\nend M;");
  EXPECT_EQ(said.find("M202"), said.rfind("M202")) << said;
}

TEST(Messages, what_is_too_large_is_refused_in_time) {
  EXPECT_EQ(first_line("model M\n  Real x = sum(i*j for i in 1:20000, j in 1:20000);\nend M;"),
            "m.mo:2:12: error[M210]: the iterators run over more values than are supported here. "
            "Write it as a formula, or in parts.");
}

TEST(Messages, clocked_and_continuous_at_once) {
  EXPECT_EQ(first_line(R"(
model M
  Real x(start = 1, fixed = true);
  Real y;
equation
  der(x) = -x + hold(y);
  y = sample(x, Clock(0.1)) + x;
end M;)"),
            "m.mo:6:17: error[M350]: 'y' is clocked, and 'x' is continuous, but equations connect "
            "the two. Put sample() or hold() between them.");
}

TEST(Messages, reinit_of_what_is_clocked) {
  const std::string said = mistakes_in(R"(
model M
  Real x(start = 0);
equation
  x = previous(x) + sample(time, Clock(0.1));
  when time > 0.5 then
    reinit(x, 1);
  end when;
end M;)");
  EXPECT_EQ(said.substr(0, said.find('\n')),
            "m.mo:7:5: error[M350]: 'x' is clocked, so that it changes at the ticks of its clock "
            "only, and reinit is for states that change continuously. Change it by its own "
            "equation: x = if condition then value else ...");
  EXPECT_NE(said.find("m.mo:5:7: note: this is clocked"), std::string::npos) << said;
}

TEST(Messages, reinit_beside_what_is_clocked) {
  const std::string said = mistakes_in(R"(
model M
  Real x(start = 1);
  Real u = sample(time, Clock(0.1));
equation
  der(x) = -x + u;
  when x < 0.5 then
    reinit(x, 1);
  end when;
end M;)");
  EXPECT_EQ(said.substr(0, said.find('\n')),
            "m.mo:4:12: error[M350]: 'sample(time)' is clocked, and 'x' is continuous, but "
            "equations connect the two. Put sample() or hold() between them.");
  EXPECT_NE(said.find("m.mo:8:5: note: this is continuous, as reinit changes it"),
            std::string::npos)
      << said;
}

TEST(Messages, reinit_at_the_ticks_of_a_clock) {
  EXPECT_EQ(first_line(R"(
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when Clock(0.1) then
    reinit(x, 1);
  end when;
end M;)"),
            "m.mo:7:5: error[M317]: reinit changes a state at an event, and this when-equation has "
            "a clock, whose ticks change clocked variables only. Give it a condition: 'when "
            "sample(start, interval) then' ticks, too.");
}

TEST(Messages, mistakes_in_declarations_are_told_together) {
  const std::string said = mistakes_in(R"(
model A
  Real x = 1;
end A;
model M
  A a(k = 2);
  A b(x(strat = 3));
  A c[3](each y = 4);
  Real z(strat = 5);
  A d(z = 6);
end M;)");
  for (const char* line : {"m.mo:6:7: error[M104]: 'k' is modified, but 'A' has no such element.",
                           "m.mo:7:9: error[M104]: 'strat' is not an attribute of 'Real'.",
                           "m.mo:8:10: error[M104]: 'y' is modified, but 'A' has no such element.",
                           "m.mo:9:10: error[M104]: 'strat' is not an attribute of 'Real'.",
                           "m.mo:10:7: error[M104]: 'z' is modified, but 'A' has no such element."})
    EXPECT_NE(said.find(line), std::string::npos) << line << "\n" << said;
  EXPECT_EQ(said.find("m.mo:8:10"), said.rfind("m.mo:8:10")) << "each is told once\n" << said;
}

TEST(Messages, unknown_types_do_not_hide_other_mistakes) {
  const std::string said = mistakes_in(R"(
model A
  Real x = 1;
end A;
model M
  Valve v;
  A a(k = 2);
  Pipe p;
  Real z(strat = 5);
end M;)");
  for (const char* line : {"m.mo:6:3: error[M101]: there is no class 'Valve' here.",
                           "m.mo:7:7: error[M104]: 'k' is modified, but 'A' has no such element.",
                           "m.mo:8:3: error[M101]: there is no class 'Pipe' here.",
                           "m.mo:9:10: error[M104]: 'strat' is not an attribute of 'Real'."})
    EXPECT_NE(said.find(line), std::string::npos) << line << "\n" << said;
}

// Two components of its own class in each: without an end there would be 2^150 of them.
TEST(Messages, a_model_that_contains_itself_is_told_once) {
  const std::string said = mistakes_in(R"(
model M
  parameter Integer n = 1;
  M a(n = n + 1) if n > 0;
  M b(n = n + 1) if n > 0;
end M;)");
  EXPECT_EQ(said.substr(0, said.find('\n')),
            "m.mo:4:5: error[M108]: 'a' is part of itself: 'M' contains a component of its own "
            "class.");
  EXPECT_EQ(said.find("error["), said.rfind("error[")) << said;
}

TEST(Messages, no_clock) {
  EXPECT_EQ(first_line(R"(
model M
  Real x(start = 0);
equation
  when Clock() then
    x = previous(x) + 1;
  end when;
end M;)"),
            "m.mo:6:9: error[M351]: nothing says when 'x' is computed: no clock is defined for it, "
            "nor for what it is connected to. Give a clock, such as sample(u, Clock(0.1)).");
}

TEST(Messages, two_clocks) {
  EXPECT_EQ(first_line(R"(
model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = x + sample(time, Clock(1, 5));
end M;)"),
            "m.mo:6:24: error[M352]: the clock of 'x' is defined twice, and not in the same way. "
            "Remove one, or put hold() and sample() between what they are for.");
}

TEST(Messages, ratios_of_clocks_that_contradict) {
  EXPECT_EQ(first_line(R"(
model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = subSample(x, 2);
  y = 2 * subSample(x, 3);
end M;)"),
            "m.mo:7:11: error[M352]: by this the clock of 'y' would tick otherwise than other "
            "equations say. Change a factor, or remove one of the two.");
}

TEST(Messages, ticks_before_the_start) {
  EXPECT_EQ(first_line(R"(
model M
  Real x, y;
equation
  x = sample(time, Clock(1, 10));
  y = backSample(x, 1, 2);
end M;)"),
            "m.mo:6:7: error[M353]: the clock of 'y' would have to tick before the run begins. "
            "Shift the other one, or use a smaller backSample.");
}

TEST(Messages, derivative_without_a_solver_method) {
  EXPECT_EQ(first_line(R"(
model M
  Real x(start = 1);
equation
  der(x) = -x + sample(time, Clock(0.1));
end M;)"),
            "m.mo:5:3: error[M354]: 'x' has a derivative and is clocked, but its clock has no "
            "solver method. Give one: Clock(c, solverMethod = \"ImplicitEuler\").");
}

TEST(Messages, of_classes_only_constants) {
  EXPECT_EQ(first_line(R"(
model M
  Real x = time;
  model A
    Real y = 2*x;
  end A;
  A a;
end M;)"),
            "m.mo:5:16: error[M125]: 'x' belongs to the class 'M', of which only constants can be "
            "used here. Declare it 'constant', hand it over as a parameter, or make it 'inner' and "
            "'outer'.");
}

TEST(Messages, protected_after_a_dot) {
  EXPECT_EQ(
      first_line(R"(
model A
protected
  Real x = time;
end A;
model M
  A a;
  Real y = a.x;
end M;)"),
      "m.mo:8:14: error[M115]: 'x' is protected in 'a' and cannot be named from outside. Make "
      "it public there.");
}

TEST(Messages, time_in_a_function) {
  EXPECT_EQ(first_line(R"(
function f
  input Real u;
  output Real y;
algorithm
  y := u + time;
end f;
model M
  Real x = f(1);
end M;)"),
            "m.mo:6:12: error[M122]: in a function there is no 'time'. Hand it over as an "
            "argument.");
}

TEST(Messages, inner_of_another_type) {
  EXPECT_EQ(first_line(R"(
model A
  outer Integer n;
  Integer k = n;
end A;
model M
  inner Real n = 1;
  A a;
end M;)"),
            "m.mo:3:17: error[M112]: 'n' is 'outer', but the 'inner' one is of another type. "
            "Declare both alike.");
}

TEST(Messages, several_flows_for_streams) {
  EXPECT_EQ(
      first_line(R"(
connector Port
  Real p[2];
  flow Real m_flow[2];
  stream Real h;
end Port;
model M
  Port port;
end M;)"),
      "m.mo:2:11: error[M308]: a connector with streams has one flow, which carries them, but "
      "'Port' has 2.");
}

TEST(Messages, a_public_variable_of_a_function) {
  EXPECT_EQ(first_line(R"(
function f
  input Real a;
  output Real b;
  Real c;
algorithm
  c := a;
  b := c;
end f;
model M
  Real x = f(2);
end M;)"),
            "m.mo:5:8: error[M122]: 'c' is public in a function, but neither an input nor an "
            "output. Declare it behind 'protected'.");
}

TEST(Messages, a_conditional_component_in_an_equation) {
  EXPECT_EQ(first_line(R"(
model M
  Real x if true;
equation
  x = 2;
end M;)"),
            "m.mo:5:3: error[M208]: 'x' is declared with a condition, so it can be modified "
            "and connected only. Connect it to a component that is always there, and use that "
            "one here.");
}

TEST(Messages, a_function_of_a_conditional_component) {
  EXPECT_EQ(first_line(R"(
model A
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
end A;
model M
  A a if true;
  Real x = a.f(2);
end M;)"),
            "m.mo:11:12: error[M208]: 'a' is declared with a condition, so it can be modified "
            "and connected only. Connect it to a component that is always there, and use that "
            "one here.");
}

TEST(Messages, a_function_of_an_array_of_components) {
  EXPECT_EQ(first_line(R"(
model A
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
end A;
model M
  A a[3];
  Real x = a.f(2);
end M;)"),
            "m.mo:11:12: error[M206]: 'a' is an array, and functions are called by way of "
            "single components. Name the class of the function instead.");
}

TEST(Messages, a_protected_function_of_a_component) {
  EXPECT_EQ(first_line(R"(
model A
protected
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
end A;
model M
  A a;
  Real x = a.f(2);
end M;)"),
            "m.mo:12:14: error[M115]: 'f' is protected in 'a' and cannot be named from "
            "outside. Make it public there.");
}

TEST(Messages, an_integer_where_an_enumeration_counts) {
  EXPECT_EQ(first_line(R"(
type E = enumeration(one, two);
model M
  Real a[E] = {1, 2};
  Real x = a[1];
end M;)"),
            "m.mo:5:14: error[M202]: dimension 1 of 'a' is given by the type 'E', so its "
            "subscripts are values of that type, such as 'E.one', and no Integers.");
}

TEST(Messages, an_integer_where_a_boolean_counts) {
  EXPECT_EQ(first_line(R"(
model M
  Real a[Boolean];
equation
  a[1] = 0;
  a[2] = 1;
end M;)"),
            "m.mo:5:5: error[M202]: dimension 1 of 'a' is given by the type 'Boolean', so its "
            "subscripts are values of that type, such as 'true', and no Integers.");
}

TEST(Messages, a_when_for_a_variable_of_a_part) {
  EXPECT_EQ(first_line(R"(
model A
  discrete Real x;
end A;
model M
  A a;
equation
  when sample(0, 1) then
    a.x = 1;
  end when;
end M;)"),
            "m.mo:9:5: error[M319]: 'a.x' belongs to the component 'a', and a when-equation "
            "changes variables of its own model only. Write the 'when' there, or change a "
            "variable of this model.");
}

TEST(Messages, a_discrete_real_with_a_value_for_all_times) {
  EXPECT_EQ(first_line(R"(
model M
  discrete Real x = 1;
end M;)"),
            "m.mo:3:17: error[M124]: 'x' is a discrete Real, which only a when-clause changes, "
            "but its declaration gives it a value that holds all the time. Assign it in a "
            "'when', or take 'discrete' away.");
}

TEST(Messages, a_constant_that_depends_on_a_parameter) {
  EXPECT_EQ(first_line(R"(
model M
  parameter Real p = 1;
  constant Real c = 2*p;
end M;)"),
            "m.mo:4:21: error[M310]: 'c' is a constant, but its value depends on the parameter "
            "'p', which can be set before a run. Declare 'p' as a constant, or 'c' as a "
            "parameter.");
}

TEST(Messages, a_block_with_a_physical_connector) {
  EXPECT_EQ(first_line(R"(
connector C
  Real e;
  flow Real f;
end C;
block B
  C c;
end B;
model M
  B b;
end M;)"),
            "m.mo:7:5: error[M122]: the block 'B' has a connector 'c' whose variable 'e' is "
            "neither an input nor an output. Declare it so, or make a model of the block.");
}

TEST(Messages, a_flow_of_records_that_cannot_be_added) {
  EXPECT_EQ(first_line(R"(
operator record R
  Real x;
end R;
connector C
  R e;
  flow R f;
end C;
model M
  C c;
end M;)"),
            "m.mo:7:10: error[M122]: 'f' is a flow of the operator record 'R', which has no "
            "operator '+': flows that meet are added up to zero, so '+', '-' and '0' are "
            "needed. Add it.");
}

TEST(Messages, connect_of_an_input_and_a_plain_variable) {
  EXPECT_EQ(first_line(R"(
connector A
  input Real x;
  Real e;
  flow Real f;
end A;
connector B
  Real x;
  Real e;
  flow Real f;
end B;
model M
  A a;
  B b;
equation
  connect(a, b);
end M;)"),
            "m.mo:16:3: error[M303]: 'a.x' and 'b.x' cannot be connected: 'b.x' is neither an "
            "input nor an output, the other is. Declare both alike.");
}

TEST(Messages, connect_of_a_constant_and_a_parameter) {
  EXPECT_EQ(first_line(R"(
connector A
  constant Real x = 1;
  Real e;
  flow Real f;
end A;
connector B
  parameter Real x = 1;
  Real e;
  flow Real f;
end B;
model M
  A a;
  B b;
equation
  connect(a, b);
end M;)"),
            "m.mo:16:3: error[M303]: 'a.x' and 'b.x' cannot be connected: the first is a "
            "constant, the second a parameter.");
}

TEST(Messages, outer_of_another_size) {
  EXPECT_EQ(first_line(R"(
model A
  outer Real p[6];
end A;
model M
  inner Real p[10] = 1:10;
  A a;
end M;)"),
            "m.mo:3:14: error[M112]: 'p' is 'outer' with the size 6, but the 'inner' one has "
            "10. Declare both alike.");
}

TEST(Messages, outer_of_another_type_that_nobody_uses) {
  EXPECT_EQ(first_line(R"(
model A
  outer Integer p;
end A;
model M
  inner Real p = 1;
  A a;
end M;)"),
            "m.mo:3:17: error[M112]: 'p' is 'outer', but the 'inner' one is of another type. "
            "Declare both alike.");
}

TEST(Messages, a_member_that_only_the_inner_has) {
  EXPECT_EQ(first_line(R"(
record R
  Integer i;
end R;
record S
  extends R;
  Real a;
end S;
model A
  outer R r;
  Real x = r.a;
end A;
model M
  inner S r = S(1, 2);
  A a;
end M;)"),
            "m.mo:11:14: error[M102]: 'r' is 'outer' and of the class 'R', which has no 'a'. "
            "There is 'i' only.");
}

TEST(Messages, two_operators_that_fit_alike) {
  EXPECT_EQ(first_line(R"(
operator record C
  Real re;
  encapsulated operator 'constructor'
    import C;
    function one
      input Real a;
      output C c(re = a);
    algorithm
    end one;
    function two
      input Real b;
      output C c(re = b);
    algorithm
    end two;
  end 'constructor';
end C;
model M
  C c = C(1);
end M;)"),
            "m.mo:19:9: error[M202]: 'C.'constructor'.one' and 'C.'constructor'.two' fit these "
            "arguments alike, so that it is not clear which one is meant. Let their inputs "
            "differ.");
}

}  // namespace
}  // namespace alembert::modelica
