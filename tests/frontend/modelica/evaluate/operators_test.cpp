// SPDX-License-Identifier: Apache-2.0
// Operators, arrays, choices and ranges.
#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {
namespace {

const char* const model = R"(
type E = enumeration(one, two, three);
model M
  Real x, y;
  Real v[3];
  Real m[2, 2];
  Integer i;
  Boolean b;
  parameter Integer n = 3;
  parameter Real p = 2.5;
  parameter Boolean choose = true;
  constant Real c = 4;
  parameter E e = E.two;
equation
  x = 1;
end M;
)";

TEST(Operators, NumbersKeepTheirTypes) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("2 + 3 * 4"), "14");
  EXPECT_EQ(bench.value("2 + 3").kind, ValueKind::integer);
  EXPECT_EQ(bench.value("2 + 3.0").kind, ValueKind::real);
  EXPECT_EQ(bench.value("4 / 2").kind, ValueKind::real);
  EXPECT_EQ(bench.value("2 ^ 3").kind, ValueKind::real);
  EXPECT_EQ(bench.shown("2 ^ 3"), "8");
  EXPECT_EQ(bench.shown("-c"), "-4");
  EXPECT_DOUBLE_EQ(symbolic::evaluate_constant(bench.pool, bench.value("sqrt(2)").scalar()),
                   1.4142135623730951);
  EXPECT_TRUE(bench.pool.is_number(bench.value("sqrt(2)").scalar()));
}

TEST(Operators, Symbols) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("x + y"), "x + y");
  EXPECT_EQ(bench.shown("p * x"), "p*x");
  EXPECT_EQ(bench.constant("p * 2"), "5");
  EXPECT_EQ(bench.shown("v"), "{v[1], v[2], v[3]}");
  EXPECT_EQ(bench.shown("v[2]"), "v[2]");
  EXPECT_EQ(bench.shown("v[n]"), "v[3]");
  EXPECT_EQ(bench.shown("v[end - 1:end]"), "{v[2], v[3]}");
  EXPECT_EQ(bench.shown("m[:, 2]"), "{m[1,2], m[2,2]}");
  EXPECT_EQ(bench.shown("m[2]"), "{m[2,1], m[2,2]}");
  EXPECT_EQ(bench.shown("v[{3, 1}]"), "{v[3], v[1]}");
  EXPECT_EQ(bench.shown("b"), "0 <> b");
  EXPECT_EQ(bench.shown("not b"), "0 == b");
  EXPECT_EQ(bench.shown("time"), "time");
}

TEST(Operators, Arrays) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("{1, 2} + {3, 4}"), "{4, 6}");
  EXPECT_EQ(bench.shown("2 * {3, 4}"), "{6, 8}");
  EXPECT_EQ(bench.shown("{1, 2} * {3, 4}"), "11");
  EXPECT_EQ(bench.shown("[1, 2; 3, 4] * {1, 1}"), "{3, 7}");
  EXPECT_EQ(bench.shown("{1, 1} * [1, 2; 3, 4]"), "{4, 6}");
  EXPECT_EQ(bench.shown("[1, 2; 3, 4] * [0, 1; 1, 0]"), "{{2, 1}, {4, 3}}");
  EXPECT_EQ(bench.shown("[1, 1; 0, 1] ^ 5"), "{{1, 5}, {0, 1}}");
  EXPECT_EQ(bench.shown("{1, 2} .* {3, 4}"), "{3, 8}");
  EXPECT_EQ(bench.shown("{1, 2} .+ 1"), "{2, 3}");
  EXPECT_EQ(bench.shown("{2, 4} ./ 2"), "{1, 2}");
  EXPECT_EQ(bench.shown("{2, 3} .^ 2"), "{4, 9}");
  EXPECT_EQ(bench.shown("[{1, 2}, {3, 4}]"), "{{1, 3}, {2, 4}}");
  EXPECT_EQ(bench.shown("[1, 2; 3, 4; 5, 6]"), "{{1, 2}, {3, 4}, {5, 6}}");
  EXPECT_EQ(bench.shown("({{1, 2}, {3, 4}})[2, 1]"), "3");
}

TEST(Operators, Ranges) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("1:4"), "{1, 2, 3, 4}");
  EXPECT_EQ(bench.shown("4:-2:1"), "{4, 2}");
  EXPECT_EQ(bench.shown("1:0"), "{}");
  EXPECT_EQ(bench.shown("0:0.1:0.3"), "{0, 0.1, 0.2, 0.30000000000000004}");
  EXPECT_EQ(bench.value("1.0:3").kind, ValueKind::real);
  EXPECT_EQ(bench.shown("E.one:E.two"), "{1, 2}");
  EXPECT_EQ(bench.shown("false:true"), "{false, true}");
}

TEST(Operators, ConditionsAndChoices) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("1 < 2"), "true");
  EXPECT_EQ(bench.shown("x > y"), "y < x");
  EXPECT_EQ(bench.shown("b == true"), "0 <> b");
  EXPECT_EQ(bench.shown("b <> true"), "0 == b");
  EXPECT_EQ(bench.shown("if 1 < 2 then x else y"), "x");
  EXPECT_EQ(bench.shown("if b then x else y"), "if 0 <> b then x else y");
  EXPECT_EQ(bench.shown("if choose then x else y"), "x");
  EXPECT_EQ(bench.shown("if n > 5 then x elseif n > 2 then y else 1"), "y");
  EXPECT_EQ(bench.shown("if e == E.two then 1 else 2"), "1");
  EXPECT_EQ(bench.shown("if p > 1 then x else y"), "if 1 < p then x else y");
  // What is not taken is not looked at.
  EXPECT_EQ(bench.shown("if n > 5 then v[7] else 1"), "1");
  EXPECT_EQ(bench.shown("n > 5 and v[7] > 1"), "false");
  EXPECT_EQ(bench.shown("if b then {x, 1} else {y, 2}"),
            "{if 0 <> b then x else y, if 0 <> b then 1 else 2}");
}

TEST(Operators, StringsAndEnumerations) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("\"a\" + \"b\""), "\"ab\"");
  EXPECT_EQ(bench.shown("\"a\" < \"b\""), "true");
  EXPECT_EQ(bench.shown("\"a\" == \"b\""), "false");
  EXPECT_EQ(bench.shown("E.one < E.two"), "true");
  EXPECT_EQ(bench.shown("Integer(E.three)"), "3");
  EXPECT_EQ(bench.shown("String(E.three)"), "\"three\"");
  EXPECT_EQ(bench.shown("String(12)"), "\"12\"");
  EXPECT_EQ(bench.shown("String(12, minimumLength=4)"), "\"12  \"");
  EXPECT_EQ(bench.shown("String(12, minimumLength=4, leftJustified=false)"), "\"  12\"");
  EXPECT_EQ(bench.shown("String(3.14159265)"), "\"3.14159\"");
  EXPECT_EQ(bench.shown("String(3.14159265, significantDigits=3)"), "\"3.14\"");
  EXPECT_EQ(bench.shown("String(3.14159265, format=\".1f\")"), "\"3.1\"");
  EXPECT_EQ(bench.shown("String(true)"), "\"true\"");
  const Value text = bench.value("\"x = \" + String(x) + \", y = \" + String(y)");
  EXPECT_EQ(text.texts[0].text, "x = {1}, y = {2}");
  EXPECT_EQ(text.texts[0].values.size(), 2u);
}

TEST(Operators, SubscriptsOfTheRun) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("v[i]"), "if 1 == i then v[1] elseif 2 == i then v[2] else v[3]");
  // A longer list of numbers becomes a table.
  const Value picked = bench.value("({1, 4, 9, 16, 25, 36})[i]");
  for (int k = 1; k <= 6; ++k)
    EXPECT_EQ(symbolic::evaluate(bench.pool, picked.scalar(),
                                 {{bench.value("i").scalar(), static_cast<double>(k)}}),
              k * k);
}

TEST(Operators, Mistakes) {
  Bench bench(model);
  EXPECT_EQ(bench.mistake("1 + true"), "M202 '+' cannot be applied to Integer and Boolean.");
  EXPECT_EQ(bench.mistake("{1, 2} + {1, 2, 3}"),
            "M203 '+' needs sizes that go together, but the operands are Integer[2] and "
            "Integer[3].");
  EXPECT_EQ(bench.mistake("v[4]"),
            "M206 subscript 4 of 'v' is out of range: dimension 1 has size 3.");
  EXPECT_EQ(bench.mistake("v[1, 2]"), "M206 'v' has 1 dimension, but there are 2 subscripts.");
  EXPECT_EQ(bench.mistake("{1, \"a\"}"),
            "M202 the elements of an array must have one type, but there are Integer and String.");
  EXPECT_EQ(bench.mistake("if x > 0 then 1 else {1}"),
            "M203 the branches of 'if' must have one size, but they are Integer and Integer[1].");
  EXPECT_EQ(bench.mistake("if x then 1 else 2"),
            "M202 a condition must be a Boolean, but this is Real.");
  EXPECT_EQ(bench.mistake("zeros(i)"),
            "M201 this must be known before the run starts, but it depends on 'i'.");
  EXPECT_EQ(bench.mistake("not 1"), "M202 'not' needs a Boolean, but this is Integer.");
  EXPECT_EQ(bench.mistake("1:0:3"), "M203 the step of a range must not be zero.");
}

}  // namespace
}  // namespace alembert::modelica
