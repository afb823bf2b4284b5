// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "dump.hpp"

namespace alembert::modelica {
namespace {

/// With parentheses around every operation: shows how it was understood.
std::string grouped(const Expression& e) {
  const auto operand = [&](std::size_t i) { return grouped(*e.operands[i]); };
  if (e.kind == ExpressionKind::unary)
    return "(" + std::string(to_text(e.op)) + " " + operand(0) + ")";
  if (e.kind == ExpressionKind::binary)
    return "(" + operand(0) + " " + std::string(to_text(e.op)) + " " + operand(1) + ")";
  return to_text(e);
}

std::string understood(const std::string& text) {
  return grouped(*parse_expression(text).expression);
}

TEST(Expression, operators_bind_as_the_specification_says) {
  EXPECT_EQ(understood("a + b * c ^ d"), "(a + (b * (c ^ d)))");
  EXPECT_EQ(understood("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(understood("a / b / c * d"), "(((a / b) / c) * d)");
  EXPECT_EQ(understood("-a ^ 2"), "(- (a ^ 2))");
  EXPECT_EQ(understood("-a * b + c"), "((- (a * b)) + c)");
  EXPECT_EQ(understood("not a and b or c"), "(((not a) and b) or c)");
  EXPECT_EQ(understood("not a < b"), "(not (a < b))");
  EXPECT_EQ(understood("a or b and c == d"), "(a or (b and (c == d)))");
  EXPECT_EQ(understood("a .* b .^ c .+ d ./ e .- f"), "(((a .* (b .^ c)) .+ (d ./ e)) .- f)");
  EXPECT_EQ(understood("a < -b"), "(a < (- b))");
  EXPECT_EQ(understood("a <> b"), "(a <> b)");
}

TEST(Expression, literals_keep_their_kind_and_value) {
  const auto literal = [](const char* text) { return parse_expression(text); };
  EXPECT_EQ(literal("42").expression->kind, ExpressionKind::integer);
  EXPECT_EQ(literal("42").expression->integer, 42);
  EXPECT_EQ(literal("42").expression->real, 42.0);
  EXPECT_EQ(literal("4.25e-1").expression->kind, ExpressionKind::real);
  EXPECT_EQ(literal("4.25e-1").expression->real, 0.425);
  EXPECT_EQ(literal("1.").expression->real, 1.0);
  EXPECT_EQ(literal("1E3").expression->real, 1000.0);
  EXPECT_EQ(literal("9223372036854775807").expression->integer, 9223372036854775807);
  EXPECT_EQ(literal("9223372036854775808").expression->kind, ExpressionKind::real);
  EXPECT_EQ(literal("1e-400").expression->real, 0.0);
  EXPECT_TRUE(literal("true").expression->boolean);
  EXPECT_EQ(literal("\"a\\tb\\\"c\\\\\"").expression->text, "a\tb\"c\\");
  EXPECT_EQ(literal("\"Ω \xF0\x9F\x98\x80\"").expression->text, "Ω \xF0\x9F\x98\x80");
}

TEST(Expression, a_chain_of_else_if_is_one_list) {
  const auto nested = parse_expression("if a then 1 else if b then 2 else 3");
  const auto flat = parse_expression("if a then 1 elseif b then 2 else 3");
  EXPECT_EQ(nested.expression->operands.size(), 5u);
  EXPECT_EQ(dump(nested.expression), dump(flat.expression));
  EXPECT_EQ(parse_expression("if a then 1 else (if b then 2 else 3)").expression->operands.size(),
            3u);
}

TEST(Expression, tuples_have_holes) {
  const auto tuple = parse_expression("(a, , b,)");
  ASSERT_EQ(tuple.expression->kind, ExpressionKind::tuple);
  ASSERT_EQ(tuple.expression->operands.size(), 4u);
  EXPECT_EQ(tuple.expression->operands[1], nullptr);
  EXPECT_EQ(tuple.expression->operands[3], nullptr);
  EXPECT_EQ(parse_expression("(a)").expression->kind, ExpressionKind::reference);
  EXPECT_EQ(parse_expression("()").expression->operands.size(), 0u);
}

TEST(Expression, references_have_parts_with_subscripts) {
  const auto parsed = parse_expression(".a.b[2, :, end].'c d'");
  const ComponentReference& reference = *parsed.expression->reference;
  EXPECT_TRUE(reference.absolute);
  ASSERT_EQ(reference.parts.size(), 3u);
  ASSERT_EQ(reference.parts[1].subscripts.size(), 3u);
  EXPECT_EQ(reference.parts[1].subscripts[1]->kind, ExpressionKind::colon);
  EXPECT_EQ(reference.parts[1].subscripts[2]->kind, ExpressionKind::end);
  EXPECT_EQ(reference.parts[2].name, Name("'c d'"));
}

TEST(Expression, calls_have_arguments_of_both_kinds) {
  const auto parsed = parse_expression("f(1, x = 2, g = function h(k = 3))");
  const Expression& call = *parsed.expression;
  EXPECT_EQ(call.operands.size(), 1u);
  ASSERT_EQ(call.named.size(), 2u);
  EXPECT_EQ(call.named[0].name, Name("x"));
  EXPECT_EQ(call.named[1].value->kind, ExpressionKind::partial_application);
  EXPECT_EQ(parse_expression("sum(i for i in 1:3, j)").expression->iterators.size(), 2u);
  EXPECT_EQ(parse_expression("der(x)").expression->reference->parts[0].name, Name("der"));
}

TEST(Expression, the_printer_keeps_needed_parentheses_only) {
  const auto printed = [](const char* text) { return to_text(*parse_expression(text).expression); };
  for (const char* text : {"a - (b - c)",
                           "(a + b) * c",
                           "-(a + b)",
                           "a^(-b)",
                           "(-a)^b",
                           "(a^b)^c",
                           "a^(b^c)",
                           "not (a and b)",
                           "(a < b) == c",
                           "2 .^ x",
                           "{1, 2.0, \"three\"}",
                           "[1, 2; 3, 4]",
                           "a:b:c",
                           "(a:b) + c",
                           "(if a then b else c) + d",
                           "f(if a then b else c)",
                           "if a then b else (if c then d else e)",
                           "x[1:end]",
                           "(a + b)[2, :]",
                           "(f(x)).re",
                           "{i for i in 1:3}",
                           "a * (b / c)",
                           "a - (-b)",
                           "(not a) == b",
                           "1e-05",
                           "(a, , b)"})
    EXPECT_EQ(printed(text), text);
  EXPECT_EQ(printed("((a) + ((b * c)))"), "a + b * c");
}

TEST(Expression, places_span_the_text) {
  const auto parsed = parse_expression("a +\n  f(b, c) * 2");
  const Expression& product = *parsed.expression->operands[1];
  EXPECT_EQ(parsed.expression->place.text(), "a +\n  f(b, c) * 2");
  EXPECT_EQ(product.place.text(), "f(b, c) * 2");
  EXPECT_EQ(product.place.line(), 2u);
  EXPECT_EQ(product.place.column(), 3u);
  EXPECT_EQ(parse_expression("\"äöü\" + x").expression->operands[1]->place.column(), 9u);
}

}  // namespace
}  // namespace alembert::modelica
