// SPDX-License-Identifier: Apache-2.0
// Large arrays, long chains, and texts that would explode: all end soon.
#include <gtest/gtest.h>

#include <chrono>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

double seconds_for(int n) {
  const auto start = std::chrono::steady_clock::now();
  ModelUnderTest model(R"(
    package P
      type Voltage = Real(unit = "V");
      type Current = Real(unit = "A");
      connector Pin
        Voltage v;
        flow Current i;
      end Pin;
      partial model OnePort
        Pin p, n;
        Voltage v;
        Current i;
      equation
        v = p.v - n.v;
      end OnePort;
      model Resistor
        extends OnePort(v(start = 1));
        parameter Real R = 1;
      equation
        v = R*i;
      end Resistor;
    end P;
    model M
      parameter Integer n = )" +
                       std::to_string(n) + R"(;
      P.Resistor r[n](each R = 2);
    end M;)");
  EXPECT_EQ(model.names().size(), static_cast<std::size_t>(7 * n + 1));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Scale, ArraysOfComponentsAreLinear) {
  const double small = seconds_for(2000);
  const double large = seconds_for(20'000);
  EXPECT_LT(large, 40 * small + 0.5);
}

TEST(Scale, ExtendingTwiceAtEachLevelEnds) {
  std::string text = "model A0\n  Real x;\nend A0;\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string below = "A" + std::to_string(i - 1);
    text += "model A" + std::to_string(i) + "\n  extends " + below + ";\n  extends " + below +
            ";\nend A" + std::to_string(i) + ";\n";
  }
  text += "model M\n  extends A40;\nend M;\n";
  EXPECT_NE(error_of(text).find("M119"), std::string::npos);
}

TEST(Scale, LongChainsEnd) {
  std::string text = "model A0\n  Real x;\nend A0;\n";
  for (int i = 1; i <= 500; ++i) {
    text += "model A" + std::to_string(i) + "\n  extends A" + std::to_string(i - 1) + ";\nend A" +
            std::to_string(i) + ";\n";
  }
  EXPECT_EQ(error_of(text + "model M\n  A100 a;\nend M;\n"), "");
  EXPECT_NE(error_of(text + "model M\n  A500 a;\nend M;\n").find("M119"), std::string::npos);
}

TEST(Scale, RecursionThroughConditionsEnds) {
  EXPECT_NE(error_of("model A\n  parameter Integer n = 1;\n  A a(n = n + 1) if n > 0;\nend A;\n"
                     "model M\n  A a;\nend M;")
                .find("M108"),
            std::string::npos);
  EXPECT_EQ(error_of("model A\n  parameter Integer n = 1;\n  A a(n = n - 1) if n > 0;\nend A;\n"
                     "model M\n  A a(n = 5);\nend M;"),
            "");
}

}  // namespace
}  // namespace alembert::modelica::testing
