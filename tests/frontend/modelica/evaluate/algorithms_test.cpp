// SPDX-License-Identifier: Apache-2.0
// Algorithm sections of models, events, derivatives and external functions.
#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {
namespace {

TEST(Algorithms, LaterStatementsSeeEarlierOnes) {
  Bench bench(R"(
model M
  Real x, y, z;
algorithm
  y := 2*x;
  z := y + 1;
  y := y*y;
end M;
)");
  EXPECT_EQ(bench.algorithm(), (std::vector<std::string>{"y := 4*x^2", "z := 2*x + 1"}));
}

TEST(Algorithms, WhenStartsFromBefore) {
  Bench bench(R"(
model M
  Real x;
  Integer n;
  discrete Real last;
algorithm
  when x > 1 then
    n := n + 1;
    last := x;
  end when;
end M;
)");
  EXPECT_EQ(bench.algorithm(),
            (std::vector<std::string>{"n := if 1 < x then pre(n) + 1 else pre(n)",
                                      "last := if 1 < x then x else pre(last)"}));
}

TEST(Algorithms, ElementsChosenInTheRun) {
  Bench bench(R"(
model M
  Integer i;
  Real u;
  discrete Real buffer[2];
algorithm
  buffer[i] := u;
end M;
)");
  EXPECT_EQ(bench.algorithm(),
            (std::vector<std::string>{"buffer[1] := if 1 == i then u else pre(buffer[1])",
                                      "buffer[2] := if 2 == i then u else pre(buffer[2])"}));
}

TEST(Algorithms, AssertionsAndReinitsGoToTheModel) {
  Bench bench(R"(
model M
  Real x;
  Boolean b;
algorithm
  if b then
    assert(x > 0, "x must be positive");
    reinit(x, 2*x);
  end if;
end M;
)");
  EXPECT_TRUE(bench.algorithm().empty());
  ASSERT_EQ(bench.hooks.log.size(), 2u);
  EXPECT_EQ(bench.hooks.log[1], "reinit x to 2*x if 0 <> b");
}

const char* const events = R"(
model M
  Real x, y;
  Boolean b;
  Integer i;
  parameter Real p = 1;
end M;
)";

TEST(Events, DerivativesAndPrevious) {
  Bench bench(events);
  EXPECT_EQ(bench.shown("der(x)"), "der(x)");
  EXPECT_EQ(bench.shown("der(x*y)"), "x*der(y) + der(x)*y");
  EXPECT_EQ(bench.shown("der(p)"), "0");
  EXPECT_EQ(bench.shown("pre(i)"), "pre(i)");
  EXPECT_EQ(bench.shown("pre(b)"), "0 <> pre(b)");
  EXPECT_EQ(bench.shown("change(i)"), "i <> pre(i)");
  EXPECT_EQ(bench.shown("edge(b)"), "0 <> b and 0 == pre(b)");
  EXPECT_EQ(bench.shown("noEvent(x + 1)"), "noEvent(x + 1)");
  EXPECT_EQ(bench.shown("noEvent(x > 1)"), "0 <> noEvent(if 1 < x then 1 else 0)");
  EXPECT_EQ(bench.shown("homotopy(x, y)"),
            "if 'homotopy()' < 1 then x - 'homotopy()'*(x - y) else y");
  EXPECT_EQ(bench.shown("homotopy(p, 2)"), "p");
  EXPECT_EQ(bench.shown("initial()"), "0 <> 'initial()'");
  EXPECT_EQ(bench.mistake("pre(x + 1)"), "M202 'pre' is for variables only, not for expressions.");
  EXPECT_EQ(bench.mistake("spatialDistribution(x, x, x)"),
            "M202 'spatialDistribution' needs its argument 'positiveVelocity': it takes what is "
            "offered at both ends, how far everything moved, and whether it moves from end 0 to "
            "end 1.");
}

TEST(Builtins, Arrays) {
  Bench bench(events);
  EXPECT_EQ(bench.shown("size([1, 2; 3, 4; 5, 6])"), "{3, 2}");
  EXPECT_EQ(bench.shown("identity(2)"), "{{1, 0}, {0, 1}}");
  EXPECT_EQ(bench.shown("diagonal({1, 2})"), "{{1, 0}, {0, 2}}");
  EXPECT_EQ(bench.shown("linspace(0, 1, 3)"), "{0, 1/2, 1}");
  EXPECT_EQ(bench.shown("transpose([1, 2; 3, 4])"), "{{1, 3}, {2, 4}}");
  EXPECT_EQ(bench.shown("cross({1, 0, 0}, {0, 1, 0})"), "{0, 0, 1}");
  EXPECT_EQ(bench.shown("skew({1, 2, 3}) * {x, y, 1}"), bench.shown("cross({1, 2, 3}, {x, y, 1})"));
  EXPECT_EQ(bench.shown("outerProduct({1, 2}, {3, 4})"), "{{3, 4}, {6, 8}}");
  EXPECT_EQ(bench.shown("cat(1, {1}, {2, 3})"), "{1, 2, 3}");
  EXPECT_EQ(bench.shown("cat(2, [1; 2], [3; 4])"), "{{1, 3}, {2, 4}}");
  EXPECT_EQ(bench.shown("scalar({7})"), "7");
  EXPECT_EQ(bench.shown("vector([1; 2])"), "{1, 2}");
  EXPECT_EQ(bench.shown("max({1, 5, 3})"), "5");
  EXPECT_EQ(bench.shown("max({b, x > 1})"), "0 <> b or 1 < x");
  EXPECT_EQ(bench.shown("sum(k^2 for k in 1:3)"), "14");
  EXPECT_EQ(bench.shown("product(k for k in 1:4)"), "24");
  EXPECT_EQ(bench.shown("{k*x for k in 1:2}"), "{x, 2*x}");
  EXPECT_EQ(bench.shown("{10*j + k for k in 1:3, j in 1:2}"), "{{11, 12, 13}, {21, 22, 23}}");
  EXPECT_EQ(bench.shown("sum(j*k for j in 1:2, k in 1:2)"), "9");
  EXPECT_EQ(bench.shown("mod(-7, 3)"), "2");
  EXPECT_EQ(bench.shown("rem(-7, 3)"), "-1");
  EXPECT_EQ(bench.shown("div(-7, 3)"), "-2");
  EXPECT_EQ(bench.shown("integer(-2.5)"), "-3");
  EXPECT_EQ(bench.value("ones(2)").kind, ValueKind::integer);
}

TEST(External, StringsMatricesAndRandomNumbers) {
  Bench bench(R"(
function length input String s; output Integer n; external "C" n = ModelicaStrings_length(s); end length;
function scan
  input String s;
  input Integer at;
  output Integer next;
  output Real number;
  external "C" ModelicaStrings_scanReal(s, at, false, next, number);
end scan;
function solve
  input Real A[:, size(A, 1)];
  input Real B[size(A, 1), :];
  output Real X[size(A, 1), size(B, 2)] = B;
  output Integer info;
protected
  Real work[size(A, 1), size(A, 1)] = A;
  Integer pivots[size(A, 1)];
  external "FORTRAN 77" dgesv(size(A, 1), size(B, 2), work, size(A, 1), pivots, X, size(B, 1), info);
end solve;
function random
  input Integer stateIn[2];
  output Real result;
  output Integer stateOut[2];
  external "C" ModelicaRandom_xorshift64star(stateIn, stateOut, result);
end random;
function missing input Real u; output Real y; external "C" y = no_such_function(u); end missing;
model M
  Real x;
end M;
)");
  EXPECT_EQ(bench.shown("length(\"abc\")"), "3");
  EXPECT_EQ(bench.shown("scan(\"a -1.5e1 b\", 2)"), "(9, -15)");
  EXPECT_EQ(bench.shown("solve([0, 2; 1, 1], [4; 3])"), "({{1}, {2}}, 0)");
  const Value later = bench.value("solve([0, 2; x, 1], [4; 3])");
  EXPECT_NEAR(symbolic::evaluate(bench.pool, later.fields[0].scalars[0],
                                 {{bench.value("x").scalar(), 4.0}}),
              0.25, 1e-15);
  // The next state holds the same 64 bits as the number.
  const Value drawn = bench.value("random({123, 456})");
  const auto half = [&](std::size_t k) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(
        symbolic::evaluate_constant(bench.pool, drawn.fields[1].scalars[k]))));
  };
  const auto bits = static_cast<std::int64_t>(half(0) | half(1) << 32);
  EXPECT_DOUBLE_EQ(symbolic::evaluate_constant(bench.pool, drawn.fields[0].scalar()),
                   static_cast<double>(bits) * 0x1p-64 + 0.5);
  EXPECT_EQ(
      bench.mistake("missing(1)"),
      "M212 the external function 'no_such_function' of 'missing' is not available here: nothing "
      "defines 'no_such_function' in C. Give its text in the annotation Include, or name its "
      "library by Library.");
}

}  // namespace
}  // namespace alembert::modelica
