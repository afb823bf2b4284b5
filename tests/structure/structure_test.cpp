// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "alembert/structure/lengthen_chains.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/symbolic/print.hpp"
#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

std::string name_of(const flat::FlatSystem& flat, const Variable& variable) {
  std::string name = flat.pool->symbol_text(flat.unknowns[variable.unknown].symbol);
  for (Index k = 0; k < variable.order; ++k) name = "der(" + name + ")";
  return name;
}

/// "x der(x) y" for an equation of the flat system.
std::string row_text(const flat::FlatSystem& flat, const Structure& structure, Index source) {
  std::string text;
  for (Index e = 0; e < structure.n_sources; ++e)
    if (structure.equations[e].source == source)
      for (const Index v : structure.incidence[e])
        text += (text.empty() ? "" : " ") + name_of(flat, structure.variables[v]);
  return text;
}

TEST(Structure, ChainsReachTheHighestOrderThatOccurs) {
  const auto flat = text_model("x y", {"der(der(x)) = g*y", "x + y = time"}, "g");
  const Structure structure = extract_structure(flat);
  std::vector<std::string> names;
  for (const Variable& variable : structure.variables) names.push_back(name_of(flat, variable));
  EXPECT_EQ(names, (std::vector<std::string>{"x", "der(x)", "der(der(x))", "y"}));
  EXPECT_EQ(structure.variables[0].derivative, 1u);
  EXPECT_EQ(structure.variables[1].derivative, 2u);
  EXPECT_TRUE(structure.is_highest(2));
  EXPECT_TRUE(structure.is_highest(3));
  EXPECT_EQ(row_text(flat, structure, 0), "der(der(x)) y");
  EXPECT_EQ(row_text(flat, structure, 1), "x y");
}

TEST(Structure, WhatCancelsDoesNotOccur) {
  const auto flat = text_model("x y z",
                               {"der(x) + y = der(x) + z*time", "x*y - y*x + z = 1",
                                "C*(der(x) - der(y)) + C*(der(y) - z) = 0"},
                               "C");
  const Structure structure = extract_structure(flat);
  EXPECT_EQ(row_text(flat, structure, 0), "y z");
  EXPECT_EQ(row_text(flat, structure, 1), "z");
  EXPECT_EQ(row_text(flat, structure, 2), "der(x) z");
  const auto left = residual(*flat.pool, flat.equations[2]);
  EXPECT_EQ(to_text(*flat.pool, left).find("der(y)"), std::string::npos);
}

TEST(Structure, WhatOnlyLooksLikeCancellingStays) {
  // Nonlinear in der(x), and a choice that depends on it: the value does depend on der(x).
  const auto flat = text_model(
      "x y", {"abs(der(x)) + der(x) = y", "(if der(x) > 0 then 1 else 2) + der(x)*y = 1"});
  const Structure structure = extract_structure(flat);
  EXPECT_EQ(row_text(flat, structure, 0), "der(x) y");
  EXPECT_EQ(row_text(flat, structure, 1), "der(x) y");
}

TEST(Structure, NumbersFollowNamesAndContentNotTheOrderOfWriting) {
  const std::vector<std::string> equations = {"der(x2) = x10", "x10 + x1 = time", "x1 = x2^2"};
  const auto one = text_model("x1 x2 x10", equations);
  const auto other = text_model("x10 x2 x1", {equations[2], equations[0], equations[1]});
  const Structure a = extract_structure(one);
  const Structure b = extract_structure(other);
  EXPECT_EQ(a.incidence.begin, b.incidence.begin);
  EXPECT_EQ(a.incidence.items, b.incidence.items);
  const std::vector<Index> moved = {1, 2, 0};  // where an equation of `one` is in `other`
  for (Index e = 0; e < 3; ++e)
    EXPECT_EQ(moved[a.equations[e].source], b.equations[e].source) << "equation " << e;
  for (Index v = 0; v < a.variables.size(); ++v)
    EXPECT_EQ(name_of(one, a.variables[v]), name_of(other, b.variables[v]));
}

/// "der(x) by der(x) = y, y by ...", in the order of the variables; empty where nothing is matched.
std::string matching_text(const flat::FlatSystem& flat, const Structure& structure) {
  std::string text;
  for (Index v = 0; v < structure.var_to_eq.size(); ++v)
    if (const Index e = structure.var_to_eq[v]; e != none) {
      const flat::FlatEquation& equation = flat.equations[structure.equations[e].source];
      text += (text.empty() ? "" : ", ") + name_of(flat, structure.variables[v]) + " by " +
              to_text(*flat.pool, equation.left) + " = " + to_text(*flat.pool, equation.right);
    }
  return text;
}

TEST(Structure, EquationsThatAreEachWrittenForTheirOwnAreMatchedAsTheyAreRead) {
  const auto flat = text_model("x y z", {"der(x) = y", "x + z = y", "z = sin(y)"});
  EXPECT_EQ(matching_text(flat, extract_structure(flat)),
            "der(x) by der(x) = y, y by x + z = y, z by z = sin(y)");
}

TEST(Structure, WhatIsNotWrittenAsAMatchingIsLeftToTheSearch) {
  const std::vector<std::vector<std::string>> models = {
      {"x = y", "x = 2*y", "z = 1 + x"},             // x twice
      {"x = x + y", "y = 2*x*z", "z = 1 + y"},       // x cancels
      {"der(x) = y", "x = 2 + sin(z)", "z = y"},     // x is not the highest of its chain
      {"x + y = 3", "y = 2 + cos(x)", "z = 1 + y"},  // written for nothing
      {"x = y", "y = 2*x*z"},                        // too few
  };
  for (const std::vector<std::string>& equations : models)
    EXPECT_EQ(extract_structure(text_model("x y z", equations)).var_to_eq, std::vector<Index>())
        << equations.front();
}

TEST(Structure, TheMatchingThatIsWrittenGivesWhatASearchGives) {
  // Second route: the same equations with nothing alone on a side.
  const auto written =
      text_model("a b c d", {"der(a) = b*c", "b = a + d", "c = sin(b) + d", "d = cos(c) - b"});
  const auto searched = text_model(
      "a b c d", {"der(a) - b*c = 0", "b - a - d = 0", "c - sin(b) - d = 0", "d - cos(c) + b = 0"});
  Structure one = extract_structure(written), other = extract_structure(searched);
  EXPECT_FALSE(one.var_to_eq.empty());
  ASSERT_TRUE(other.var_to_eq.empty());
  match_highest(one);
  match_highest(other);
  EXPECT_EQ(std::ranges::count(one.var_to_eq, none), 1) << "a, whose derivative is there";
  EXPECT_EQ(std::ranges::count(other.var_to_eq, none), 1);
  EXPECT_EQ(make_plan(written).structure.equations.size(),
            make_plan(searched).structure.equations.size());
}

TEST(Structure, LongerChainsAreMatchedAnew) {
  const auto flat = text_model("x y", {"der(x) = y", "y = x^2"});
  Structure structure = extract_structure(flat);
  ASSERT_FALSE(structure.var_to_eq.empty());
  lengthen_chains(structure, std::vector<Index>{1, 1});
  match_highest(structure);
  EXPECT_EQ(structure.var_to_eq.size(), structure.variables.size());
  EXPECT_EQ(matching_text(flat, structure), "der(x) by der(x) = y");
}

/// "S001 text", a line a finding, each followed by its notes.
std::vector<std::string> findings(const flat::FlatSystem& flat) {
  std::vector<std::string> lines;
  try {
    make_plan(flat);
  } catch (const Error& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      lines.push_back(to_string(diagnostic.origin) + " " + diagnostic.code + " " + diagnostic.text);
      for (const Note& note : diagnostic.notes)
        lines.push_back("  " + note.text + " " + to_string(note.origin));
    }
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Structure, FamiliesThatTakeTurnsAndShuffledOnesAreNumberedTheSame) {
  std::vector<std::string> sorted, in_turns, equations;
  for (const char* family : {"a", "b", "c"})
    for (int i = 1; i <= 30; ++i) sorted.push_back(family + std::to_string(i));
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t family = 0; family < 3; ++family) in_turns.push_back(sorted[30 * family + i]);
  // Many equations with the same first unknown, some with the same last one as well.
  for (std::size_t k = 0; k < sorted.size(); ++k)
    equations.push_back("der(" + sorted[k] + ") = " + sorted[k / 20] + "*" +
                        sorted[sorted.size() - 1 - k / 30] + " + " + std::to_string(k));
  const auto numbered = [](const std::vector<std::string>& unknowns,
                           const std::vector<std::string>& rows) {
    std::string names;
    for (const std::string& name : unknowns) names += name + " ";
    const auto flat = text_model(names, rows);
    const Structure structure = extract_structure(flat);
    std::vector<std::string> text;
    for (const Variable& variable : structure.variables) text.push_back(name_of(flat, variable));
    for (const Equation& equation : structure.equations)
      text.push_back(row_text(flat, structure, equation.source));
    return text;
  };
  const std::vector<std::string> expected = numbered(sorted, equations);
  for (std::size_t k = 0; k < sorted.size(); ++k) EXPECT_EQ(expected[2 * k], sorted[k]);
  EXPECT_EQ(numbered(in_turns, equations), expected);
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(round % 2 == 0 ? sorted : in_turns, random);
    std::ranges::shuffle(equations, random);
    EXPECT_EQ(numbered(round % 2 == 0 ? sorted : in_turns, equations), expected);
  }
}

TEST(StructuralErrors, ARegularSystemHasNone) {
  EXPECT_EQ(findings(text_model("x y", {"der(x) = y", "x = time"})), Lines{});
}

/// Two equations for x, none for z.
TEST(StructuralErrors, BothMistakesOfASystemAreNamed) {
  EXPECT_EQ(findings(text_model("x y z", {"der(x) = 1", "x = 2", "y = k"}, "k")),
            (Lines{"model.txt:1:1 S001 too many equations: 2 equations for 1 unknown, 'x'. Remove "
                   "one of the equations listed.",
                   "  equation 'der(x) = 1' model.txt:1:1", "  equation 'x = 2' model.txt:2:1",
                   "model.txt:102:1 S002 structurally singular: 0 equations for 1 unknown; nothing "
                   "determines 'z' (model.txt:102:1). Add an equation or make it a parameter."}));
}

TEST(StructuralErrors, SeparatePartsAreReportedSeparately) {
  EXPECT_EQ(
      findings(
          text_model("a b p q r s", {"a = 1", "a = 2", "b = 3", "b = 4", "p + q = 1", "r*s = 2"})),
      (Lines{"model.txt:1:1 S001 too many equations: 2 equations for 1 unknown, 'a'. Remove one "
             "of the equations listed.",
             "  equation 'a = 1' model.txt:1:1", "  equation 'a = 2' model.txt:2:1",
             "model.txt:3:1 S001 too many equations: 2 equations for 1 unknown, 'b'. Remove one "
             "of the equations listed.",
             "  equation 'b = 3' model.txt:3:1", "  equation 'b = 4' model.txt:4:1",
             "model.txt:102:1 S002 structurally singular: 1 equation for 2 unknowns; nothing "
             "determines all of 'p' and 'q'. Add an equation or make one of them a parameter.",
             "  equation 'p + q = 1' model.txt:5:1",
             "model.txt:104:1 S002 structurally singular: 1 equation for 2 unknowns; nothing "
             "determines all of 'r' and 's'. Add an equation or make one of them a parameter.",
             "  equation 'r*s = 2' model.txt:6:1"}));
}

TEST(StructuralErrors, AParameterIsProposedWhereThereIsOne) {
  const Lines lines = findings(text_model("x", {"x = k", "x = 2*time"}, "k"));
  ASSERT_FALSE(lines.empty());
  EXPECT_TRUE(lines.front().ends_with(
      "Remove one of the equations listed, or make a parameter in them an unknown."))
      << lines.front();
}

TEST(StructuralErrors, CountsMoreThanOneInExcessOrMissing) {
  EXPECT_EQ(
      findings(text_model("x a b c", {"x = 1", "x = time", "x = 3", "a + b + c = 0"})),
      (Lines{"model.txt:1:1 S001 too many equations: 3 equations for 1 unknown, 'x'. Remove 2 "
             "of the equations listed, for example 'x = time' (model.txt:2:1) and 'x = 3' "
             "(model.txt:3:1).",
             "  equation 'x = 1' model.txt:1:1", "  equation 'x = time' model.txt:2:1",
             "  equation 'x = 3' model.txt:3:1",
             "model.txt:101:1 S002 structurally singular: 1 equation for 3 unknowns; nothing "
             "determines all of 'a', 'b' and 'c'. Add 2 equations or make 2 of them "
             "parameters, for example 'b' and 'c'.",
             "  equation 'a + b + c = 0' model.txt:4:1"}));
}

TEST(StructuralErrors, AnEquationWithoutUnknowns) {
  EXPECT_EQ(
      findings(text_model("x", {"k = 2"}, "k")),
      (Lines{"model.txt:1:1 S001 equation 'k = 2' contains no unknown, so it determines nothing. "
             "Remove it, or make a parameter in it an unknown.",
             "model.txt:100:1 S002 structurally singular: 0 equations for 1 unknown; nothing "
             "determines 'x' (model.txt:100:1). Add an equation or make it a parameter."}));
}

TEST(StructuralErrors, LongListsAreCut) {
  std::vector<std::string> equations;
  for (int i = 0; i < 40; ++i) equations.push_back("x = " + std::to_string(i));
  const Lines lines = findings(text_model("x", equations));
  ASSERT_EQ(lines.size(), 27u);
  EXPECT_EQ(lines.back(), "  and 15 more equations ");
}

// One of a chain of derivatives is hardly ever the equation too many.
TEST(StructuralErrors, OfALongListTheAlgebraicEquationsComeFirst) {
  std::vector<std::string> equations = {"der(x1) = -x1"};
  std::string unknowns = "x1";
  for (int i = 2; i <= 40; ++i) {
    equations.push_back("der(x" + std::to_string(i) + ") = x" + std::to_string(i - 1));
    unknowns += " x" + std::to_string(i);
  }
  equations.push_back("x40 = 2");
  const Lines lines = findings(text_model(unknowns, equations));
  ASSERT_EQ(lines.size(), 27u);
  EXPECT_EQ(lines[1], "  equation 'x40 = 2' model.txt:41:1");
}

}  // namespace
}  // namespace alembert::structure
