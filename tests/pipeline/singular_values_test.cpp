// SPDX-License-Identifier: Apache-2.0
// Models that are singular by their numbers alone, those of parameters or those in the equations:
// coils that are coupled without loss, a capacitance of zero in a loop, differences that vanish.
// Exact solutions, and the same models combined by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/structure/explain.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

constexpr double tolerance = 1e-8;
const integrate::SimulateOptions two_seconds{.stop = 2, .tolerance = tolerance};

std::string coils(const std::string& values) {
  return "model M\n  parameter Real " + values + R"(;
  Real i1(start = 0, fixed = true), i2, v1, v2;
equation
  v1 = L1*der(i1) + M*der(i2);
  v2 = M*der(i1) + L2*der(i2);
  v1 = sin(time) - R1*i1;
  v2 = -R2*i2;
end M;
)";
}

/// One flux, i1 + 2 i2, and v2 = 2 v1: 3 i1' + i1 = 2 cos t + sin t.
TEST(SingularValues, CoilsCoupledWithoutLoss) {
  const auto result = run(coils("L1 = 1, L2 = 4, M = 2, R1 = 1, R2 = 2"), two_seconds);
  ASSERT_EQ(result.outcome, integrate::Outcome::done);
  const double exact = -0.1 * std::cos(2.0) + 0.7 * std::sin(2.0) + 0.1 * std::exp(-2.0 / 3);
  EXPECT_NEAR(at_end(result, "i1"), exact, 10 * tolerance);
  EXPECT_NEAR(at_end(result, "i2"), exact - std::sin(2.0), 10 * tolerance);
}

/// The product of rounded values is not zero to the last place, and their size is no reason.
TEST(SingularValues, RoundedValuesOfAnySize) {
  const struct {
    const char* values;
    double turns;  // v2 / v1 = sqrt(L2/L1)
  } cases[] = {
      {"L1 = 1e-3, L2 = 2e-3, k = 1, M = k*sqrt(L1*L2), R1 = 1, R2 = 2", std::sqrt(2.0)},
      {"L1 = 0.3e-9, L2 = 0.7e-3, k = 1, M = k*sqrt(L1*L2), R1 = 1e-6, R2 = 2.3333333333333335",
       std::sqrt(0.7e-3 / 0.3e-9)}};
  for (const auto& [values, turns] : cases) {
    const compile::CompiledModel model = compiled(coils(values));
    EXPECT_EQ(model.plan().degrees_of_freedom, 1u) << values;
    const auto result = integrate::simulate(model, two_seconds);
    ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
    const double v2 = at_end(result, "v2");
    EXPECT_NEAR(turns * at_end(result, "v1"), v2, 100 * tolerance * std::abs(v2)) << values;
  }
}

/// What is nearly without loss has two states, and so has what is small only by its unit.
TEST(SingularValues, SmallIsNotZero) {
  EXPECT_EQ(
      compiled(coils("L1 = 1, L2 = 4, M = 1.999999999, R1 = 1, R2 = 2")).plan().degrees_of_freedom,
      2u);
  const auto loop = [](const char* parasitic) {
    return compiled(std::string("model M\n  parameter Real C = 1, R = 1, Cp = ") + parasitic + R"(;
  Real v1(start = 0), v2;
equation
  C*(der(v1) - der(v2)) = (sin(time) - v1)/R;
  C*(der(v1) - der(v2)) = Cp*der(v2) + v2/R;
end M;
)");
  };
  EXPECT_EQ(loop("1e-12").plan().degrees_of_freedom, 2u);
  EXPECT_EQ(loop("0").plan().degrees_of_freedom, 1u);
  const auto in_the_equation = [](const char* factor) {
    return compiled(std::string("model M\n  Real v1(start = 0), v2;\nequation\n") +
                    "  der(v1) - der(v2) = sin(time) - v1;\n  der(v1) - " + factor +
                    "*der(v2) = v2;\nend M;\n");
  };
  EXPECT_EQ(in_the_equation("1.000000000001").plan().degrees_of_freedom, 2u);
  EXPECT_EQ(in_the_equation("1.0").plan().degrees_of_freedom, 1u);
}

/// sin t - v1 = v2, and v1' - v2' = v2 with v1(0) = 0: 2 v1' + v1 = sin t + cos t.
TEST(SingularValues, ALoopWithoutItsCapacitance) {
  const auto result = run(R"(
model M
  parameter Real C = 1, Cp = 0, R = 1;
  Real v1(start = 0, fixed = true), v2;
equation
  C*(der(v1) - der(v2)) = (sin(time) - v1)/R;
  C*(der(v1) - der(v2)) = Cp*der(v2) + v2/R;
end M;
)",
                          two_seconds);
  ASSERT_EQ(result.outcome, integrate::Outcome::done);
  const double exact = 0.6 * std::sin(2.0) - 0.2 * std::cos(2.0) + 0.2 * std::exp(-1.0);
  EXPECT_NEAR(at_end(result, "v1"), exact, 10 * tolerance);
}

/// x = sin t, so that z = der(x) + x and y = x - z.
TEST(SingularValues, AlgebraicUnknownsThatOneSumHas) {
  const auto result = run(R"(
model M
  parameter Real a = 1;
  Real x, y, z;
equation
  der(x) = -x + z;
  a*y + z = sin(time);
  y + z = x;
end M;
)",
                          two_seconds);
  ASSERT_EQ(result.outcome, integrate::Outcome::done);
  EXPECT_NEAR(at_end(result, "z"), std::sin(2.0) + std::cos(2.0), tolerance);
  EXPECT_NEAR(at_end(result, "y"), -std::cos(2.0), tolerance);
}

TEST(SingularValues, ADifferenceBeforeASlope) {
  const auto result = run(R"(
model M
  parameter Real a = 0.3, b = 0.1 + 0.2;
  Real x;
equation
  (a - b)*der(x) + x = sin(time);
end M;
)",
                          two_seconds);
  ASSERT_EQ(result.outcome, integrate::Outcome::done);
  EXPECT_NEAR(at_end(result, "x"), std::sin(2.0), tolerance);
}

/// The structure was made for these values: others are refused, also of what they are made from.
TEST(SingularValues, ArePartOfTheStructure) {
  const auto model = compiled(coils("L1 = 1, L2 = 4, k = 1, M = k*sqrt(L1*L2), R1 = 1, R2 = 2"));
  for (const char* name : {"L1", "M", "k"}) {
    try {
      integrate::simulate(model, {.stop = 2, .parameters = {{name, 0.5}}});
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "F016") << name;
    }
  }
  EXPECT_EQ(integrate::simulate(model, {.stop = 2, .parameters = {{"R1", 0.5}}}).outcome,
            integrate::Outcome::done);
}

TEST(SingularValues, AreToldByExplain) {
  const auto flat =
      modelica::flatten({.text = coils("L1 = 1, L2 = 4, M = 2, R1 = 1, R2 = 2"), .model = "M"});
  const std::string text = to_text(structure::explain(flat.system));
  EXPECT_NE(text.find("with L1 = 1, L2 = 4, M = 2, terms cancel between"), std::string::npos)
      << text;
}

std::string three(const std::string& first, const std::string& second) {
  return "model M\n  Real x(start = 1), y(start = 1, fixed = true), w(start = 1);\nequation\n  " +
         first + ";\n  " + second + ";\n  der(x) + w + y = 0;\nend M;\n";
}

/// No decimal is the fraction it stands for: 1.4 - 7*0.2 is not zero, nor is its like for der(x),
/// which another equation determines. The combination by hand has neither.
TEST(SingularValues, DecimalsCancel) {
  const struct {
    const char *first, *second, *combination;
  } cases[] = {{"0.2*der(x) - 0.3*der(y) - 0.1*der(w) = -x",
                "1.4*der(x) - 2.1*der(y) - 0.7*der(w) = -2*x + sin(time)", "5*x + sin(time) = 0"},
               {"0.1*der(x) - 0.3*der(y) - 0.5*der(w) = -x",
                "0.3*der(x) - 0.9*der(y) - 1.5*der(w) = -2*x + sin(time)", "x + sin(time) = 0"},
               {"5.43*der(x) - 3.543*der(y) - 5.157*der(w) + x = cos(time)",
                "7.24*der(x) - 4.724*der(y) - 6.876*der(w) + x = 0", "x = 4*cos(time)"}};
  for (const auto& [first, second, combination] : cases) {
    const compile::CompiledModel model = compiled(three(first, second));
    EXPECT_EQ(model.plan().degrees_of_freedom, 1u) << first;
    const auto result = integrate::simulate(model, two_seconds);
    const auto by_hand = run(three(first, combination), two_seconds);
    ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
    for (const char* name : {"x", "y", "w"})
      EXPECT_NEAR(at_end(result, name), at_end(by_hand, name), 100 * tolerance) << first << name;
  }
}

using Turns = std::vector<std::vector<double>>;  // [n cores][n coils]

/// The coils of these cores, each with a resistance: by their inductances, in the equations or as
/// parameters, or by the fluxes of the cores.
std::string coils_on_cores(const Turns& turns, const std::string& written) {
  const std::size_t n = turns.front().size();
  const auto text = [](double value) { return std::to_string(value); };  // six decimals
  std::string declared, equations;
  for (std::size_t c = 0; c < turns.size() && written == "fluxes"; ++c) {
    const std::string flux = "f" + std::to_string(c);
    declared += "  Real " + flux + "(start = 0, fixed = true);\n";
    equations += "  " + flux + " = 0";
    for (std::size_t i = 0; i < n; ++i)
      equations += " + (" + text(turns[c][i]) + ")*i" + std::to_string(i);
    equations += ";\n";
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::string k = std::to_string(i);
    declared += "  Real i" + k + "(start = 0), v" + k + ";\n";
    equations += "  v" + k + " = " + (i == 0 ? "sin(time)" : "0") + " - " + text(0.5 + i) + "*i" +
                 k + ";\n  v" + k + " = 0";
    for (std::size_t c = 0; c < turns.size() && written == "fluxes"; ++c)
      equations += " + (" + text(turns[c][i]) + ")*der(f" + std::to_string(c) + ")";
    for (std::size_t j = 0; j < n && written != "fluxes"; ++j) {
      double inductance = 0;
      for (const auto& core : turns) inductance += core[i] * core[j];
      const std::string name = "L" + k + "_" + std::to_string(j);
      if (written == "parameters")
        declared += "  parameter Real " + name + " = " + text(inductance) + ";\n";
      equations += " + (" + (written == "parameters" ? name : text(inductance)) + ")*der(i" +
                   std::to_string(j) + ")";
    }
    equations += ";\n";
  }
  return "model M\n" + declared + "equation\n" + equations + "end M;\n";
}

/// As many states as there are cores: one repair follows another.
TEST(SingularValues, CoilsOnCommonCores) {
  const Turns cases[] = {
      {{0.1, 0.3, 0.7}},
      {{0.3, 0.7, 1.1, 1.9}},
      {{0.1, 0.3, 0.7, 1.3}, {0.9, -0.2, 0.6, 0.7}},
      {{1.1, 0.3, 0.7, 0.6, 2.3}},
      {{1.1, 0.3, 0.7, 0.6, 2.3}, {0.2, 0.9, -1.3, 0.4, 0.7}},
      {{1.1, 0.3, 0.7, 0.6, 2.3}, {0.2, 0.9, -1.3, 0.4, 0.7}, {0.7, -0.7, 0.1, 0.9, 1.7}}};
  for (const Turns& turns : cases) {
    const std::size_t n = turns.front().size();
    const auto by_hand = run(coils_on_cores(turns, "fluxes"), two_seconds);
    for (const char* written : {"numbers", "parameters"}) {
      const std::string which =
          std::to_string(n) + " coils, " + std::to_string(turns.size()) + " cores, " + written;
      const compile::CompiledModel model = compiled(coils_on_cores(turns, written));
      EXPECT_EQ(model.plan().degrees_of_freedom, turns.size()) << which;
      const auto result = integrate::simulate(model, two_seconds);
      ASSERT_EQ(result.outcome, integrate::Outcome::done) << which << result.message;
      for (std::size_t i = 0; i < n; ++i) {
        const std::string current = "i" + std::to_string(i);
        EXPECT_NEAR(at_end(result, current), at_end(by_hand, current), 100 * tolerance) << which;
      }
    }
  }
}

}  // namespace
}  // namespace alembert
