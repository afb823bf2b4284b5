// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "flatten_helpers.hpp"

namespace alembert::modelica {
namespace {

/// Everything after the word "equation".
std::string equations_of(const std::string& text) {
  const std::string flat = flat_text_of(text);
  const std::string word = "\nequation\n";
  return flat.substr(flat.find(word) + word.size());
}

TEST(Equations, between_arrays_go_element_by_element) {
  EXPECT_EQ(equations_of(R"(
model M
  Real a[2], b[2];
equation
  a = {time, 2};
  b = 2*a;
end M;)"),
            "  a[1] = time;\n  a[2] = 2;\n  b[1] = 2*a[1];\n  b[2] = 2*a[2];\n");
}

TEST(Equations, with_several_results_of_a_function) {
  EXPECT_EQ(equations_of(R"(
function f
  input Real u;
  output Real a;
  output Real b;
algorithm
  a := u + 1;
  b := u*2;
end f;
model M
  Real x, y, z;
equation
  (x, y) = f(time);
  (, z) = f(x);
end M;)"),
            "  x = time + 1;\n  y = 2*time;\n  z = 2*x;\n");
}

TEST(Equations, in_loops) {
  EXPECT_EQ(equations_of(R"(
model M
  Real x[3], m[2, 2];
equation
  for i in 1:3 loop
    x[i] = i*time;
  end for;
  for i in 1:2, j in 1:2 loop
    m[i, j] = 10*i + j;
  end for;
end M;)"),
            "  x[1] = time;\n  x[2] = 2*time;\n  x[3] = 3*time;\n"
            "  m[1,1] = 11;\n  m[1,2] = 12;\n  m[2,1] = 21;\n  m[2,2] = 22;\n");
}

TEST(Equations, in_a_loop_without_a_range) {
  EXPECT_EQ(equations_of(R"(
model M
  Real x[3];
equation
  for i loop
    x[i] = i;
  end for;
end M;)"),
            "  x[1] = 1;\n  x[2] = 2;\n  x[3] = 3;\n");
}

TEST(Equations, are_chosen_by_parameters) {
  EXPECT_EQ(equations_of(R"(
model M
  parameter Boolean fast = false;
  Real x;
equation
  if fast then
    x = 1;
  else
    x = 2*time;
  end if;
end M;)"),
            "  x = 2*time;\n");
}

TEST(Equations, of_branches_are_merged_where_the_condition_varies) {
  EXPECT_EQ(equations_of(R"(
model M
  Real x, y;
equation
  if time > 1 then
    x = 1;
    x + y = 3;
  else
    x - y = 0;
    x = 2;
  end if;
end M;)"),
            "  x = if 1 < time then 1 else 2;\n"
            "  if 1 < time then x + y - 3 else x - y = 0;\n");
}

TEST(Equations, of_when_hold_the_value_between_events) {
  EXPECT_EQ(flat_text_of(R"(
model M
  Boolean b = time > 1;
  discrete Real x(start = 5);
  Integer n(start = 0);
equation
  when b then
    x = time;
    n = pre(n) + 1;
  end when;
end M;)"),
            R"(  discrete Boolean b;
  discrete Real x(start = 5);
  discrete Integer n(start = 0);
equation
  b = 1 < time;
  x = if b and not initial() and not pre(b) then time else pre(x);
  n = if b and not initial() and not pre(b) then pre(n) + 1 else pre(n);
)");
}

/// Parameters decide which branch there is: only when-clauses of that one make a variable discrete.
TEST(Equations, of_when_in_a_branch_that_is_not_taken_make_nothing_discrete) {
  const std::string text = R"(
model M
  parameter Integer kind = 1;
  Real held, x(start = 1);
equation
  der(x) = -held;
  if kind == 1 then
    when x < 0.5 then
      held = time;
    end when;
  elseif kind == 2 then
    held = x + time;
  else
    held = 0;
  end if;
end M;)";
  const auto n_discrete = [&](const std::string& kind) {
    const flat::FlatSystem system = flat_of(text, {"kind=" + kind});
    return std::count_if(
        system.discrete_variables.begin(), system.discrete_variables.end(),
        [&](const auto& v) { return system.pool->symbol_text(v.symbol) == "held"; });
  };
  EXPECT_EQ(n_discrete("1"), 1);
  EXPECT_EQ(n_discrete("2"), 0);
  EXPECT_EQ(n_discrete("3"), 0);
}

TEST(Equations, of_elsewhen_come_second) {
  const flat::FlatSystem system = flat_of(R"(
model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0), k;
equation
  der(x) = 1;
  when x > 1 then
    n = 1;
    reinit(x, 0);
  elsewhen {initial(), x > 0.5} then
    n = 2;
  end when;
  k = n;
end M;)");
  EXPECT_EQ(system.discrete_variables.size(), 4u);  // n, k, and one for each condition x > ...
  EXPECT_EQ(system.discrete_equations.size(), 4u);
  EXPECT_EQ(system.reinits.size(), 1u);
  EXPECT_EQ(system.unknowns.size(), 1u);
  EXPECT_EQ(system.equations.size(), 1u);
}

TEST(Equations, assert_and_terminate) {
  const flat::FlatSystem system = flat_of(R"(
model M
  parameter Real p = 1;
  Real x = time;
equation
  assert(p > 0, "p must be positive");
  assert(x < 5, "x is " + String(x), AssertionLevel.warning);
  assert(true, "nothing");
  when x > 3 then
    terminate("there");
  end when;
end M;)");
  ASSERT_EQ(system.assertions.size(), 2u);
  EXPECT_EQ(system.assertions[0].message, "p must be positive");
  EXPECT_TRUE(system.assertions[1].is_warning);
  EXPECT_EQ(system.assertions[1].values.size(), 1u);
  ASSERT_EQ(system.terminations.size(), 1u);
  EXPECT_EQ(system.terminations[0].message, "there");
}

TEST(Equations, of_algorithms_are_one_for_each_target) {
  EXPECT_EQ(equations_of(R"(
model M
  Real x, y, s;
algorithm
  x := time;
  y := x + 1;
  x := 2*x;
  s := 0;
  for i in 1:3 loop
    s := s + i*x;
  end for;
end M;)"),
            "  x = 2*time;\n  y = time + 1;\n  s = 12*time;\n");
}

TEST(Equations, of_algorithms_with_when_are_discrete) {
  const flat::FlatSystem system = flat_of(R"(
model M
  discrete Real x(start = 1);
  Integer n(start = 0);
algorithm
  when sample(0, 0.5) then
    x := pre(x)*2;
    n := pre(n) + 1;
  end when;
end M;)");
  EXPECT_EQ(system.samples.size(), 1u);
  EXPECT_EQ(system.discrete_variables.size(), 3u);
  EXPECT_EQ(system.discrete_equations.size(), 3u);
  EXPECT_TRUE(system.equations.empty());
}

TEST(Equations, at_the_start) {
  const flat::FlatSystem system = flat_of(R"(
model M
  parameter Boolean steady = true;
  Real x;
initial equation
  if steady then
    der(x) = 0;
  else
    x = 1;
  end if;
equation
  der(x) = 1 - x;
end M;)");
  EXPECT_EQ(system.initial_equations.size(), 1u);
  EXPECT_EQ(system.equations.size(), 1u);
}

/// What can be computed in the run only has a last argument that says whether it is asked for; the
/// same call elsewhere is another one.
TEST(Equations, CallsThatWaitRunWhereTheyAreAskedFor) {
  const std::string text = flat_text_of(R"(
model M
  function total
    input Real x;
    output Real y = sum(1:integer(x));
  end total;
  function twice
    input Real x;
    output Real y = 2*total(x);
  end twice;
  Real u = 3 + time;
  Real a = if u > 3 then twice(u) else 0;
  Real b = total(u);
end M;
)");
  EXPECT_NE(text.find("2*'total#1'(u, if 3 < u then 1 else 0)"), std::string::npos) << text;
  EXPECT_NE(text.find("b = 'total#2'(u);"), std::string::npos) << text;
}

/// An assertion in a when-clause is looked at in that instant: what it compares makes no events.
TEST(Equations, AssertionsInWhenMakeNoEvents) {
  const std::string text = flat_text_of(R"(
model M
  Real u = sin(time);
equation
  when time > 0.5 then
    assert(u > 0.2, "too small");
  end when;
end M;
)");
  const std::size_t comparison = text.find("0.2 < u");
  ASSERT_NE(comparison, std::string::npos) << text;
  const std::size_t line = text.rfind('\n', comparison);
  EXPECT_NE(text.substr(line, comparison - line).find("= noEvent("), std::string::npos) << text;
}

TEST(Equations, in_loops_over_the_values_of_a_type) {
  EXPECT_EQ(equations_of(R"(
model M
  type E = enumeration(one, two);
  Real x[Boolean, E];
  Real y[E];
equation
  for b, e loop
    x[b, e] = (if b then 10 else 20) + Integer(e)*time;
  end for;
algorithm
  for e loop
    y[e] := if e == E.two then 2 else time;
  end for;
end M;)"),
            "  x[1,1] = time + 20;\n  x[1,2] = 2*time + 20;\n  x[2,1] = time + 10;\n"
            "  x[2,2] = 2*time + 10;\n  y[1] = time;\n  y[2] = 2;\n");
}

TEST(Equations, of_a_port_without_flow_tell_what_it_carries) {
  const std::string port = R"(
connector Port
  Real p;
  flow Real m;
  Real h;
  flow Real H;
end Port;
model Tank
  Port port;
equation
  port.p = 1;
  port.H = semiLinear(port.m, port.h, 300);
end Tank;
)";
  const std::string alone = equations_of(port + "model M\n  Tank a;\nend M;");
  EXPECT_NE(alone.find("a.port.h = 300;"), std::string::npos) << alone;
  const std::string joined = equations_of(port + R"(
model M
  Tank a, b;
equation
  connect(a.port, b.port);
end M;)");
  EXPECT_NE(joined.find("a.port.H = semiLinear(a.port.m, a.port.h, 300);"), std::string::npos)
      << joined;
}

}  // namespace
}  // namespace alembert::modelica
