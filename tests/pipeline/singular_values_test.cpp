// SPDX-License-Identifier: Apache-2.0
// Models that are singular by the values of their parameters alone: coils that are coupled without
// loss, a capacitance of zero in a loop, differences that vanish. Exact solutions.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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

}  // namespace
}  // namespace alembert
