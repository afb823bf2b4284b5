// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hidden_singularity.hpp"

#include <gtest/gtest.h>

#include "alembert/base/error.hpp"
#include "alembert/structure/null_combination.hpp"
#include "alembert/symbolic/parse.hpp"
#include "structure/text_model.hpp"
#include "structure/validation_problems.hpp"

namespace alembert::structure {
namespace {

struct Resolved {
  SimplifiedSystem simplified;
  StructuralPlan plan;
  std::vector<StructureRepair> repairs;
};

Resolved resolve(const flat::FlatSystem& flat) {
  Resolved r{simplify_system(flat), {}, {}};
  r.plan = make_plan(flat, r.simplified);
  r.repairs = resolve_hidden_singularities(flat, r.simplified, r.plan);
  return r;
}

const Problem& problem(const std::vector<Problem>& all, const std::string& name) {
  for (const Problem& p : all)
    if (p.name == name) return p;
  throw std::runtime_error("no problem " + name);
}

/// STR09 becomes STR09b: index 1 and 5 degrees of freedom instead of an "ODE with 8 states".
TEST(HiddenSingularity, TransistorAmplifierAsPublished) {
  const auto all = validation_problems();
  const Problem& p = problem(all, "transistor amplifier");
  const auto flat = text_model(p.unknowns, p.equations, p.parameters);
  EXPECT_EQ(make_plan(flat).degrees_of_freedom, 8u);
  const Resolved r = resolve(flat);
  ASSERT_EQ(r.repairs.size(), 3u);
  std::vector<std::vector<Index>> pairs;
  for (const StructureRepair& repair : r.repairs) pairs.push_back(repair.equations);
  std::sort(pairs.begin(), pairs.end());
  EXPECT_EQ(pairs, (std::vector<std::vector<Index>>{{0, 1}, {3, 4}, {6, 7}}));
  EXPECT_EQ(r.plan.degrees_of_freedom, 5u);
  EXPECT_EQ(r.plan.structural_index, 1u);
  std::vector<Index> differentiations = r.plan.differentiations;
  std::sort(differentiations.begin(), differentiations.end());
  EXPECT_EQ(differentiations, (std::vector<Index>{0, 0, 0, 0, 0, 1, 1, 1}));
}

/// Nothing else among the published problems needs a repair, nor is called singular, but those that
/// are known to be.
TEST(HiddenSingularity, LeavesRegularSystemsAlone) {
  for (const Problem& p : validation_problems()) {
    if (p.name == "transistor amplifier") continue;
    const auto flat = text_model(p.unknowns, p.equations, p.parameters);
    try {
      EXPECT_TRUE(resolve(flat).repairs.empty()) << p.name;
    } catch (const Error& error) {
      EXPECT_NE(p.name.find("constraint twice"), std::string::npos)
          << p.name << ": " << error.what();
    }
  }
}

/// The factor of a combination may vary, as long as the equation that goes has a constant one.
TEST(HiddenSingularity, CombinationsWithVaryingFactors) {
  const Resolved r = resolve(text_model(
      "x y z", {"der(x) + z*der(y) = y", "z*der(x) + z^2*der(y) = cos(time)", "der(z) = x"}));
  EXPECT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.plan.degrees_of_freedom, 2u);
}

/// Of orders that differ, derivatives of equations are combined.
TEST(HiddenSingularity, CombinesDerivatives) {
  const Resolved r = resolve(text_model("x y", {"x + y = sin(time)", "der(x) + der(y) + x*y = 2"}));
  EXPECT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.plan.degrees_of_freedom, 0u);
}

/// A factor that all entries share is divided out, so that it does not stand in the way.
TEST(HiddenSingularity, CommonFactorsDoNotMatter) {
  const Resolved r =
      resolve(text_model("x y z", {"z*der(x) + x*der(y) = 1 + time",
                                   "x*z*der(x) + x^2*der(y) + y = cos(time)", "der(z) = x - z"}));
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.repairs[0].method, StructureRepair::Method::combination);
  EXPECT_EQ(r.plan.degrees_of_freedom, 2u);
}

/// The two-link robot arm with prescribed path (Campbell and Griepentrog 1995; index 5, no degree
/// of freedom): only the difference of the torques acts on two of its equations.
TEST(HiddenSingularity, RobotArmBySubstitution) {
  const Resolved r = resolve(text_model(
      "x1 x2 x3 u1 u2 a b c d",
      {"a = 2/(2 - cos(x3)^2)", "b = cos(x3)/(2 - cos(x3)^2)", "c = sin(x3)/(2 - cos(x3)^2)",
       "d = sin(x3)*cos(x3)/(2 - cos(x3)^2)",
       "der(der(x1)) = 2*c*(der(x1) + der(x3))^2 + der(x1)^2*d + (2*x3 - x2)*(a + 2*b) + "
       "a*(u1 - u2)",
       "der(der(x2)) = -2*c*(der(x1) + der(x3))^2 - der(x1)^2*d + (2*x3 - x2)*(1 - 3*a - 2*b) - "
       "a*u1 + (a + 1)*u2",
       "der(der(x3)) = -2*c*(der(x1) + der(x3))^2 - der(x1)^2*d + (2*x3 - x2)*(a - 9*b) - "
       "2*der(x1)^2*c - d*(der(x1) + der(x3))^2 - (a + b)*(u1 - u2)",
       "cos(x1) + cos(x1 + x3) = cos(exp(time) - 1) + cos(time - 1)",
       "sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time)"}));
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.repairs[0].method, StructureRepair::Method::substitution);
  EXPECT_EQ(r.repairs[0].added_unknowns.size(), 1u);
  EXPECT_EQ(r.plan.degrees_of_freedom, 0u);
  EXPECT_EQ(r.plan.structural_index, 5u);
}

/// A derivative of the equations is taken where they differ in how often they are differentiated.
TEST(HiddenSingularity, SubstitutionAcrossOrders) {
  const Resolved r = resolve(text_model(
      "x y z",
      {"x + z*y = sin(time)", "der(x) + z*der(y) + x*y*cos(time)*exp(z) = 2", "der(z) = y - z"}));
  ASSERT_FALSE(r.repairs.empty());
  EXPECT_LT(r.plan.degrees_of_freedom, 3u);
}

TEST(HiddenSingularity, ARepeatedConstraintIsNamed) {
  try {
    resolve(text_model("x y a b", {"der(der(x)) = -x*a - 2*x*b", "der(der(y)) = -y*a - 2*y*b - 1",
                                   "x^2 + y^2 = 1", "2*x^2 + 2*y^2 = 2"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "S003");
    EXPECT_NE(std::string(error.what()).find("equation 'x^2 + y^2 = 1'"), std::string::npos)
        << error.what();
  }
}

TEST(HiddenSingularity, ContradictionsAreCalledSo) {
  const struct {
    const char* unknowns;
    std::vector<std::string> equations;
    const char* conclusion;
  } cases[] = {{"x y",
                {"x^2 + y^2 = 1", "2*x^2 + 2*y^2 = 8"},
                "2 equations contradict each other: taken together they say 0 = 1"},
               {"x y",
                {"0.1*sin(x*y) = 0.3", "0.7*sin(x*y) = 2.1 + time"},
                "2 equations contradict each other"},
               {"x y l",
                {"der(x) = l", "der(y) = time - l", "x + y = 2"},
                "3 equations contradict each other: taken together they say '-time' = 0"}};
  for (const auto& [unknowns, equations, conclusion] : cases) try {
      resolve(text_model(unknowns, equations));
      FAIL() << conclusion;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "S004");
      EXPECT_NE(std::string(error.what()).find(conclusion), std::string::npos) << error.what();
    }
  // Nothing is left but rounding: they say the same.
  try {
    resolve(text_model("x y", {"0.1*sin(x*y) = 0.3", "0.7*sin(x*y) = 2.1"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "S003");
  }
}

/// What jumps has no slope, and is no rounding for that.
TEST(HiddenSingularity, StepsDoNotCancel) {
  const flat::FlatSystem flat =
      text_model("x y w", {"0.2*der(x) - 0.3*der(w) = -x + floor(y)",
                           "1.4*der(x) - 2.1*der(w) = -2*x + sin(time)", "der(y) = w"});
  const Resolved r = resolve(flat);
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_TRUE(depends_on(*flat.pool, r.simplified.residuals[r.repairs[0].replaced],
                         flat.unknowns[1].symbol));
}

/// No factor is a number, and so no combination was made: numbers tell.
TEST(HiddenSingularity, ContradictionsWithoutACombinationAreCalledSo) {
  try {
    resolve(text_model("x y", {"x*y = 1", "(x*y)^2 = 4"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("2 equations leave 'x' and 'y' undetermined at every point, because what "
                        "they have in common has different values in them. Write an equation that "
                        "says something else in place of one of them."),
              std::string::npos)
        << error.what();
  }
}

/// What is regular at most points may be singular at all that obey the equations: x = y, told as
/// exp(x) = exp(y) so that no alias gives it away.
TEST(HiddenSingularity, OnTheSolutionSetAlone) {
  const auto message = [](const char* unknowns, std::vector<std::string> equations) {
    try {
      resolve(text_model(unknowns, equations));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "S003");
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string pair =
      message("x y a b", {"der(x) = -x", "exp(x) = exp(y)", "x*a + y*b = 1", "y*a + x*b = 1"});
  EXPECT_NE(pair.find("2 equations leave 'a' and 'b' undetermined wherever the other equations "
                      "hold, because with those their terms cancel or one repeats others. Write an "
                      "equation that says something else in place of the one that repeats others."),
            std::string::npos)
      << pair;
  EXPECT_NE(pair.find("where it holds: equation 'exp(x) = exp(y)'"), std::string::npos) << pair;
  EXPECT_EQ(pair.find("der(x)"), std::string::npos) << pair;
  const std::string one = message("x y z", {"der(x) = -x", "exp(x) = exp(y)", "(x - y)*z = 0"});
  EXPECT_NE(
      one.find("1 equation leaves 'z' undetermined wherever the other equations hold, because "
               "its factor is zero then. Write an equation that determines it in place of "
               "this one."),
      std::string::npos)
      << one;
}

/// The derivatives cancel on the circle: u = sin(time) is what is left of their combination.
TEST(HiddenSingularity, CombinationsOnTheSolutionSet) {
  const Resolved r = resolve(
      text_model("p x y u w", {"der(p) = 1", "x = cos(p)", "y = sin(p)",
                               "(x^2 + y^2)*der(u) + der(w) = sin(time)", "der(u) + der(w) = u"}));
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.repairs[0].method, StructureRepair::Method::combination);
  EXPECT_EQ(r.plan.degrees_of_freedom, 2u);
  EXPECT_EQ(r.plan.structural_index, 2u);
}

/// The ring modulator without its parasitic capacitances (Kampowsky, Rentrop and Schmidt 1992;
/// Hairer and Wanner II, VI.5): index 2, as the sum of four currents is zero. Its diodes make
/// matrices ill-conditioned everywhere, which is not singular on the solution set.
TEST(HiddenSingularity, RingModulatorWithoutParasiticCapacitances) {
  const Resolved r = resolve(text_model(
      "y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14 y15 q1 q2 q3 q4",
      {"q1 = 4.067e-8*(exp(17.75*(y3 - y5 - y7 - 2*sin(62832*time))) - 1)",
       "q2 = 4.067e-8*(exp(17.75*(-y4 + y6 - y7 - 2*sin(62832*time))) - 1)",
       "q3 = 4.067e-8*(exp(17.75*(y4 + y5 + y7 + 2*sin(62832*time))) - 1)",
       "q4 = 4.067e-8*(exp(17.75*(-y3 - y6 + y7 + 2*sin(62832*time))) - 1)",
       "1.6e-8*der(y1) = y8 - 0.5*y10 + 0.5*y11 + y14 - y1/25e3",
       "1.6e-8*der(y2) = y9 - 0.5*y12 + 0.5*y13 + y15 - y2/25e3", "y10 = q1 - q4", "y11 = q2 - q3",
       "y12 = q3 - q1", "y13 = q4 - q2", "1e-8*der(y7) = -y7/50 + q1 + q2 - q3 - q4",
       "4.45*der(y8) = -y1", "4.45*der(y9) = -y2", "5e-4*der(y10) = 0.5*y1 - y3 - 17.3*y10",
       "5e-4*der(y11) = -0.5*y1 + y4 - 17.3*y11", "5e-4*der(y12) = 0.5*y2 - y5 - 17.3*y12",
       "5e-4*der(y13) = -0.5*y2 + y6 - 17.3*y13",
       "2e-3*der(y14) = -y1 + 0.5*sin(6283.2*time) - 86.3*y14",
       "2e-3*der(y15) = -y2 - 636.3*y15"}));
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.repairs[0].method, StructureRepair::Method::combination);
  EXPECT_EQ(r.plan.degrees_of_freedom, 10u);
  EXPECT_EQ(r.plan.structural_index, 2u);
}

/// Singular at single points of their solution sets, or with a root that is double, but solvable.
TEST(HiddenSingularity, SinglePointsAndDoubleRootsAreLeft) {
  EXPECT_TRUE(resolve(text_model("x y", {"der(x) = y", "x^2 + y^2 = 1"})).repairs.empty());
  EXPECT_TRUE(resolve(text_model("x y", {"der(x) = y", "(x - y)^2 = 0"})).repairs.empty());
  EXPECT_TRUE(resolve(text_model("x y l",
                                 {"der(der(x)) = -l*x", "der(der(y)) = -l*y - 1", "x^2 + y^2 = 1"}))
                  .repairs.empty());
}

TEST(NullCombination, AnnihilatesTheMatrix) {
  symbolic::ExprPool pool;
  const auto expr = [&](const char* text) { return symbolic::parse(pool, text).id_in(pool); };
  for (const char* name : {"x", "y", "z"}) pool.unknown(name);
  const ExprMatrix matrix{{expr("x"), expr("y"), expr("x*y")},
                          {expr("1"), expr("z"), expr("sin(x)")},
                          {expr("x + z"), expr("y + z^2"), expr("x*y + z*sin(x)")}};
  const std::vector<std::size_t> rows = dependent_rows_of(pool, matrix);
  ASSERT_FALSE(rows.empty());
  const auto u = null_combination(pool, matrix, rows);
  ASSERT_TRUE(u);
  const symbolic::Values point{{expr("x"), 0.3}, {expr("y"), -1.7}, {expr("z"), 2.2}};
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      sum += evaluate(pool, u->factors[i], point) * evaluate(pool, matrix[i][j], point);
    EXPECT_NEAR(sum, 0, 1e-13);
  }
}

/// Beside what it is a difference of, in numbers of any size.
TEST(NullCombination, RoundingIsZeroAndSmallIsNot) {
  symbolic::ExprPool pool;
  const auto matrix = [&](double last, double unit) {
    return ExprMatrix{{pool.real(0.1), pool.real(0.3), pool.real(0.7 * unit)},
                      {pool.real(0.7), pool.real(2.1), pool.real(4.9 * unit)},
                      {pool.real(0.3), pool.real(last), pool.real(0.5 * unit)}};
  };
  for (const double unit : {1.0, 1e-12, 1e9}) {
    const ExprMatrix dependent = matrix(0.2, unit);
    const std::vector<std::size_t> rows = dependent_rows_of(pool, dependent);
    EXPECT_EQ(rows, (std::vector<std::size_t>{0, 1})) << unit;
    const auto u = null_combination(pool, dependent, rows);
    ASSERT_TRUE(u) << unit;
    EXPECT_NEAR(evaluate(pool, u->factors[0], {}) / evaluate(pool, u->factors[1], {}), -7, 1e-14);
    ExprMatrix nearly = dependent;
    nearly[1][0] = pool.real(0.7 + 1e-12);
    EXPECT_TRUE(dependent_rows_of(pool, nearly).empty()) << unit;
  }
}

/// A current that an inductance keeps and that a node forbids: i0 is a third of what meets in the
/// node, whatever the ratio r. The block holds too many equations for formulas, the five that
/// repeat each other are few enough.
TEST(HiddenSingularity, FewEquationsOfALargeBlockAreCombined) {
  std::string unknowns = "i0 v0 s i1 i2 i3 p1 p2 p3";
  std::vector<std::string> equations{"3*i0 = i1 + i2 + i3", "p1 + p2 + p3 = 0", "v0 = 2*der(i0)"};
  std::string voltages = "0";
  for (int k = 1; k <= 3; ++k) {
    const std::string n = std::to_string(k);
    unknowns += " u" + n + " v" + n + " w" + n + " x" + n;
    voltages += " + v" + n;
    equations.push_back("r*i" + n + " = p" + n);
    equations.push_back("u" + n + " = sin(time + " + n + ") - v" + n + " - s + w" + n);
    equations.push_back("u" + n + " = 4*i" + n + " + x" + n + "^3");
    equations.push_back("w" + n + " = cos(x" + n + " + i" + n + ")");
    if (k < 3) equations.push_back("x" + n + " = v" + n + " + i" + n + "*v3");
  }
  equations.push_back("3*v0 = " + voltages);
  equations.push_back("x3 = v3 - x1*i2");
  equations.push_back("i1 - i2 = v1 - v2 + x1^2");
  equations.push_back("i2 - i3 = v2 - v3*x2");
  const Resolved r = resolve(text_model(unknowns, equations, "r"));
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.repairs[0].equations.size(), 5u);
  EXPECT_EQ(r.plan.degrees_of_freedom, 0u);
}

/// Of a block of many equations the message shows those that repeat each other.
TEST(HiddenSingularity, OnlyTheEquationsAtFaultAreShown) {
  std::string unknowns = "x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15";
  std::vector<std::string> equations;
  for (int k = 1; k <= 12; ++k)
    equations.push_back("x" + std::to_string(k) + "*x" + std::to_string(k + 1) + " + x" +
                        std::to_string(k + 3) + "^2 = " + std::to_string(k));
  equations.push_back("x1 + x2*x3 = 7");
  equations.push_back("x13 - x14*x15 = x4");
  equations.push_back("x1 + x2*x3 + 2*x13 - 2*x14*x15 - 2*x4 = 7");
  try {
    resolve(text_model(unknowns, equations));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "S003");
    const std::string message = error.what();
    EXPECT_NE(message.find("3 equations leave"), std::string::npos) << message;
    EXPECT_EQ(message.find("x5*x6"), std::string::npos) << message;
  }
}

std::string message_of(const flat::FlatSystem& flat) {
  try {
    resolve(flat);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// der(x) and der(y) are one only because of the chain of equalities, which is at fault as well;
/// z = y is not.
TEST(HiddenSingularity, EqualitiesOfNamesAreShown) {
  const auto with_second = [](const std::string& second) {
    return text_model("x y z w f", {"der(x) = f", second, "x - w = 0", "w = y", "z = y"});
  };
  const std::string message = message_of(with_second("der(y) = f"));
  for (const char* said :
       {"S003", "4 equations leave 'der(", "'x - w = 0'", "'w = y'", "'der(y) = f'",
        "Write an equation that says something else in place of the one that repeats others."})
    EXPECT_NE(message.find(said), std::string::npos) << said << " in " << message;
  EXPECT_EQ(message.find("z"), std::string::npos) << message;
  EXPECT_EQ(message_of(with_second("der(y) = 2 - f")), "");
}

/// Two of three equations were combined into z = -3/2 before, without which the others agree.
TEST(HiddenSingularity, WhatWasCombinedBeforeIsShown) {
  const auto with_third = [](const std::string& third) {
    return text_model("x y z", {"der(x) + der(y) = 1 - z", "2*der(x) + 2*der(y) = 5", third});
  };
  const std::string message = message_of(with_third("z = x + y"));
  for (const char* said : {"S003", "'2*der(x) + 2*der(y) = 5'", "'z = x + y'",
                           "where it holds: equation 'der(x) + der(y) = 1 - z'"})
    EXPECT_NE(message.find(said), std::string::npos) << said << " in " << message;
  EXPECT_EQ(message.find("combination"), std::string::npos) << message;  // there is none that helps
  EXPECT_EQ(message_of(with_third("z = x - y")), "");
}

/// Inductances that meet behind pairs of nonlinear resistors: one current less than there are
/// lines, in a block that is too large for rank tests and formulas.
TEST(HiddenSingularity, CurrentsThatMeetAreCounted) {
  constexpr int n_lines = 30;
  std::string unknowns = "p n q";
  std::string all_a = "0", all_b = "0";
  std::vector<std::string> equations{"q = p - n"};
  for (int k = 1; k <= n_lines; ++k) {
    const std::string number = std::to_string(k);
    for (const std::string name : {"i", "x", "a", "b"}) unknowns += " " + name + number;
    equations.push_back("der(i" + number + ") = sin(time + " + number + ") - x" + number);
    equations.push_back("i" + number + " = a" + number + " - b" + number);
    equations.push_back("a" + number + " = (x" + number + " - p)^3");
    equations.push_back("b" + number + " = (n - x" + number + ")^3");
    all_a += " + a" + number;
    all_b += " + b" + number;
  }
  equations.push_back("q = " + all_a);
  equations.push_back("q = " + all_b);
  const auto flat = text_model(unknowns, equations);
  EXPECT_EQ(make_plan(flat).degrees_of_freedom, Index{n_lines});
  const Resolved r = resolve(flat);
  ASSERT_EQ(r.repairs.size(), 1u);
  EXPECT_EQ(r.plan.degrees_of_freedom, Index{n_lines - 1});
}

/// (C, -C) around a ring: the sum of all equations has no derivative, however many there are.
TEST(HiddenSingularity, RingsOfAnySize) {
  for (const int n : {12, 13, 61, 120}) {
    std::string names;
    std::vector<std::string> equations;
    for (int k = 0; k < n; ++k) {
      names += (k > 0 ? " v" : "v") + std::to_string(k);
      equations.push_back("1.5*der(v" + std::to_string(k) + ") - 1.5*der(v" +
                          std::to_string((k + 1) % n) + ") = sin(time) - v" + std::to_string(k));
    }
    EXPECT_EQ(resolve(text_model(names, equations)).plan.degrees_of_freedom, n - 1) << n;
  }
}

/// Regular but at time 0: p u' = 3 - u.
TEST(HiddenSingularity, OneTimeIsNotAllTimes) {
  EXPECT_TRUE(resolve(text_model("p u w", {"p = time", "(1 + p)*der(u) + der(w) = 3",
                                           "der(u) + der(w) = u"}))
                  .repairs.empty());
}

}  // namespace
}  // namespace alembert::structure
