// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alembert/alembert.hpp"
#include "flat/diagnostics_of.hpp"

namespace alembert {
namespace {

using flat::evaluate_parameters;

Lines parameter_findings(const Model& model, const ParameterOverrides& overrides = {}) {
  Lines lines;
  for (const Diagnostic& found : flat::examine_parameters(model.flatten(), overrides).diagnostics)
    lines.push_back(found.code + " " + found.text);
  return lines;
}

/// The model with its parameters listed from the last to the first, so that definitions come after
/// their use.
FlatSystem reversed(const Model& model) {
  FlatSystem system = model.flatten();
  std::reverse(system.parameters.begin(), system.parameters.end());
  return system;
}

TEST(Parameters, are_evaluated_after_those_they_use) {
  Model m("M");
  auto length = m.parameter("length", 2.0);
  auto area = m.parameter("area", length * length);
  m.parameter("volume", area * length);
  EXPECT_EQ(evaluate_parameters(m.flatten()), (std::vector<double>{2, 4, 8}));
  EXPECT_EQ(evaluate_parameters(reversed(m)), (std::vector<double>{8, 4, 2}));
}

TEST(Parameters, follow_overridden_ones) {
  Model m("M");
  auto length = m.parameter("length", 2.0);
  auto area = m.parameter("area", length * length);
  m.parameter("volume", area * length);
  EXPECT_EQ(evaluate_parameters(m.flatten(), {{"length", 3}}), (std::vector<double>{3, 9, 27}));
  EXPECT_EQ(evaluate_parameters(m.flatten(), {{"area", 5}}), (std::vector<double>{2, 5, 10}));
}

TEST(Parameters, may_get_their_value_for_the_run) {
  Model m("M");
  auto g = m.parameter("g");
  m.parameter("w", 2 * g);
  EXPECT_EQ(evaluate_parameters(m.flatten(), {{"g", 9.81}}), (std::vector<double>{9.81, 19.62}));
  EXPECT_EQ(parameter_findings(m),
            Lines{"F007 parameter 'g' of model 'M' has no value. Give it one where it is declared, "
                  "such as 'parameter Real g = 1;', or for a run, such as '--set g=1'."});
  EXPECT_THROW(evaluate_parameters(m.flatten()), Error);
}

TEST(Parameters, a_long_chain_is_no_deep_recursion) {
  Model m("M");
  Expr last = m.parameter("p0", 0);
  for (int i = 1; i <= 20000; ++i) last = m.parameter("p" + std::to_string(i), last + 1);
  EXPECT_EQ(evaluate_parameters(m.flatten()).back(), 20000);
  EXPECT_EQ(evaluate_parameters(reversed(m)).front(), 20000);
}

TEST(Parameters, F007_names_the_circle) {
  Model m("M");
  const Expr c = symbolic::parameter(m.pool(), "c");
  auto a = m.parameter("a", 2 * c);
  auto b = m.parameter("b", a + 1);
  m.parameter("c", b * b);
  m.parameter("d", c);  // waits for the circle, is not on it
  const std::string text =
      "F007 3 parameters are defined in a circle: 'a' -> 'c' -> 'b' -> 'a'. Give one of them a "
      "value of its own.";
  EXPECT_EQ(parameter_findings(m), Lines{text});
  const auto backwards = flat::examine_parameters(reversed(m)).diagnostics;
  ASSERT_EQ(backwards.size(), 1u);
  EXPECT_EQ("F007 " + backwards.front().text, text);  // whatever the order
  ASSERT_EQ(backwards.front().notes.size(), 3u);
  EXPECT_EQ(backwards.front().notes[0].text, "'a' is defined as '2*c'");
  EXPECT_TRUE(backwards.front().notes[0].origin.span.known());
  EXPECT_EQ(evaluate_parameters(m.flatten(), {{"b", 3}}), (std::vector<double>{18, 3, 9, 9}));
}

TEST(Parameters, F007_defined_by_itself) {
  Model m("M");
  const Expr a = symbolic::parameter(m.pool(), "a");
  m.parameter("a", a + 1);
  EXPECT_EQ(parameter_findings(m),
            Lines{"F007 parameter 'a' is defined by itself. Give it a value."});
}

TEST(Parameters, F007_every_circle_is_found_beside_other_mistakes) {
  Model m("M");
  auto none = m.parameter("none");
  auto waits = m.parameter("awaits", none);
  const Expr b = symbolic::parameter(m.pool(), "b");
  auto a = m.parameter("a", waits + b);  // a waits for what has no value, and is on a circle
  m.parameter("b", a);
  const Expr y = symbolic::parameter(m.pool(), "y");
  auto x = m.parameter("x", y);
  m.parameter("y", x);
  const auto lines = parameter_findings(m);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NE(lines[1].find("'a' -> 'b' -> 'a'"), std::string::npos);
  EXPECT_NE(lines[2].find("'x' -> 'y' -> 'x'"), std::string::npos);
}

TEST(Parameters, F006_F009_definitions_use_declared_parameters_only) {
  Model m("M");
  auto x = m.unknown("x");
  m.parameter("p", 2 * x + m.time());
  m.parameter("q", symbolic::parameter(m.pool(), "stray"));
  EXPECT_EQ(parameter_findings(m),
            (Lines{"F009 parameter 'p' is 'time + 2*x', but 'time' and 'x' vary during a run, and "
                   "only numbers and parameters do not. Make 'p' an unknown with this as its "
                   "equation.",
                   "F006 'stray' in the definition of parameter 'q' is not declared in model 'M'. "
                   "Declare it as a parameter."}));
}

TEST(Parameters, F008_values_that_are_not_finite_are_reported_once) {
  Model m("M");
  auto p = m.parameter("p", 0);
  auto q = m.parameter("q", 1 / p);
  m.parameter("r", 2 * q);
  EXPECT_EQ(parameter_findings(m), Lines{"F008 parameter 'q' is '1/p', which is infinite with p = "
                                         "0. Change its definition or the values it uses."});
  EXPECT_EQ(parameter_findings(m, {{"p", 1}}), Lines{});
  EXPECT_EQ(parameter_findings(m, {{"p", std::nan("")}}),
            Lines{"F008 the value given for parameter 'p' is not a number. Give a finite one."});
}

TEST(Parameters, F012_values_for_parameters_that_do_not_exist) {
  Model m("M");
  m.parameter("gravity", 9.81);
  m.unknown("x");
  EXPECT_EQ(parameter_findings(m, {{"gravty", 1.5}}),
            Lines{"F012 model 'M' has no parameter 'gravty' to give the value 1.5. Did you mean "
                  "'gravity'?"});
  EXPECT_EQ(parameter_findings(m, {{"x", 1}}),
            Lines{"F012 model 'M' has no parameter 'x' to give the value 1. Its parameters are "
                  "'gravity'."});
  EXPECT_EQ(
      parameter_findings(Model("N"), {{"x", 1}}),
      Lines{"F012 model 'N' has no parameter 'x' to give the value 1. It has no parameters."});
}

TEST(Parameters, start_values_follow_them) {
  Model m("M");
  auto angle = m.parameter("angle", 0.0);
  auto x = m.unknown("x", {.start = cos(angle), .fixed = true});
  m.unknown("y");
  m.start(der(x), 3 * angle, {.fixed = true});
  const auto starts = flat::evaluate_starts(m.flatten(), std::vector{0.25});
  ASSERT_EQ(starts.unknowns.size(), 2u);
  EXPECT_EQ(starts.unknowns[0], std::cos(0.25));
  EXPECT_EQ(starts.unknowns[1], std::nullopt);
  EXPECT_EQ(starts.derivatives, std::vector{0.75});
}

TEST(Parameters, that_the_equations_were_made_from_keep_their_values) {
  Model m("M");
  m.parameter("n", 3.0);
  m.parameter("k", 1.0);
  flat::FlatSystem system = m.flatten();
  system.parameters[0].structural = true;
  EXPECT_EQ(flat::evaluate_parameters(system, {{"n", 3}, {"k", 2}}), (std::vector{3.0, 2.0}));
  try {
    flat::evaluate_parameters(system, {{"n", 5}});
    FAIL() << "another size is another system";
  } catch (const Error& error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics()[0].code, "F016");
    EXPECT_EQ(error.diagnostics()[0].text,
              "the equations of model 'M' were made for n = 3, and with 5 they are other ones. Set "
              "it where the model is read: --set n=5, or a modification in the text.");
  }
}

}  // namespace
}  // namespace alembert
