// SPDX-License-Identifier: Apache-2.0
// Texts that nobody writes: broken, cut off, deep, huge. They end in a tree or in messages, soon.
#include <gtest/gtest.h>

#include <random>

#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "every_construct.hpp"
#include "mutations.hpp"

namespace alembert::modelica {
namespace {

TEST(Hostile, every_prefix_of_a_text) {
  const std::string text = every_construct;
  for (std::size_t n = 0; n < text.size(); ++n) read_safely(text.substr(0, n));
}

TEST(Hostile, mutations) { read_mutations(every_construct, 1000, 20230407); }

TEST(Hostile, random_tokens) {
  const std::string_view tokens[] = {
      "model",      "M",         "end",       ";",         "Real",        "x",
      "=",          "equation",  "algorithm", "(",         ")",           "[",
      "]",          "{",         "}",         ",",         ":=",          "if",
      "then",       "else",      "for",       "in",        "loop",        "when",
      "elseif",     "elsewhen",  "1",         "2.5",       "\"s\"",       "+",
      "-",          "*",         "^",         ".",         ":",           "not",
      "and",        "der",       "initial",   "redeclare", "replaceable", "constrainedby",
      "annotation", "extends",   "import",    "type",      "enumeration", "external",
      "function",   "protected", "connect",   "package",   "while",       "break",
      "return",     "each",      "final",     "within",    "operator",    "record"};
  std::mt19937 random(4711);
  for (int run = 0; run < 1000; ++run) {
    std::string text = run % 2 == 0 ? "model M " : "";
    for (int n = 0; n < 120; ++n)
      text += std::string(tokens[random() % std::size(tokens)]) + (random() % 7 == 0 ? "\n" : " ");
    read_safely(text);
  }
}

TEST(Hostile, deep_nesting_is_an_error_not_a_crash) {
  const int n = 100000;
  const auto code_of = [](const std::string& text) {
    const auto file = parse_text("deep.mo", text);
    return file->diagnostics.empty() ? std::string("none") : file->diagnostics.front().code;
  };
  const std::string equation = "model M equation x = ";
  EXPECT_EQ(code_of(equation + repeated("(", n) + "1" + repeated(")", n) + "; end M;"), "M013");
  EXPECT_EQ(code_of(equation + repeated("{", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("[", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("f(", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("a[", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("-(", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("not (", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("if a then ", n)), "M013");
  EXPECT_EQ(code_of(equation + repeated("f(function g(h = ", n)), "M013");
  EXPECT_EQ(code_of(equation + "f(" + repeated("function g(h = ", n)), "M013");
  EXPECT_EQ(code_of("model M equation " + repeated("if a then ", n)), "M013");
  EXPECT_EQ(code_of("model M equation " + repeated("for i in 1:2 loop ", n)), "M013");
  EXPECT_EQ(code_of("model M algorithm " + repeated("while a loop ", n)), "M013");
  EXPECT_EQ(code_of("model M Real x" + repeated("(a", n) + ";"), "M013");
  EXPECT_EQ(code_of("model M A x" + repeated("(redeclare model B = C", n) + ";"), "M013");
  EXPECT_EQ(code_of(repeated("package P ", n)), "M013");
  EXPECT_EQ(code_of("model M A x" + repeated("(redeclare B b", n) + ";"), "M013");
  EXPECT_EQ(code_of(equation + repeated("1 + ", n) + "1; end M;"), "M013");
  EXPECT_EQ(code_of(equation + repeated("1 * ", n) + "1; end M;"), "M013");
  EXPECT_EQ(code_of(equation + repeated("a or ", n) + "a; end M;"), "M013");
}

TEST(Hostile, long_chains_within_the_limit_are_read) {
  const auto expect_read = [](const std::string& expression) {
    const std::string text = "model M equation x = " + expression + "; end M;";
    const auto file = parse_text("long.mo", text);
    EXPECT_TRUE(file->diagnostics.empty()) << to_string(file->diagnostics.front());
    read_safely(text);
  };
  expect_read(repeated("1 + ", max_expression_height - 1) + "1");
  expect_read(repeated("if a then 1 else ", 20000) + "1");
  expect_read(repeated("(", max_nesting - 10) + "1" + repeated(")", max_nesting - 10));
}

}  // namespace
}  // namespace alembert::modelica
