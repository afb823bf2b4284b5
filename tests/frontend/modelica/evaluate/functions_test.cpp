// SPDX-License-Identifier: Apache-2.0
// Functions: execution on expressions, arguments, records, merging, run-time calls.
#include <cmath>

#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/solve.hpp"
#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {
namespace {

const char* const model = R"(
record R
  Real a;
  Integer k = 2;
  Real w[2] = {1, 2};
end R;
operator record C
  Real re;
  Real im;
  encapsulated operator 'constructor'
    function fromReal
      import C;
      input Real re;
      input Real im = 0;
      output C result(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c := C(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator function '*'
    import C;
    input C a;
    input C b;
    output C c;
  algorithm
    c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
  end '*';
end C;
function square input Real u; output Real y; algorithm y := u*u; end square;
function total
  input Real u[:];
  output Real y = 0;
algorithm
  for i in 1:size(u, 1) loop
    y := y + u[i];
  end for;
end total;
function two input Real u; output Real a; output Real b; algorithm a := u; b := 2*u; end two;
function limit
  input Real u; input Real high = 1; input Real low = -high;
  output Real y;
algorithm
  if u > high then
    y := high;
  elseif u < low then
    y := low;
  else
    y := u;
  end if;
end limit;
function early
  input Real u;
  output Real y;
algorithm
  y := 0;
  if u < 0 then
    return;
  end if;
  y := u;
end early;
function power
  input Real u;
  input Integer n;
  output Real y;
protected
  Integer k = n;
algorithm
  y := 1;
  while k > 0 loop
    y := y*u;
    k := k - 1;
  end while;
end power;
function halve
  input Real u;
  output Real y;
  output Integer steps;
algorithm
  y := u;
  steps := 0;
  while y > 1 loop
    y := y/2;
    steps := steps + 1;
  end while;
end halve;
function first
  input Real u[:];
  input Real limit;
  output Integer index;
algorithm
  index := 0;
  for i in 1:size(u, 1) loop
    if u[i] > limit then
      index := i;
      break;
    end if;
  end for;
end first;
partial function shape input Real u; output Real y; end shape;
function line extends shape; input Real slope; input Real offset = 0; algorithm y := slope*u + offset; end line;
function apply input shape f; input Real u; output Real y; algorithm y := f(u) + 1; end apply;
function recursive input Integer n; output Integer y; algorithm y := if n <= 1 then 1 else n*recursive(n - 1); end recursive;
function endless input Integer n; output Integer y; algorithm y := endless(n + 1); end endless;
function record_in input R r; output Real y; algorithm y := r.a + r.w[2]; end record_in;
function record_out input Real u; output R r; algorithm r.a := u; r.w[1] := 5; r.k := 7; end record_out;
function checked input Real u; output Real y; algorithm assert(u > 0, "u is " + String(u)); y := u; end checked;
function later
  input Real u;
  output Real y[n + 1] = fill(c, n + 1);
protected
  Integer n = 2*m;
  Integer m = 1;
  Real c = u;
algorithm
end later;
function put
  input Integer i;
  output Real y[3] = zeros(3);
algorithm
  y[i] := 7;
end put;
function bisect
  input Real u;
  output Real y;
algorithm
  y := if u < 1 then u else bisect(u/2);
end bisect;
function generic
  input shape f;
  input Real low;
  output Real y;
algorithm
  y := low;
  while f(y) < 0 loop
    y := y + 1;
  end while;
end generic;
function newton "Root of y^3 + y = u, with an inner loop and a way out"
  input Real u;
  output Real y;
  output Integer rounds;
protected
  Real step;
  Boolean done;
algorithm
  y := 0;
  rounds := 0;
  done := false;
  while not done loop
    step := (y*y*y + y - u)/(3*y*y + 1);
    while abs(step) > 1 loop
      step := step/2;
    end while;
    y := y - step;
    rounds := rounds + 1;
    done := abs(step) < 1e-9;
    if rounds >= 100 then
      return;
    end if;
  end while;
end newton;
function upto
  input Integer n;
  input Real u;
  output Real y;
algorithm
  y := 0;
  for k in 1:n loop
    y := y + k*u;
  end for;
end upto;
function interrupted "Partial sum of u^k until a term is small"
  input Real u;
  output Real y;
  output Integer n;
protected
  Real term;
algorithm
  y := 0;
  n := 0;
  term := 1;
  for k in 1:200 loop
    if term < 1e-3 then
      break;
    end if;
    y := y + term;
    term := term*u;
    n := k;
  end for;
end interrupted;
function polynomial "Too large to be part of each caller"
  input Real u;
  input Real c[:];
  output Real y;
algorithm
  y := 0;
  for i in 1:size(c, 1) loop
    y := y + c[i]*sin(i*u)*(if u > i then exp(-u/i) else cos(u + i));
  end for;
end polynomial;
function stairs "Not differentiable by itself"
  input Real u;
  output Real y;
algorithm
  y := 0;
  while y*y < u loop
    y := y + 0.25;
  end while;
  annotation(derivative = stairs_rate);
end stairs;
function stairs_rate
  input Real u;
  input Real u_rate;
  output Real y;
algorithm
  y := 7*u_rate;
end stairs_rate;
function place "Told with its derivatives"
  input Real q[3];
  input Real t;
  output Real s;
algorithm
  s := q[1];
  annotation(derivative(noDerivative = q) = speed);
end place;
function speed
  input Real q[3];
  input Real t;
  input Real t_rate;
  output Real s;
algorithm
  s := q[2];
  annotation(derivative(order = 2, noDerivative = q) = acceleration);
end speed;
function acceleration
  input Real q[3];
  input Real t;
  input Real t_rate;
  input Real t_rate2;
  output Real s;
algorithm
  s := q[3];
end acceleration;
function squared "Of numbers that are not negative"
  input Real u;
  input Real scale;
  output Real y;
algorithm
  y := scale*u^2;
  annotation(inverse(u = root(y, scale)));
end squared;
function root
  input Real y;
  input Real scale;
  output Real u;
algorithm
  u := sqrt(y/scale);
end root;
function nothing input Real u; output Real y; algorithm end nothing;
model M
  Real x, y, v[3];
  Integer i;
  R r(a = x);
  R rs[2](each a = 1, k = {3, 4});
  C z, zs[2];
  parameter C pz = C(1, 2);
end M;
)";

TEST(Functions, ExecutedOnExpressions) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("square(3)"), "9");
  EXPECT_EQ(bench.shown("square(x)"), "x^2");
  EXPECT_EQ(bench.shown("total(v)"), "v[1] + v[2] + v[3]");
  EXPECT_EQ(bench.shown("total({1, 2, 3})"), "6");
  EXPECT_EQ(bench.shown("two(x)"), "(x, 2*x)");
  EXPECT_EQ(bench.shown("1 + two(x)"), "x + 1");
  EXPECT_EQ(bench.shown("power(x, 3)"), "x^3");
  EXPECT_EQ(bench.shown("recursive(6)"), "720");
}

TEST(Functions, UndecidedBranchesAreMerged) {
  Bench bench(model);
  const auto at = [&](const std::string& expression, double x) {
    return symbolic::evaluate(bench.pool, bench.value(expression).scalar(),
                              {{bench.value("x").scalar(), x}});
  };
  for (const double x : {-3.0, -0.5, 0.5, 3.0}) {
    EXPECT_EQ(at("limit(x)", x), std::clamp(x, -1.0, 1.0));
    EXPECT_EQ(at("limit(x, low=-2)", x), std::clamp(x, -2.0, 1.0));
    EXPECT_EQ(at("early(x)", x), x < 0 ? 0 : x);
    EXPECT_EQ(at("first({0.1*x, 0, x, 7}, 0.4)", x), x > 0.4 ? 3 : 4);
  }
}

TEST(Functions, WhatNeedsNumbersRunsLater) {
  Bench bench(model);
  const Value result = bench.value("halve(x)");
  ASSERT_EQ(result.kind, ValueKind::tuple);
  const ExprId x = bench.value("x").scalar();
  EXPECT_EQ(symbolic::evaluate(bench.pool, result.fields[0].scalar(), {{x, 12.0}}), 0.75);
  EXPECT_EQ(symbolic::evaluate(bench.pool, result.fields[1].scalar(), {{x, 12.0}}), 4);
  EXPECT_EQ(symbolic::evaluate(bench.pool, result.fields[0].scalar(), {{x, 0.5}}), 0.5);
  EXPECT_EQ(bench.shown("halve(12)"), "(3/4, 4)");
}

TEST(Functions, LoopsOfTheRunHaveExactDerivatives) {
  Bench bench(model);
  const Value result = bench.value("newton(x)");
  const ExprId x = bench.value("x").scalar();
  const ExprId y = result.fields[0].scalar();
  const ExprId slope = symbolic::differentiate(bench.pool, y, x);
  const ExprId curvature = symbolic::differentiate(bench.pool, slope, x);
  for (const double u : {-40.0, -1.0, 0.3, 7.0}) {
    const double root = symbolic::evaluate(bench.pool, y, {{x, u}});
    EXPECT_NEAR(root * root * root + root, u, 1e-12 * (1 + std::abs(u)));
    const double f = 3 * root * root + 1;
    EXPECT_NEAR(symbolic::evaluate(bench.pool, slope, {{x, u}}), 1 / f, 1e-8);
    EXPECT_NEAR(symbolic::evaluate(bench.pool, curvature, {{x, u}}), -6 * root / (f * f * f), 1e-6);
  }
  EXPECT_GT(symbolic::evaluate(bench.pool, result.fields[1].scalar(), {{x, 7.0}}), 2);
}

TEST(Functions, CountedLoopsOfTheRun) {
  Bench bench(model);
  const ExprId x = bench.value("x").scalar();
  const ExprId i = bench.value("i").scalar();
  const ExprId sum = bench.value("upto(i, x)").scalar();
  EXPECT_EQ(symbolic::evaluate(bench.pool, sum, {{i, 4.0}, {x, 0.5}}), 5);
  EXPECT_EQ(symbolic::evaluate(bench.pool, sum, {{i, 0.0}, {x, 0.5}}), 0);
  const Value series = bench.value("interrupted(x)");
  EXPECT_EQ(symbolic::evaluate(bench.pool, series.fields[0].scalar(), {{x, 0.5}}), 2 - 0x1p-9);
  EXPECT_EQ(symbolic::evaluate(bench.pool, series.fields[1].scalar(), {{x, 0.5}}), 10);
}

TEST(Functions, LargeBodiesAreCalledAndStayExact) {
  Bench bench(model);
  const ExprId x = bench.value("x").scalar();
  const ExprId call = bench.value("polynomial(x, 1:400)").scalar();
  EXPECT_LT(symbolic::operation_count(bench.pool, call), 3u);
  const ExprId slope = symbolic::differentiate(bench.pool, call, x);
  for (const double u : {0.7, 3.4}) {
    double value = 0;
    double derivative = 0;
    for (int k = 1; k <= 400; ++k) {
      const double factor = u > k ? std::exp(-u / k) : std::cos(u + k);
      const double change = u > k ? -std::exp(-u / k) / k : -std::sin(u + k);
      value += k * std::sin(k * u) * factor;
      derivative += k * (k * std::cos(k * u) * factor + std::sin(k * u) * change);
    }
    EXPECT_NEAR(symbolic::evaluate(bench.pool, call, {{x, u}}), value, 1e-9 * 400);
    EXPECT_NEAR(symbolic::evaluate(bench.pool, slope, {{x, u}}), derivative, 1e-9 * 160000);
  }
}

TEST(Functions, DerivativesInTimeAreThoseThatAreTold) {
  Bench bench(model);
  const ExprId x = bench.value("x").scalar();
  const auto rate = [&](ExprId id) { return symbolic::time_derivative(bench.pool, id); };
  EXPECT_EQ(bench.shown(rate(bench.value("stairs(2*x)").scalar())), "14*der(x)");
  // What is told looks at no rates of the places: neither x nor y is differentiated.
  const ExprId place = bench.value("place({x, y, 5}, time)").scalar();
  EXPECT_EQ(symbolic::evaluate(bench.pool, place,
                               {{x, 3}, {bench.value("y").scalar(), 4}, {bench.pool.time(), 0}}),
            3);
  const ExprId speed = rate(place);
  EXPECT_EQ(symbolic::evaluate(bench.pool, speed,
                               {{x, 3}, {bench.value("y").scalar(), 4}, {bench.pool.time(), 0}}),
            4);
  EXPECT_EQ(bench.shown(rate(speed)), "5");
  // Jacobians are those of the body.
  EXPECT_EQ(symbolic::evaluate(bench.pool, symbolic::differentiate(bench.pool, place, x),
                               {{x, 3}, {bench.value("y").scalar(), 4}, {bench.pool.time(), 0}}),
            1);
}

TEST(Functions, ToldInversesSolveEquations) {
  Bench bench(model);
  const ExprId x = bench.value("x").scalar();
  const ExprId y = bench.value("y").scalar();
  const auto solution =
      symbolic::solve_for(bench.pool, bench.value("squared(2*x, 3)").scalar(), y, x);
  ASSERT_TRUE(solution.has_value());
  EXPECT_DOUBLE_EQ(symbolic::evaluate(bench.pool, solution->value, {{y, 48.0}}), 2);
  EXPECT_FALSE(symbolic::solve_for(bench.pool, bench.value("squared(3, x)").scalar(), y,
                                   bench.value("r.a").scalar()));
}

TEST(Functions, RecursionAndFunctionsThatWait) {
  Bench bench(model);
  const ExprId x = bench.value("x").scalar();
  const auto at = [&](const std::string& expression, double u) {
    return symbolic::evaluate(bench.pool, bench.value(expression).scalar(), {{x, u}});
  };
  EXPECT_EQ(bench.shown("bisect(6)"), "3/4");
  EXPECT_EQ(at("bisect(x)", 6), 0.75);
  EXPECT_EQ(at("bisect(x)", 0.5), 0.5);
  // The first y from 0 with 2*y - x >= 0: the offset of the function varies.
  EXPECT_EQ(at("generic(function line(slope=2, offset=-x), 0)", 5), 3);
}

TEST(Functions, VariablesInAnyOrderAndElementsOfTheRun) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("later(x)"), "{x, x, x}");
  const Value y = bench.value("put(i)");
  const ExprId i = bench.value("i").scalar();
  for (int k = 1; k <= 3; ++k)
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_EQ(symbolic::evaluate(bench.pool, y.scalars[n], {{i, static_cast<double>(k)}}),
                static_cast<int>(n) + 1 == k ? 7 : 0);
}

TEST(Functions, ArgumentsByNameAndDefault) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("limit(5)"), "1");
  EXPECT_EQ(bench.shown("limit(u=5, high=2)"), "2");
  EXPECT_EQ(bench.shown("limit(-5, 2)"), "-2");
  EXPECT_EQ(bench.shown("square({1, 2, 3})"), "{1, 4, 9}");
  EXPECT_EQ(bench.shown("limit({5, 0.5}, {1, 2})"), "{1, 0.5}");
  EXPECT_EQ(bench.shown("two({1, 2})"), "({1, 2}, {2, 4})");
}

TEST(Functions, FunctionsAsArguments) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("apply(function line(slope=2), x)"), "2*x + 1");
  EXPECT_EQ(bench.shown("apply(function line(slope=2, offset=3), 1)"), "6");
}

TEST(Functions, Records) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("R(1)"), "(a=1, k=2, w={1, 2})");
  EXPECT_EQ(bench.shown("R(a=x, w={3, 4})"), "(a=x, k=2, w={3, 4})");
  EXPECT_EQ(bench.shown("r"), "(a=r.a, k=r.k, w={r.w[1], r.w[2]})");
  EXPECT_EQ(bench.shown("record_in(R(1))"), "3");
  EXPECT_EQ(bench.shown("record_in(r)"), "r.a + r.w[2]");
  EXPECT_EQ(bench.shown("record_out(x)"), "(a=x, k=7, w={5, 2})");
  EXPECT_EQ(bench.shown("rs.a"), "{rs[1].a, rs[2].a}");
  EXPECT_EQ(bench.shown("rs[2].w"), "{rs[2].w[1], rs[2].w[2]}");
  EXPECT_EQ(bench.shown("rs.w[2]"), "{rs[1].w[2], rs[2].w[2]}");
  EXPECT_EQ(bench.shown("({R(1), R(2)}).a"), "{1, 2}");
}

TEST(Functions, OperatorRecords) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("C(1, 2) + C(3, 4)"), "(re=4, im=6)");
  EXPECT_EQ(bench.shown("C(1, 2) * C(3, 4)"), "(re=-5, im=10)");
  EXPECT_EQ(bench.shown("2 * C(3, 4)"), "(re=6, im=8)");
  EXPECT_EQ(bench.shown("z + 1"), "(re=z.re + 1, im=z.im)");
  EXPECT_EQ(bench.shown("{C(1), C(2)} + {C(3), C(4)}"), "{(re=4, im=0), (re=6, im=0)}");
  EXPECT_EQ(bench.shown("{C(1), C(2)} * {C(3), C(4)}"), "(re=11, im=0)");
  EXPECT_EQ(bench.shown("sum({C(1, 1), C(2, 3)})"), "(re=3, im=4)");
  EXPECT_EQ(bench.constant("pz * pz"), "(re=-3, im=4)");
}

// By exact values: whole(x) = whole(-1) x = 2 x for x > 0, else 2; in the other branch of `rooted`
// is the root of -4.
TEST(Functions, WithKnownArgumentsAreExecutedInBranchesThatMayNotBeTaken) {
  Bench bench(R"(
function between
  input Real u;
  output Real y;
algorithm
  y := whole(u);
end between;
function whole
  input Real u;
  output Real y;
algorithm
  if u > 0 then
    y := between(-1)*u;
  else
    y := 2;
  end if;
end whole;
function root
  input Real u;
  output Real y;
algorithm
  y := sqrt(u);
end root;
function rooted
  input Real u;
  output Real y;
algorithm
  if u > 0 then
    y := u;
  else
    y := root(-4);
  end if;
end rooted;
model M
  Real x;
end M;
)");
  const ExprId x = bench.value("x").scalar();
  const auto at = [&](const std::string& expression, double value) {
    return symbolic::evaluate(bench.pool, bench.value(expression).scalar(), {{x, value}});
  };
  EXPECT_EQ(at("whole(x)", 3), 6);
  EXPECT_EQ(at("whole(x)", -3), 2);
  EXPECT_EQ(at("rooted(x)", 3), 3);
  EXPECT_EQ(bench.mistake("root(-4)"), "M207 the square root of a negative number.");
}

TEST(Functions, Mistakes) {
  Bench bench(model);
  EXPECT_EQ(bench.mistake("square()"), "M204 'square' needs a value for 'u'.");
  EXPECT_EQ(bench.mistake("square(1, 2)"), "M204 'square' takes 1 argument, but there are 2.");
  EXPECT_EQ(bench.mistake("limit(1, hi=2)"),
            "M205 'limit' has no argument 'hi'; it has u, high, low.");
  EXPECT_EQ(bench.mistake("limit(1, u=2)"), "M204 argument 'u' of 'limit' is given twice.");
  EXPECT_EQ(bench.mistake("square(true)"),
            "M202 argument 'u' of 'square' has type Real, but this is Boolean.");
  EXPECT_EQ(bench.mistake("total(1)"),
            "M203 argument 'u' of 'total' has size [0], but this has 1 (a scalar).");
  EXPECT_EQ(bench.mistake("checked(-1)"), "M211 assertion in 'checked' failed: u is -1");
  EXPECT_EQ(bench.mistake("nothing(1)"),
            "M213 'nothing' gives its output 'y' no value for these arguments.");
  EXPECT_EQ(bench.mistake("endless(1)").substr(0, 4), "M210");
  EXPECT_EQ(bench.mistake("R()"), "M204 'R' needs a value for 'a'.");
}

// They were taken in the order of writing, or passed over.
TEST(Functions, NamesOfArgumentsOfBuiltInFunctionsAreLookedAt) {
  Bench bench(model);
  EXPECT_EQ(bench.mistake("mod(y = 3, x = 7)"),
            "M205 'mod' takes its arguments by their order, not by name. Leave out 'y ='.");
  EXPECT_EQ(
      bench.mistake("delay(1, 2, delayMax = 3)"),
      "M205 'delay' takes its arguments by their order, not by name. Leave out 'delayMax ='.");
  EXPECT_EQ(bench.mistake("homotopy(1, simple = 2)"),
            "M205 'homotopy' has no argument 'simple'; it has actual, simplified.");
  EXPECT_EQ(bench.mistake("homotopy(1, actual = 2)"),
            "M204 argument 'actual' of 'homotopy' is given twice.");
  EXPECT_EQ(bench.shown("homotopy(simplified = 1, actual = 2)"), "2");
}

}  // namespace
}  // namespace alembert::modelica
