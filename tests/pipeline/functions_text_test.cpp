// SPDX-License-Identifier: Apache-2.0
// Models of Modelica text whose functions loop, look up tables or tell their derivatives, against
// closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

// The class of a time is a whole number: each change is an event, also where a loop finds it.
TEST(FunctionsInText, LoopsThatReturnMakeEvents) {
  const CompiledModel model = compiled(R"(
model Classes
  function class_of
    input Real x;
    input Real t[:];
    output Integer n;
  algorithm
    n := 0;
    for i in 1:size(t, 1) loop
      if x < t[i] then
        return;
      end if;
      n := i;
    end for;
  end class_of;
  Integer n;
  Real w(start = 0, fixed = true);
equation
  n = class_of(time, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  der(w) = n;
end Classes;
)",
                                       "Classes");
  const SimulationResult run = simulate(model, {.stop = 9.5});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "w"), 50, 1e-9);  // 1 + 2 + ... + 9 + 10/2
}

// At the start the slope by m vanishes, and no step leads away from there: |m| (1 + |m| / 10) = t,
// of whose two branches the positive one is taken.
TEST(FunctionsInText, AKinkAtTheStartIsLeft) {
  const CompiledModel model = compiled(R"(
model Kink
  function loss
    input Real m;
    output Real dp;
  algorithm
    dp := abs(m)*(1 + 0.1*abs(m));
  end loss;
  Real m;
equation
  loss(m) = time;
end Kink;
)",
                                       "Kink");
  const SimulationResult run = simulate(model, {.stop = 10});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "m"), 5 * (std::sqrt(5.0) - 1), 1e-9);
}

// y^3 + y = k by bisection: the result follows k by comparisons only.
TEST(FunctionsInText, BisectionsHaveSlopes) {
  const CompiledModel model = compiled(R"(
model Bisection
  function root
    input Real k;
    output Real r;
  protected
    Real low, high;
  algorithm
    low := -100;
    high := 100;
    r := 0;
    while high - low > 1e-11 loop
      r := 0.5*(low + high);
      if r^3 + r < k then
        low := r;
      else
        high := r;
      end if;
    end while;
  end root;
  Real r, v;
equation
  r = root(2 + time);
  v = der(r);
end Bisection;
)",
                                       "Bisection");
  const SimulationResult run = simulate(model, {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double r = at_end(run, "r");
  EXPECT_NEAR(r * r * r + r, 3, 1e-10);
  EXPECT_NEAR(at_end(run, "v"), 1 / (3 * r * r + 1), 1e-6);
}

// Two tables, one function, whose derivative an annotation tells: each has its own slope.
TEST(FunctionsInText, EveryTableHasItsOwnDerivative) {
  const CompiledModel model = compiled(R"(
package P
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, :];
      output Table result;
    external "C" result = ModelicaStandardTables_CombiTable1D_init3("NoName", "NoName", table,
      size(table, 1), size(table, 2), {2}, 1, 1, 2, true, ",", 0);
    end constructor;
    function destructor
      input Table table;
    external "C" ModelicaStandardTables_CombiTable1D_close(table);
    end destructor;
  end Table;
  function value
    input Table table;
    input Real u;
    input Real unseen;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, 1, u);
    annotation(derivative(noDerivative = unseen) = slope);
  end value;
  function slope
    input Table table;
    input Real u;
    input Real unseen;
    input Real der_u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getDerValue(table, 1, u, der_u);
  end slope;
  model Two
    parameter Table first = Table([0, 0; 1, 1]);
    parameter Table second = Table([0, 0; 1, 3]);
    Real a = value(first, time, 0), b = value(second, time, 0), va = der(a), vb = der(b);
  end Two;
end P;
)",
                                       "P.Two");
  const SimulationResult run = simulate(model, {.stop = 0.9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "b"), 2.7, 1e-12);
  EXPECT_NEAR(at_end(run, "va"), 1, 1e-12);
  EXPECT_NEAR(at_end(run, "vb"), 3, 1e-12);
}

// Every output needs every element, some of them through other such functions: the order at an
// event is that of the text.
TEST(FunctionsInText, ArraysOfFunctionsOfArraysFollowEachOtherAtAnEvent) {
  const CompiledModel model = compiled(R"(
model Arrays
  function shifted "by the sum of as many elements as the first one says"
    input Real u[:];
    output Real y[size(u, 1)];
  protected
    Real sum = 0;
  algorithm
    for i in 1:integer(u[1]) loop
      sum := sum + u[i];
    end for;
    for i in 1:size(u, 1) loop
      y[i] := u[i] + sum;
    end for;
    y[1] := 2;
  end shifted;
  constant Integer n = 80;
  discrete Real c[n](each start = 0, each fixed = true);
  discrete Real b[n](each start = 0, each fixed = true);
  discrete Real a[n](each start = 0, each fixed = true);
equation
  when sample(1, 1) then
    c = shifted(b);
    b = shifted(a);
    a[1] = 2;
    for i in 2:n loop
      a[i] = pre(a[i]) + i;
    end for;
  end when;
end Arrays;
)",
                                       "Arrays");
  const SimulationResult run = simulate(model, {.stop = 2.5});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(at_end(run, "a[80]"), 160);
  EXPECT_EQ(at_end(run, "b[80]"), 160 + 2 + 4);
  EXPECT_EQ(at_end(run, "b[2]"), 4 + 2 + 4);
  EXPECT_EQ(at_end(run, "c[80]"), 166 + 2 + 10);
}

// A name without a file and without numbers asks for C code that nobody has handed over.
TEST(FunctionsInText, ATableOfUsertabIsRefusedByName) {
  try {
    compiled(R"(
package P
  class Table
    extends ExternalObject;
    function constructor
      input Real table[:, :];
      output Table result;
    external "C" result = ModelicaStandardTables_CombiTable1D_init3("NoName", "heat", table,
      size(table, 1), size(table, 2), {2}, 1, 1, 2, true, ",", 0);
    end constructor;
    function destructor
      input Table table;
    external "C" ModelicaStandardTables_CombiTable1D_close(table);
    end destructor;
  end Table;
  function value
    input Table table;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, 1, u);
  end value;
  model One
    parameter Table table = Table(fill(0.0, 0, 2));
    Real y = value(table, time);
  end One;
end P;
)",
             "P.One");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "M215");
    EXPECT_NE(std::string(error.what()).find("no file is named for the table 'heat'"),
              std::string::npos)
        << error.what();
  }
}

// A bead on the wire y = x^3. In C with its derivative told, which is differentiated in turn, and
// written out: the same motion.
TEST(FunctionsInText, ConstraintsMayBeFunctionsInC) {
  const std::string text = R"(
package Beads
  function wire
    input Real x;
    output Real y;
    external "C" y = wire(x) annotation(Include = "double wire(double x) { return x * x * x; }");
    annotation(derivative = slope);
  end wire;
  function slope
    input Real x;
    input Real v;
    output Real w;
  algorithm
    w := 3 * x^2 * v;
  end slope;
  model Common
    Real x(start = 0.7, fixed = true), y, force;
    Real v(start = 0, fixed = true) = der(x);
    Real energy = (der(x)^2 + der(y)^2) / 2 + 9.81 * y;
  equation
    der(der(x)) = -3 * force * x^2;
    der(der(y)) = force - 9.81;
  end Common;
  model InC
    extends Common;
  equation
    y = wire(x);
  end InC;
  model Written
    extends Common;
  equation
    y = x^3;
  end Written;
end Beads;
)";
  const SimulationResult in_c =
      simulate(compiled(text, "Beads.InC"), {.stop = 2, .tolerance = 1e-9});
  const SimulationResult written =
      simulate(compiled(text, "Beads.Written"), {.stop = 2, .tolerance = 1e-9});
  ASSERT_EQ(in_c.outcome, Outcome::done) << in_c.message;
  ASSERT_EQ(written.outcome, Outcome::done) << written.message;
  EXPECT_NEAR(at_end(in_c, "x"), at_end(written, "x"), 1e-6);
  EXPECT_NEAR(at_end(in_c, "force"), at_end(written, "force"), 1e-4);
  EXPECT_NEAR(at_end(in_c, "energy"), 9.81 * 0.343, 1e-6);
}

// Without a told derivative its Jacobian is by differences: x' = -x^3 is stiff enough from 1e3.
TEST(FunctionsInText, FunctionsInCHaveSlopesByDifferences) {
  const CompiledModel model = compiled(R"(
model Decay
  function cube
    input Real x;
    output Real y;
    external "C" y = cube(x) annotation(Include = "double cube(double x) { return x * x * x; }");
  end cube;
  Real x(start = 1000, fixed = true);
equation
  der(x) = -cube(x);
end Decay;
)",
                                       "Decay");
  const SimulationResult run = simulate(model, {.stop = 1, .tolerance = 1e-8, .method = "rodas5p"});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "x"), 1 / std::sqrt(2 + 1e-6), 1e-6);
}

// Branches, loops and callees: the message of the innermost, with its values and its place.
TEST(FunctionsInText, AssertionsAreHeardInTheRun) {
  const std::string functions = R"(
package P
  function root
    input Real x;
    output Real y;
  algorithm
    if x < 0 then
      assert(false, "no root of " + String(x));
    end if;
    y := sqrt(abs(x));
  end root;
  function climbed
    input Real x;
    output Real y;
  algorithm
    y := 0;
    while y < x loop
      y := y + 0.1 + root(0.5 - x);
    end while;
  end climbed;
  function careful
    input Real x;
    output Real y;
  algorithm
    assert(x < 0.5, "x is large", AssertionLevel.warning);
    y := 2*x;
  end careful;
)";
  const auto outcome = [&](const std::string& equation) {
    return simulate(compiled(functions + "  model M\n    Real y;\n  equation\n    " + equation +
                                 "\n  end M;\nend P;\n",
                             "P.M"),
                    {.stop = 1});
  };
  const SimulationResult direct = outcome("y = root(0.25 - time);");
  EXPECT_EQ(direct.outcome, Outcome::assertion_failed) << direct.message;
  EXPECT_NE(direct.message.find("assertion in 'P.root' failed: no root of -"), std::string::npos)
      << direct.message;
  EXPECT_NE(direct.message.find(":8:7"), std::string::npos) << direct.message;
  const SimulationResult in_loop = outcome("y = climbed(time);");
  EXPECT_EQ(in_loop.outcome, Outcome::assertion_failed) << in_loop.message;
  EXPECT_NE(in_loop.message.find("no root of -"), std::string::npos) << in_loop.message;
  // Where it is not called it says nothing.
  EXPECT_EQ(outcome("y = if time < 0.25 then root(0.25 - time) else 1;").outcome, Outcome::done);
  EXPECT_EQ(outcome("if time < 0.25 then y = root(0.25 - time); else y = 1; end if;").outcome,
            Outcome::done);
  const SimulationResult warned = outcome("y = careful(time);");
  EXPECT_EQ(warned.outcome, Outcome::done) << warned.message;
  ASSERT_EQ(warned.warnings.size(), 1U);
  EXPECT_NE(warned.warnings[0].find("x is large"), std::string::npos) << warned.warnings[0];
}

// A counter that C keeps: every tick of the one clock counts once, those of the other not at all.
TEST(FunctionsInText, ImpureFunctionsRunOncePerEvent) {
  const CompiledModel model = compiled(R"(
model Counts
  class Counter
    extends ExternalObject;
    function constructor
      output Counter counter;
      external "C" counter = counter_new()
        annotation(Include="#include <stdlib.h>\nstatic void* counter_new(void) { return calloc(1, sizeof(int)); }");
    end constructor;
    function destructor
      input Counter counter;
      external "C" counter_end(counter)
        annotation(Include="#include <stdlib.h>\nstatic void counter_end(void* c) { free(c); }");
    end destructor;
  end Counter;
  impure function next
    input Counter counter;
    output Integer n;
    external "C" n = counter_next(counter)
      annotation(Include="static int counter_next(void* c) { return ++*(int*)c; }");
  end next;
  Counter counter = Counter(), second = Counter();
  Integer drawn(start = 0, fixed = true), ticks(start = 0, fixed = true);
  Integer others(start = 0, fixed = true), in_algorithm(start = 0, fixed = true);
equation
  when sample(0, 1) then
    drawn = next(counter);
    ticks = pre(ticks) + 1;
  end when;
  when sample(0.25, 0.5) then
    others = pre(others) + 1;
  end when;
algorithm
  when time > 3.1 then
    in_algorithm := next(second);
  end when;
end Counts;
)",
                                       "Counts");
  const SimulationResult run = simulate(model, {.stop = 3.5});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(at_end(run, "ticks"), 4);
  EXPECT_EQ(at_end(run, "drawn"), 4);
  EXPECT_EQ(at_end(run, "others"), 7);
  EXPECT_EQ(at_end(run, "in_algorithm"), 1);  // two that are made alike are two
}

TEST(FunctionsInText, RecursionEndsByKnownAndByUndecidedArguments) {
  const CompiledModel model = compiled(R"(
model Recursion
  function factorial
    input Integer n;
    output Integer product;
  algorithm
    product := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;
  Integer chosen, asked;
equation
  chosen = if time > 0.5 then factorial(4) else 0;
  asked = factorial(integer(5*time + 0.5));
end Recursion;
)",
                                       "Recursion");
  const SimulationResult run = simulate(model, {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(at_end(run, "chosen"), 24);
  EXPECT_EQ(at_end(run, "asked"), 120);
}

// What a when-clause asserts is about the instant of its event, by itself or in a function.
TEST(FunctionsInText, AssertionsInWhenClausesAreHeard) {
  const std::string text = R"(
package P
  function limited
    input Real x;
    output Real y;
  algorithm
    assert(x < 5, "too large");
    y := x;
  end limited;
  partial model Rises
    Real y(start = 0, fixed = true);
    discrete Real z(start = 0, fixed = true);
  equation
    der(y) = 1;
  end Rises;
  model Plain
    extends Rises;
  equation
    when y > 0.5 then
      assert(y < 0.2, "too large");
      z = y;
    end when;
  end Plain;
  model InFunction
    extends Rises;
  algorithm
    when sample(0.1, 0.1) then
      z := limited(20*y);
    end when;
  end InFunction;
  model Holds
    extends Rises;
  equation
    when y > 0.5 then
      assert(y < 0.6, "too large");
      z = limited(y);
    end when;
  end Holds;
end P;
)";
  for (const auto& [name, end] :
       {std::pair("P.Plain", 0.5), std::pair("P.InFunction", 0.3), std::pair("P.Holds", 1.0)}) {
    const SimulationResult run = simulate(compiled(text, name), {.stop = 1});
    EXPECT_NEAR(run.trajectory.times().back(), end, 1e-6) << name;
    EXPECT_EQ(run.message.find("too large") != std::string::npos, end < 1) << run.message;
  }
}

// g = p^2*T^3, so that dg/dT = 3*p^2*T^2 and d2g/dTdp = 6*p*T^2; loops and records are no obstacle.
TEST(FunctionsInText, PartialDerivativesOfFunctions) {
  const SimulationResult result = run(R"(
function g
  input Real p;
  input Real T;
  output Real y;
algorithm
  y := p^2;
  for i in 1:3 loop
    y := y*T;
  end for;
end g;
function g_T = der(g, T);
function g_Tp = der(g, T, p);
function h
  input Real p;
  input Real T;
  output Real y = g(p, T) - T*g_T(p, T);
algorithm
end h;
record R
  Real a;
  constant Integer n;
  constant Integer m = 42;
end R;
model M
  Real x = g_T(2, time);
  Real y = g_Tp(p = time, T = 3);
  Real z = h(2, time);
  Real v[2] = g_T({1, 2}, {time, 2});
  R r = R(time, 7);
  Real n = r.n, m = r.m;
end M;)",
                                      {.stop = 2.0});
  EXPECT_EQ(at_end(result, "x"), 48);
  EXPECT_EQ(at_end(result, "y"), 108);
  EXPECT_EQ(at_end(result, "z"), 32 - 96);
  EXPECT_EQ(at_end(result, "v[1]"), 12);
  EXPECT_EQ(at_end(result, "v[2]"), 48);
  EXPECT_EQ(at_end(result, "n"), 7);
  EXPECT_EQ(at_end(result, "m"), 42);
}

/// What a function tells of its derivative may be a variable on which its value does not depend, as
/// in the adaptors of the standard library. The differentiated equation gives that variable, and no
/// derivative that could be a dummy.
TEST(FunctionsInText, ADerivativeThatIsToldMayBeGivenByIt) {
  const auto result = run(R"(
model M
  function told
    input Real u;
    input Real rate[1];
    output Real y = u;
  algorithm
    annotation(derivative(noDerivative = u) = told_rate);
  end told;
  function told_rate
    input Real u;
    input Real rate[1];
    input Real der_rate[1];
    output Real der_y = rate[1];
  algorithm
  end told_rate;
  Real a(start = 1, fixed = true), b, r, w;
equation
  der(a) = -a;
  a = told(b, {r});
  r = der(b);
  w = r + 1;
end M;)",
                          {.stop = 1, .tolerance = 1e-9, .intervals = 2});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  EXPECT_NEAR(at_end(result, "b"), std::exp(-1.0), 1e-8);
  EXPECT_NEAR(at_end(result, "w"), 1 - std::exp(-1.0), 1e-8);
}

TEST(FunctionsInText, LogicalOperatorsOfRecords) {
  const SimulationResult result = run(R"(
operator record Fuzzy
  Real x;
  encapsulated operator function 'and'
    import Fuzzy;
    input Fuzzy a;
    input Fuzzy b;
    output Fuzzy c = Fuzzy(min(a.x, b.x));
  algorithm
  end 'and';
end Fuzzy;
model M
  Fuzzy a = Fuzzy(0.3), b = Fuzzy(time);
  Fuzzy c = a and b;
end M;)",
                                      {.stop = 1.0});
  EXPECT_EQ(at_start(result, "c.x"), 0);
  EXPECT_EQ(at_end(result, "c.x"), 0.3);
}

/// What fails in the default of a variable of a function fails in that call, also where the
/// function is compiled as a body of its own, as one with a loop of unknown length is.
TEST(FunctionsInText, FailuresInDefaultsOfVariablesBelongToTheCall) {
  const std::string text = R"(
    function entry
      input Real x;
      input Real s[:];
      output Real y;
    algorithm
      y := s[integer(x + 1.5)];
    end entry;
    function climbed
      input Real x;
      input Real s[:];
      output Real y;
    protected
      Real h = if s[1] < 0 then 0 else entry(x, s);
    algorithm
      y := h;
      while y < x + 10 loop
        y := y + 1;
      end while;
    end climbed;
    model M
      parameter Real s[3] = {0.5, 1.5, 4};
      Real y = climbed(time, s);
    end M;)";
  const auto well = run(text, {.stop = 2});
  ASSERT_EQ(well.outcome, integrate::Outcome::done) << well.message;
  EXPECT_EQ(at_time(well, "y", 0.2), 10.5);
  EXPECT_EQ(at_end(well, "y"), 12);
  const auto ill = run(text, {.stop = 3});
  EXPECT_NE(ill.outcome, integrate::Outcome::done);
  EXPECT_NE(ill.message.find("in 'entry': subscript 4 of 's' is out of range"), std::string::npos)
      << ill.message;
}

}  // namespace
}  // namespace alembert
