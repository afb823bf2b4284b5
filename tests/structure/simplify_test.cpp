// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/simplify.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "alembert/base/error.hpp"
#include "alembert/flat/to_text.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/symbolic/print.hpp"
#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

using Eliminations = std::map<std::string, std::string>;

Eliminations eliminations(const flat::FlatSystem& flat, const SimplifiedSystem& simplified) {
  Eliminations result;
  for (const EliminatedUnknown& e : simplified.eliminated)
    result[flat.pool->symbol_text(flat.unknowns[e.unknown].symbol)] =
        symbolic::to_text(*flat.pool, e.value);
  return result;
}

std::vector<std::string> equations(const flat::FlatSystem& flat) {
  std::vector<std::string> result;
  for (const auto& e : flat.equations)
    result.push_back(symbolic::to_text(*flat.pool, e.left) + " = " +
                     symbolic::to_text(*flat.pool, e.right));
  return result;
}

flat::Unknown& unknown(flat::FlatSystem& flat, const std::string& name) {
  for (flat::Unknown& u : flat.unknowns)
    if (flat.pool->symbol_text(u.symbol) == name) return u;
  throw std::runtime_error("no unknown " + name);
}

std::string message(const flat::FlatSystem& flat) {
  try {
    simplify_system(flat);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Simplify, AliasesAndConstants) {
  const auto flat = text_model("a bb ccc d e f x",
                               {"bb = a", "ccc + bb = 0", "d = 3", "2*e = d + p",
                                "f = e*x - e*x + ccc", "x = sin(time)", "der(a) = x + d*f"},
                               "p");
  const SimplifiedSystem s = simplify_system(flat);
  EXPECT_EQ(
      eliminations(flat, s),
      (Eliminations{{"bb", "a"}, {"ccc", "-a"}, {"d", "3"}, {"e", "p/2 + 3/2"}, {"f", "-a"}}));
  EXPECT_EQ(equations(s.flat), (std::vector<std::string>{"x = sin(time)", "der(a) = x - 3*a"}));
  EXPECT_EQ(s.kept_unknowns, (std::vector<Index>{0, 6}));
  EXPECT_EQ(s.kept_equations, (std::vector<Index>{5, 6}));
  EXPECT_TRUE(s.redundant.empty());
}

/// A constant makes products vanish, which makes aliases, and so on along the chain.
TEST(Simplify, ConstantsTravel) {
  const auto flat = text_model(
      "c0 c1 c2 y z w",
      {"c0 = 0", "c1 = cos(c0)", "c2 = c1 - 1", "y = c1*z + c2*w", "der(w) = y", "der(z) = c1*w"});
  const SimplifiedSystem s = simplify_system(flat);
  EXPECT_EQ(eliminations(flat, s),
            (Eliminations{{"c0", "0"}, {"c1", "1"}, {"c2", "0"}, {"z", "y"}}));
  EXPECT_EQ(equations(s.flat), (std::vector<std::string>{"der(w) = y", "der(y) = w"}));
}

TEST(Simplify, DerivativesOfAliases) {
  const auto flat = text_model("x yy v", {"yy = -x", "der(yy) = v", "der(der(x)) + v = 1"});
  const SimplifiedSystem s = simplify_system(flat);
  EXPECT_EQ(equations(s.flat), (std::vector<std::string>{"-der(x) = v", "v + der(der(x)) = 1"}));
  ASSERT_EQ(s.eliminated.size(), 1u);
  EXPECT_EQ(s.eliminated[0].highest_order, 1u);
  EXPECT_EQ(symbolic::to_text(*flat.pool, eliminated_value(*flat.pool, s.eliminated[0], 2)),
            "-der(der(x))");
}

TEST(Simplify, KeepsTheNameTheUserLooksAt) {
  auto flat = text_model("plant.motor.w w plant.w2",
                         {"plant.motor.w = w", "plant.w2 = w", "der(w) = -plant.motor.w"});
  EXPECT_EQ(simplify_system(flat).kept_unknowns, (std::vector<Index>{1}));
  unknown(flat, "plant.w2").fixed = true;
  unknown(flat, "plant.w2").start = flat.pool->integer(2);
  EXPECT_EQ(simplify_system(flat).kept_unknowns, (std::vector<Index>{2}));
  unknown(flat, "plant.motor.w").state_priority = 1;
  const SimplifiedSystem s = simplify_system(flat);
  EXPECT_EQ(s.kept_unknowns, (std::vector<Index>{0}));
  EXPECT_TRUE(s.flat.unknowns[0].fixed);
  EXPECT_EQ(symbolic::to_text(*flat.pool, s.flat.unknowns[0].start), "2");
}

TEST(Simplify, AttributesAreMerged) {
  auto flat = text_model("x yy zzz", {"yy = -x", "zzz = x", "der(x) = 1"});
  unknown(flat, "yy").start = flat.pool->integer(3);
  unknown(flat, "yy").min = -1;
  unknown(flat, "yy").max = 5;
  unknown(flat, "zzz").max = 0.5;
  unknown(flat, "zzz").nominal = 10;
  unknown(flat, "zzz").unit = "m";
  const auto y = flat.pool->derivative_symbol(unknown(flat, "yy").symbol);
  flat.derivative_starts.push_back({.symbol = y, .value = flat.pool->integer(7), .fixed = true});
  const SimplifiedSystem s = simplify_system(flat);
  const flat::Unknown& x = s.flat.unknowns.at(0);
  EXPECT_EQ(symbolic::to_text(*flat.pool, x.start), "-3");
  EXPECT_FALSE(x.fixed);
  EXPECT_EQ(x.min, -5);
  EXPECT_EQ(x.max, 0.5);
  EXPECT_EQ(x.nominal, 10);
  EXPECT_EQ(x.unit, "m");
  ASSERT_EQ(s.flat.derivative_starts.size(), 1u);
  EXPECT_EQ(symbolic::to_text(*flat.pool, s.flat.derivative_starts[0].symbol), "der(x)");
  EXPECT_EQ(symbolic::to_text(*flat.pool, s.flat.derivative_starts[0].value), "-7");
}

TEST(Simplify, FixedStartsThatDifferAreAnError) {
  auto flat = text_model("x yy", {"yy = -x", "der(x) = 1"}, "p");
  unknown(flat, "x").fixed = unknown(flat, "yy").fixed = true;
  unknown(flat, "x").start = flat.pool->integer(1);
  unknown(flat, "yy").start = flat.pool->integer(-1);
  EXPECT_EQ(message(flat), "no error");
  unknown(flat, "yy").start = flat.pool->integer(1);
  EXPECT_EQ(message(flat),
            "model.txt:100:1: error[S005]: the fixed starts 'x' = '1' and 'yy' = '1' contradict "
            "each other, since the equations make 'x' the negative of 'yy'. Leave one of them "
            "free.\n  model.txt:101:1: note: the other start");
  unknown(flat, "yy").start = flat.pool->neg(flat.parameters[0].symbol);  // p = 1.5
  EXPECT_NE(message(flat).find("S005"), std::string::npos);
  flat.parameters[0].value = flat.pool->integer(1);
  EXPECT_EQ(message(flat), "no error");
  unknown(flat, "yy").max = -3;
  unknown(flat, "x").max = 2;
  EXPECT_NE(message(flat).find("Widen one of the ranges"), std::string::npos);
}

TEST(Simplify, AConstantWithAnotherFixedStartIsAnError) {
  auto flat = text_model("x y", {"x = 2*p", "der(y) = x"}, "p");
  unknown(flat, "x").fixed = true;
  unknown(flat, "x").start = flat.pool->integer(2);
  EXPECT_NE(message(flat).find("the fixed start 'x' = '2' contradicts the equations, by which it "
                               "is always '2*p'"),
            std::string::npos);
}

/// A circuit that floats: the current laws of all its nodes are one too many.
TEST(Simplify, RedundantEquationsAreDroppedAndNamed) {
  const auto flat =
      text_model("i1 i2 i3 u1 u2 u3 va vb",
                 {"i1 + i2 + i3 = 0", "u1 = va - vb", "u2 = va - vb", "u3 = va - vb", "u1 = R*i1",
                  "u2 = 2*R*i2", "u3 = exp(i3) - 1", "0 = -i1 - i2 - i3"},
                 "R");
  const SimplifiedSystem s = simplify_system(flat);
  ASSERT_EQ(s.redundant.size(), 1u);
  EXPECT_EQ(s.redundant[0].combined, (std::vector<Index>{0, 7}));
  EXPECT_EQ(s.flat.equations.size(), 7u);
}

std::string plan_message(const flat::FlatSystem& flat) {
  try {
    make_plan(flat, simplify_system(flat));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Two sides of a transformer, neither with a ground: each is named by what floats together.
TEST(Simplify, NetworksWithoutAReferenceAreNamed) {
  auto flat = text_model(
      "s.p.v s.n.v r.p.v r.n.v s.i r.i c.v c.p.v c.n.v l.p.v l.n.v c.i l.i",
      {"s.p.v - s.n.v = U", "r.p.v - r.n.v = R*r.i", "s.p.v = r.p.v", "s.n.v = r.n.v",
       "s.i + r.i = 0", "c.v = c.p.v - c.n.v", "c.i = R*der(c.v)", "l.p.v - l.n.v = sin(l.i) + U",
       "c.p.v = l.p.v", "c.n.v = l.n.v", "c.i + l.i = 0", "-s.i - r.i = 0", "0 = c.i + l.i"},
      "U R");
  for (flat::Unknown& unknown : flat.unknowns) unknown.unit = "V";
  const std::string message = plan_message(flat);
  EXPECT_NE(message.find("error[S007]: nothing determines the level of 's.p.v', 's.n.v', 'r.p.v' "
                         "and 'r.n.v': the equations have only differences between them, so all "
                         "could be higher or lower by the same amount. The network has no "
                         "reference. Add an electrical ground, such as "
                         "Alembert.Electrical.Ground, and connect it to 's.p', or to "
                         "another of these points."),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("the level of 'c.p.v', 'c.n.v', 'l.p.v' and 'l.n.v'"), std::string::npos);
  EXPECT_EQ(message.find("S002"), std::string::npos);
}

TEST(Simplify, WithoutConnectorsAFloatingLevelGetsAnEquation) {
  const auto flat = text_model(
      "va vb i1 i2", {"va - vb = R*i1", "vb - va = 2*i2", "i1 + i2 = 1", "i2 + i1 = 1"}, "R");
  EXPECT_NE(plan_message(flat).find("Write an equation for the level, such as 'va = 0', in place "
                                    "of equation 'i1 + i2 = 1', which says nothing that others "
                                    "do not say already."),
            std::string::npos)
      << plan_message(flat);
}

/// What is singular only because an equation repeats another is told so.
TEST(Simplify, ARedundantEquationIsPartOfTheReason) {
  const auto flat = text_model("x y z", {"x + y + z = 1", "x + y + z = 1", "x = z*time"});
  try {
    make_plan(flat, simplify_system(flat));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "S002");
    EXPECT_EQ(error.diagnostics()[0].notes.back().text,
              "equation 'x + y + z = 1' says nothing that others do not say already");
  }
}

TEST(Simplify, ContradictionsNameTheEquations) {
  EXPECT_EQ(
      message(text_model("x y z", {"x + y = 1", "y + z = 2", "x - z = 3"})),
      "model.txt:1:1: error[S004]: 3 equations contradict each other: taken together they "
      "say 0 = 1. Write an equation that says something else in place of one of them.\n"
      "  model.txt:1:1: note: equation 'x + y = 1'\n  model.txt:2:1: note: equation 'y + z = 2'\n"
      "  model.txt:3:1: note: equation 'x - z = 3'");
  EXPECT_NE(message(text_model("x y", {"x = p", "x = q"}, "p q")).find("S004"), std::string::npos);
  // 0.1 + 0.2 is not 0.3 in binary, which contradicts nobody.
  EXPECT_EQ(message(text_model("x y z", {"x - y = 0.1", "y - z = 0.2", "x - z = 0.3"})),
            "no error");
}

TEST(Simplify, WhatIsMerelyExplicitStays) {
  const auto flat = text_model("x y z", {"x = time", "y = x + 1", "z = 2*y"});
  EXPECT_TRUE(simplify_system(flat).eliminated.empty());
}

TEST(Simplify, DoesNotDependOnTheOrderOfWriting) {
  const std::vector<std::string> unknowns{"a", "b.x", "b.y", "c", "d", "e", "f.g", "h"};
  const std::vector<std::string> text{"a = b.x",   "b.y = -a",           "c = 2",     "d = c*a + e",
                                      "e = c - 2", "der(a) = f.g + e*d", "f.g = b.y", "h = d - a"};
  std::mt19937 random(3);
  std::set<std::string> results;
  for (int trial = 0; trial < 20; ++trial) {
    auto names = unknowns;
    auto lines = text;
    std::shuffle(names.begin(), names.end(), random);
    std::shuffle(lines.begin(), lines.end(), random);
    const auto flat = text_model(fmt::format("{}", fmt::join(names, " ")), lines);
    const SimplifiedSystem s = simplify_system(flat);
    std::string result;
    for (const auto& [name, value] : eliminations(flat, s)) result += name + "=" + value + ";";
    auto left = equations(s.flat);
    std::sort(left.begin(), left.end());
    results.insert(result + fmt::format("{}", fmt::join(left, ";")));
  }
  EXPECT_EQ(results.size(), 1u) << *results.begin();
}

/// The flows of a ring repeat themselves; a contradiction at it takes three equations, whatever
/// else the rows of the ring could be added to it.
TEST(Simplify, WhatIsRedundantOrContradictsDoesNotDependOnTheOrderOfWriting) {
  const std::vector<std::string> ring{"a + s = b + t", "b = c + u", "c + v = a",
                                      "s + v = t + u", "a = b*c",   "s = sin(time)*a"};
  std::vector<std::string> wrong = ring;
  wrong.insert(wrong.end(), {"s = p", "s + n = 0", "n = 0"});
  std::mt19937 random(5);
  std::set<std::string> redundant;
  for (int trial = 0; trial < 20; ++trial) {
    auto lines = ring;
    std::shuffle(lines.begin(), lines.end(), random);
    const auto flat = text_model("a b c s t u v", lines);
    const SimplifiedSystem s = simplify_system(flat);
    ASSERT_EQ(s.redundant.size(), 1u);
    EXPECT_EQ(s.redundant[0].combined.size(), 4u);
    redundant.insert(lines[s.redundant[0].equation]);

    lines = wrong;
    std::shuffle(lines.begin(), lines.end(), random);
    const std::string told = message(text_model("a b c s t u v n", lines, "p"));
    EXPECT_NE(told.find("error[S004]: 3 equations contradict"), std::string::npos) << told;
    for (const char* equation : {"'s = p'", "'n + s = 0'", "'n = 0'"})
      EXPECT_NE(told.find(equation), std::string::npos) << told;
  }
  EXPECT_EQ(redundant.size(), 1u) << *redundant.begin();
}

/// Sides of a gear move by a ratio: there is no common level that a ground would give.
TEST(Simplify, WhatMovesByARatioIsNoLevel) {
  const auto flat = text_model(
      "va vb i1 i2", {"va - 2*vb = i1", "2*va - 4*vb = 3*i2", "i1 + i2 = 1", "i2 + i1 = 1"});
  EXPECT_EQ(plan_message(flat).find("S007"), std::string::npos) << plan_message(flat);
  EXPECT_NE(plan_message(flat).find("S002"), std::string::npos) << plan_message(flat);
}

TEST(Simplify, ManyAliasesInAChain) {
  constexpr int n = 30000;
  flat::FlatSystem flat{.name = "Chain", .pool = std::make_shared<symbolic::ExprPool>()};
  for (int i = 0; i < n; ++i)
    flat.unknowns.push_back({.symbol = flat.pool->unknown(fmt::format("x[{}]", i))});
  for (int i = 1; i < n; ++i)  // signs alternate; every third is written the other way round
    flat.equations.push_back(
        {flat.unknowns[static_cast<std::size_t>(i - i % 3 % 2)].symbol,
         flat.pool->neg(flat.unknowns[static_cast<std::size_t>(i - 1 + i % 3 % 2)].symbol)});
  flat.equations.push_back(
      {flat.unknowns[0].symbol, flat.pool->apply(symbolic::Op::sin, flat.pool->time())});
  const SimplifiedSystem s = simplify_system(flat);
  ASSERT_EQ(s.eliminated.size(), static_cast<std::size_t>(n - 1));
  for (const EliminatedUnknown& e : s.eliminated)
    ASSERT_EQ(e.value, e.unknown % 2 == 0 ? flat.unknowns[0].symbol
                                          : flat.pool->neg(flat.unknowns[0].symbol));
}

}  // namespace
}  // namespace alembert::structure
