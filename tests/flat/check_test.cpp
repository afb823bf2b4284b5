// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/alembert.hpp"
#include "flat/diagnostics_of.hpp"

namespace alembert {
namespace {

/// A complete model to which a test adds one mistake.
struct Decay {
  Model m{"Decay"};
  Expr k = m.parameter("k", 0.5);
  Expr x = m.unknown("x", {.start = 1, .fixed = true});

  Decay() { m += der(x) == -k * x; }
};

TEST(Check, a_complete_model_passes) {
  const Decay decay;
  EXPECT_EQ(findings(decay.m), Lines{});
  EXPECT_NO_THROW(check(decay.m.flatten()));
}

TEST(Check, an_empty_model_passes) { EXPECT_EQ(findings(Model("Nothing")), Lines{}); }

TEST(Check, F001_missing_equation_names_the_unknown_nothing_determines) {
  Model m("Pendulum");
  auto x = m.unknown("x");
  m.unknown("T");
  const auto line = std::to_string(__LINE__ - 1);
  m += der(x) == -x;
  EXPECT_EQ(findings(m).size(), 1u);
  const Diagnostic found = flat::diagnose(m.flatten()).front();
  EXPECT_EQ(found.code, "F001");
  EXPECT_EQ(found.text.substr(0, found.text.find(" (")),
            "model 'Pendulum' has 1 equation for 2 unknowns; nothing determines 'T'");
  EXPECT_NE(found.text.find("check_test.cpp:" + line + ":"), std::string::npos) << found.text;
  EXPECT_TRUE(found.text.ends_with("). Add 1 equation, or make 1 unknown a parameter."));
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes.front().text, "'T' is in no equation");
  EXPECT_EQ(std::to_string(found.notes.front().origin.span.line), line);
}

TEST(Check, F001_missing_equations_where_every_unknown_is_used) {
  Model m("M");
  auto a = m.unknown("a");
  auto b = m.unknown("b");
  auto c = m.unknown("c");
  m += a + b + c == 1;
  EXPECT_EQ(findings(m), Lines{"F001 model 'M' has 1 equation for 3 unknowns, 'a', 'b' and 'c'. "
                               "Add 2 equations, or make 2 unknowns parameters."});
}

/// States are given by their derivatives: of a long chain only its loose end is named.
TEST(Check, F001_names_the_part_that_lacks_an_equation) {
  Model m("Chain");
  std::vector<symbolic::Expr> x;
  for (int i = 1; i <= 5; ++i) x.push_back(m.unknown("x" + std::to_string(i)));
  for (int i = 0; i < 4; ++i) m += der(x[i]) == x[i + 1] - x[i];
  const Diagnostic found = flat::diagnose(m.flatten()).front();
  EXPECT_EQ(found.text,
            "model 'Chain' has 4 equations for 5 unknowns; nothing determines all of 'x4' and "
            "'x5'. Add 1 equation, or make 1 unknown a parameter.");
  EXPECT_EQ(found.notes.size(), 1u);
}

TEST(Check, F001_long_lists_are_cut) {
  Model m("M");
  for (int i = 1; i <= 20; ++i) m.unknown("x" + std::to_string(i));
  const std::string text = findings(m).front();
  EXPECT_NE(text.find(" and 15 more. Add 20 equations"), std::string::npos) << text;
}

TEST(Check, too_many_equations_are_for_the_structure_to_judge) {
  Decay decay;
  decay.m += decay.x == 3;
  EXPECT_EQ(findings(decay.m), Lines{});  // one may repeat another: explain_test.cpp
}

TEST(Check, F002_unknown_in_no_equation_where_the_counts_agree) {
  Model m("M");
  auto x = m.unknown("x");
  auto y = m.unknown("y");
  m += der(x) == -x;
  m += x * x == 1;
  m.initial(y == 0);  // at the start only
  m.observe("E", y * y);
  EXPECT_EQ(findings(m),
            Lines{"F002 unknown 'y' is in none of the 2 equations of model 'M', so "
                  "nothing determines it, while 2 equations are about 'x' alone. Use it "
                  "in one of those, or remove it with one of them."});
}

TEST(Check, F002_of_one_equation) {
  Model m("M");
  const auto x = m.unknown("x");
  const auto a = m.parameter("a", 2.0);
  m += a == 1;
  EXPECT_EQ(findings(m).back(),
            "F002 unknown 'x' is not in the one equation of model 'M', so "
            "nothing determines it. Use it in an equation or remove it.");
}

TEST(Check, F002_a_derivative_counts_as_use) {
  Model m("M");
  auto x = m.unknown("x");
  m += der(der(x)) == 1;
  EXPECT_EQ(findings(m), Lines{});
}

TEST(Check, F003_equation_of_parameters) {
  Model m("M");
  auto p = m.parameter("p", 1);
  m.unknown("x");
  m += p == 2;
  EXPECT_EQ(findings(m)[0],
            "F003 equation 'p = 2' has no unknown in it, so it determines nothing. "
            "Remove it, or make 'p' an unknown.");
  Model n("N");
  n.initial(n.parameter("a", 1) + n.parameter("b", 2) == 3);
  EXPECT_EQ(findings(n),
            Lines{"F003 initial equation 'a + b = 3' has no unknown in it, so it determines "
                  "nothing. Remove it, or make one of 'a' and 'b' an unknown."});
}

TEST(Check, F003_equation_of_numbers) {
  Model m("M");
  m.unknown("x");
  m += Expr(1) == Expr(2);
  EXPECT_EQ(findings(m)[0],
            "F003 equation '1 = 2' has no unknown in it, so it determines nothing. Remove it.");
}

TEST(Check, F003_unknowns_that_cancel) {
  for (const int shift : {0, 1}) {
    Model m("M");
    auto x = m.unknown("x");
    auto y = m.unknown("y");
    m += 2 * x * y + sin(x) + shift == sin(x) + y * x * 2;
    m += y == 1;
    ASSERT_EQ(findings(m).size(), 1u);
    EXPECT_EQ(findings(m)[0].substr(0, 29), "F003 the unknowns in equation");
    EXPECT_NE(findings(m)[0].find("cancel, so it determines nothing. Correct it or remove it."),
              std::string::npos);
  }
  Model m("M");
  auto x = m.unknown("x");
  m += 2 * x == x;  // determines x = 0
  EXPECT_EQ(findings(m), Lines{});
}

TEST(Check, F004_duplicate_names) {
  FlatSystem system = Decay().m.flatten();
  system.unknowns.push_back(system.unknowns.front());
  system.observed.push_back({.name = "k", .value = system.unknowns.front().symbol});
  system.observed.push_back({.name = "time", .value = system.unknowns.front().symbol});
  const auto lines = findings(system);
  EXPECT_EQ(lines[2],
            "F004 'time' is the time of every model and cannot be the name of an observed "
            "quantity. Choose another one.");
  EXPECT_EQ(lines[0],
            "F004 'x' is declared twice, as an unknown and as an unknown. Give one of "
            "them another name.");
  EXPECT_EQ(lines[1],
            "F004 'k' is declared twice, as a parameter and as an observed quantity. "
            "Give one of them another name.");
  const Note note = flat::diagnose(system).front().notes.front();
  EXPECT_EQ(note.text, "the first declaration is here");
  EXPECT_TRUE(note.origin.span.known());
}

TEST(Check, F004_two_start_values) {
  Decay decay;
  decay.m.start(der(decay.x), 0);
  FlatSystem system = decay.m.flatten();
  system.derivative_starts.push_back(system.derivative_starts.front());
  EXPECT_EQ(findings(system), Lines{"F004 'der(x)' has two start values. Remove one of them."});
}

TEST(Check, F005_start_outside_the_range) {
  Model m("M");
  auto p = m.parameter("p", 7);
  auto x = m.unknown("x", {.start = -1, .min = 0, .max = 1});
  auto y = m.unknown("y", {.start = 2 * p, .max = 10});
  auto z = m.unknown("z", {.start = 1, .min = 1, .max = 1});
  m += x == 1;
  m += y == 1;
  m += z == 1;
  EXPECT_EQ(findings(m), (Lines{"F005 the start value -1 of 'x' is below its min 0. Change the "
                                "start value or the range.",
                                "F005 the start value 14 of 'y' is above its max 10. Change the "
                                "start value or the range."}));
  EXPECT_EQ(findings(m, {{"p", 5.0}}).size(), 1u);  // 2 p follows the run's value
}

TEST(Check, F005_empty_range_and_useless_scale) {
  Model m("M");
  auto x = m.unknown("x", {.min = 2, .max = 1, .nominal = 0});
  m += x == 1;
  EXPECT_EQ(findings(m), (Lines{"F005 the range of 'x' is empty: its min 2 is above its max 1. "
                                "Exchange or correct them.",
                                "F005 the nominal value of 'x' is 0, and no scale. Give its "
                                "typical size or leave it out."}));
}

TEST(Check, F006_undeclared_symbols) {
  Model m("Spring");
  m.parameter("stiffness", 1);
  auto x = m.unknown("x");
  const Expr typo = symbolic::unknown(m.pool(), "stifness");
  m += der(der(x)) == -typo * x + der(typo);
  m.observe("E", typo * x * x / 2);
  EXPECT_EQ(
      findings(m),
      Lines{"F006 'stifness' in equation 'der(der(x)) = der(stifness) - stifness*x' and "
            "in 1 more place is not declared in model 'Spring'. Declare it as an unknown or a "
            "parameter, or write 'stiffness'."});
  const Expr w = symbolic::parameter(m.pool(), "w");
  m.start(der(x), w);
  EXPECT_EQ(findings(m)[1],
            "F006 'w' in the start value of 'der(x)' is not declared in model "
            "'Spring'. Declare it as a parameter.");
}

TEST(Check, F006_time_is_always_there) {
  Model m("M");
  auto x = m.unknown("x");
  m += der(x) == sin(m.time());
  EXPECT_EQ(findings(m), Lines{});
}

TEST(Check, F008_constants_that_are_not_finite) {
  Model m("M");
  auto x = m.unknown("x");
  auto y = m.unknown("y");
  auto z = m.unknown("z");
  const Expr minus_one(m.pool(), m.pool().integer(-1));
  m += der(x) == -x + 3 * log(minus_one);
  m += der(y) == y / Expr(0);
  m += z == if_(x > 0, 1.0, std::numeric_limits<double>::infinity());
  const auto lines = findings(m);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "F008 the constant part 'log(-1)' of equation 'der(x) = 3*log(-1) - x' is "
            "not a number. Write it so that it has a finite value.");
  EXPECT_EQ(lines[1].substr(0, 25), "F008 equation 'der(y) = 0");
  EXPECT_TRUE(lines[1].ends_with("' divides by the constant 0. Correct the divisor."));
  EXPECT_TRUE(lines[2].ends_with("is infinite. Write it so that it has a finite value."));
}

TEST(Check, F008_names_the_innermost_part_and_passes_what_is_finite_after_all) {
  Model m("M");
  auto x = m.unknown("x");
  auto y = m.unknown("y");
  const Expr zero(m.pool(), m.pool().integer(0));
  m += x == 1 + sin(2 * log(zero));
  m += y == 2 + atan(log(zero) * 2);  // -pi/2
  m.observe("E", sqrt(zero - 2) * x);
  const auto lines = findings(m);
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("the constant part 'log(0)' of equation 'x = "), std::string::npos);
  EXPECT_NE(lines.back().find("of observed quantity 'E' is not a number"), std::string::npos);
}

TEST(Check, F008_start_value_that_is_not_finite_for_these_parameters) {
  Model m("M");
  auto p = m.parameter("p", 0);
  auto x = m.unknown("x", {.start = 1 / p});
  m += x == 1;
  EXPECT_EQ(findings(m), Lines{"F008 the start value '1/p' of 'x' is infinite with p = 0. Change "
                               "it or the values it uses."});
  EXPECT_EQ(findings(m, {{"p", 2.0}}), Lines{});
}

TEST(Check, F009_start_value_that_varies) {
  Model m("M");
  auto x = m.unknown("x");
  auto y = m.unknown("y", {.start = 2 * x});
  m += der(x) == 1;
  m += der(y) == 1;
  m.start(der(x), m.time() + y);
  EXPECT_EQ(findings(m),
            (Lines{"F009 the start value of 'y' is '2*x', but 'x' varies during a run, and only "
                   "numbers and parameters do not. Write an initial equation instead.",
                   "F009 the start value of 'der(x)' is 'time + y', but 'time' and 'y' vary during "
                   "a run, and only numbers and parameters do not. Write an initial equation "
                   "instead."}));
}

TEST(Check, F008_does_not_look_into_branches_that_may_not_be_taken) {
  Model m("M");
  auto x = m.unknown("x");
  auto p = m.parameter("p", 1);
  m += der(x) == if_(p > 0, x, x / Expr(0));
  EXPECT_EQ(findings(m), Lines{});
}

TEST(Check, F010_observed_quantity_without_a_name) {
  Decay decay;
  decay.m.observe("", 2 * decay.x);
  EXPECT_EQ(findings(decay.m), Lines{"F010 the observed quantity '2*x' has no name. Give it one."});
}

TEST(Check, F011_fixed_without_a_value) {
  Model m("M");
  auto x = m.unknown("x", {.fixed = true});
  m += der(x) == 1;
  EXPECT_EQ(findings(m), Lines{"F011 'x' is fixed at the start but has no start value. Give it "
                               "one, or do not fix it."});
}

TEST(Check, all_findings_come_in_one_error) {
  Model m("M");
  m.parameter("p");
  m.unknown("x", {.fixed = true});
  m += Expr(1) == Expr(1);
  try {
    check(m.flatten());
    FAIL();
  } catch (const Error& error) {
    Lines codes;
    for (const Diagnostic& diagnostic : error.diagnostics()) codes.push_back(diagnostic.code);
    EXPECT_EQ(codes, (Lines{"F003", "F002", "F011", "F007"}));
    EXPECT_NE(std::string(error.what()).find("check_test.cpp:"), std::string::npos);
  }
}

TEST(Check, huge_equations_are_cut) {
  Model m("M");
  auto x = m.unknown("x");
  Expr chain = x;
  for (int i = 0; i < 200; ++i) chain = sin(chain) * cos(chain);  // a tree of 2^200 nodes
  m += chain == symbolic::parameter(m.pool(), "k");
  ASSERT_EQ(findings(m).size(), 1u);
  EXPECT_NE(findings(m)[0].find("... = k' is not declared"), std::string::npos) << findings(m)[0];
  EXPECT_LT(findings(m)[0].size(), 250u);
}

TEST(Check, broken_promises_of_a_front_end_are_ours) {
  FlatSystem system = Decay().m.flatten();
  system.unknowns.front().symbol = system.parameters.front().symbol;
  EXPECT_THROW(check(system), InternalError);
  EXPECT_THROW(check(FlatSystem{.name = "M", .pool = nullptr}), InternalError);
}

}  // namespace
}  // namespace alembert
