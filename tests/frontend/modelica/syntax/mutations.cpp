// SPDX-License-Identifier: Apache-2.0
#include "mutations.hpp"

#include <gtest/gtest.h>

#include <random>

#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "dump.hpp"

namespace alembert::modelica {

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

void read_mutations(const std::string& original, int runs, unsigned seed) {
  const std::string_view pieces[] = {
      "(",           ")",    "[",     "]",      "{",         "}",       ";",   ",",
      "\"",          "'",    "/*",    "*/",     "//",        "end ",    "if ", "then ",
      "else ",       "for ", "when ", "model ", "= ",        ":=",      ".",   "redeclare ",
      "annotation(", "\xFF", "\0",    "\n",     "equation ", "within ", "1e",  "^"};
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int run = 0; run < runs; ++run) {
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

std::string repeated(std::string_view piece, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += piece;
  return text;
}

}  // namespace alembert::modelica
