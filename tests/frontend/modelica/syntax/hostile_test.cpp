// SPDX-License-Identifier: Apache-2.0
// Texts that nobody writes: broken, cut off, deep, huge. They end in a tree or in messages, soon.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "dump.hpp"
#include "every_construct.hpp"

namespace alembert::modelica {
namespace {

/// Reads it; what was read without mistakes can be printed and read again.
void read_safely(const std::string& text) {
  const auto file = parse_text("fuzz.mo", text);
  if (!file->diagnostics.empty()) {
    EXPECT_LE(file->diagnostics.size(), 20u);
    return;
  }
  const auto again = parse_text("again.mo", to_text(file->definition));
  ASSERT_TRUE(again->diagnostics.empty()) << text << "\n" << to_string(again->diagnostics.front());
  EXPECT_EQ(dump(again->definition), dump(file->definition));
}

double seconds_to_read(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  parse_text("big.mo", text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string repeated(std::string_view piece, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += piece;
  return text;
}

TEST(Hostile, every_prefix_of_a_text) {
  const std::string text = every_construct;
  for (std::size_t n = 0; n < text.size(); ++n) read_safely(text.substr(0, n));
}

/// Bytes changed, removed, repeated; tokens swapped. The seed is fixed, so a failure repeats.
TEST(Hostile, mutations) {
  const std::string original = every_construct;
  const std::string_view pieces[] = {
      "(",           ")",    "[",     "]",      "{",         "}",       ";",   ",",
      "\"",          "'",    "/*",    "*/",     "//",        "end ",    "if ", "then ",
      "else ",       "for ", "when ", "model ", "= ",        ":=",      ".",   "redeclare ",
      "annotation(", "\xFF", "\0",    "\n",     "equation ", "within ", "1e",  "^"};
  std::mt19937 random(20230407);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int run = 0; run < 3000; ++run) {
    std::string text = original;
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      const std::size_t length = 1 + below(40);
      switch (below(5)) {
        case 0: text[at] = static_cast<char>(below(256)); break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, pieces[below(std::size(pieces))]); break;
        case 3: text.insert(at, text.substr(below(text.size()), length)); break;
        case 4: text.replace(at, length, pieces[below(std::size(pieces))]); break;
      }
    }
    read_safely(text);
  }
}

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
  for (int run = 0; run < 3000; ++run) {
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
  const std::string equation = "model M equation x = ";
  read_safely(equation + repeated("1 + ", max_expression_height - 1) + "1; end M;");
  read_safely(equation + repeated("if a then 1 else ", 20000) + "1; end M;");
  read_safely(equation + repeated("(", max_nesting - 10) + "1" + repeated(")", max_nesting - 10) +
              "; end M;");
}

TEST(Hostile, size_costs_in_proportion) {
  const std::string array = "model M Real x[:] = {" + repeated("1.5, ", 1000000) + "1}; end M;";
  EXPECT_LT(seconds_to_read(array), 20.0);
  EXPECT_LT(seconds_to_read("model M " + repeated("Real x; ", 300000) + "end M;"), 20.0);
  EXPECT_LT(seconds_to_read("model M equation " + repeated("x = y; ", 300000) + "end M;"), 20.0);
  EXPECT_LT(seconds_to_read("model M \"" + std::string(20000000, 'x') + "\" end M;"), 20.0);
  EXPECT_LT(seconds_to_read(std::string(20000000, '\n')), 20.0);
  EXPECT_LT(seconds_to_read("model M Real x" + std::string(5000000, ' ') + " error error; end M;"),
            20.0);
  EXPECT_LT(seconds_to_read("model M Real " + std::string(5000000, 'x') + " = ; end M;"), 20.0);
  EXPECT_LT(seconds_to_read(repeated("end ", 1000000)), 20.0);
  EXPECT_LT(seconds_to_read("model M " + repeated("end if; ", 1000000)), 20.0);
  EXPECT_LT(seconds_to_read("model M " + repeated("\"a\" + ", 300000) + "\"\" end M;"), 20.0);
}

}  // namespace
}  // namespace alembert::modelica
