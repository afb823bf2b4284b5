// SPDX-License-Identifier: Apache-2.0
// String variables: who gives them a text, and what becomes of texts that change.
#include <gtest/gtest.h>

#include "flatten_helpers.hpp"

namespace alembert::modelica {
namespace {

/// The flat model has this line.
void expect_line(const std::string& text, const std::string& line) {
  const std::string flat = flat_text_of(text);
  EXPECT_NE(flat.find(line), std::string::npos) << line << "\n" << flat;
}

TEST(TextVariables, get_texts_from_declarations_and_equations) {
  expect_line(R"(
model M
  String a = "x", b, c;
  Real z = if b == "x and y" and c == a then time else 0;
equation
  b = a + " and y";
  "x" = c;
end M;)",
              "z = time;");
}

TEST(TextVariables, get_their_elements_from_loops_and_choices) {
  expect_line(R"(
model M
  String s[3];
  Real z = if s[1] == "u" and s[2] == "v" and s[3] == "w!" then time else 0;
equation
  for i in {"u", "v", "w"} loop
    if i == "u" then
      s[1] = i;
    elseif i == "v" then
      s[2] = i;
    else
      s[3] = i + "!";
    end if;
  end for;
end M;)",
              "z = time;");
}

TEST(TextVariables, of_a_part_get_texts_from_outside) {
  expect_line(R"(
model A
  String s;
  Real z = if s == "here" then time else 0;
end A;
model M
  A a;
equation
  a.s = "here";
end M;)",
              "a.z = time;");
}

TEST(TextVariables, are_assigned_by_algorithms_one_after_the_other) {
  expect_line(R"(
model M
  String s, t[2];
  Real z = if s == "ab" and t[2] == "2" then time else 0;
algorithm
  s := "a";
  s := s + "b";
  for i in 1:2 loop
    t[i] := String(i);
  end for;
end M;)",
              "z = time;");
}

TEST(TextVariables, that_a_when_changes_are_numbers) {
  const std::string flat = flat_text_of(R"(
model M
  String s(start = "none");
  Boolean b = s == "some";
equation
  when time > 1 then
    s = "some";
  end when;
end M;)");
  EXPECT_NE(flat.find("discrete Integer s(start = 0);"), std::string::npos) << flat;
  EXPECT_NE(flat.find("b = 1 == s;"), std::string::npos) << flat;
}

TEST(TextVariables, of_choices_are_compared_by_their_conditions) {
  expect_line(R"(
model M
  String s = if time < 2 then "early" else "late";
  Boolean b = s == "late";
end M;)",
              "b = 1 == (if time < 2 then 0 else 1);");
}

TEST(TextVariables, that_show_words_are_compared_by_them) {
  expect_line(R"(
type E = enumeration(one, two, three);
model M
  E e = if time < 1 then E.one else E.two;
  Boolean b = "it is " + String(e) == "it is two";
end M;)",
              "b = 2 == e;");
}

TEST(TextVariables, that_show_numbers_are_equal_in_an_interval) {
  // As printf rounds, halves to even: 2 is written from 1.5 to 2.5.
  const std::string flat = flat_text_of(R"(
model M
  Integer n = if time < 1 then 1 else 2;
  Boolean b = String(n) == "2";
  Boolean c = String(n) == "two";
end M;)");
  EXPECT_NE(flat.find("b = 1.5 <= n and n <= 2.5;"), std::string::npos) << flat;
  EXPECT_NE(flat.find("c = false;"), std::string::npos) << flat;
}

TEST(TextVariables, that_depend_on_themselves_are_told) {
  const std::string said = mistakes_in(R"(
model M
  String a, b;
  Boolean c = a == "x";
equation
  a = b + "x";
  b = a + "y";
end M;)");
  EXPECT_NE(said.find("error[M214]: the value of 'a' depends on itself."), std::string::npos)
      << said;
}

}  // namespace
}  // namespace alembert::modelica
