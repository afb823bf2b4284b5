// SPDX-License-Identifier: Apache-2.0
// Too many conditions at the start, told before a run: what contradicts is an error, what may agree
// a warning, and what a run accepts is never refused.
#include "alembert/structure/start_check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/structure/explain.hpp"

namespace alembert {
namespace {

using Write = std::function<void(Model&)>;

struct Told {
  std::string error;
  std::vector<Diagnostic> warnings;
};

Told told(const Write& write) {
  Model m("Start");
  write(m);
  Told result;
  try {
    result.warnings = structure::explain(m.flatten()).start_warnings;
  } catch (const Error& error) {
    result.error = error.what();
  }
  return result;
}

Write decay(const std::function<void(Model&, Expr, Expr)>& rest, builder::UnknownOptions x = {},
            builder::UnknownOptions y = {}) {
  return [=](Model& m) {
    const Expr a = m.unknown("x", x), b = m.unknown("y", y);
    m += der(a) == -a;
    m += der(b) == a - b;
    rest(m, a, b);
  };
}

Write pendulum(double x, double y, double vx, double vy) {
  return [=](Model& m) {
    const Expr a = m.unknown("x", {.start = x, .fixed = true});
    const Expr b = m.unknown("y", {.start = y, .fixed = true});
    const Expr u = m.unknown("u", {.start = vx, .fixed = true});
    const Expr v = m.unknown("v", {.start = vy, .fixed = true});
    const Expr force = m.unknown("force");
    m += der(a) == u;
    m += der(b) == v;
    m += der(u) == force * a;
    m += der(v) == force * b - 1;
    m += a * a + b * b == 1;
  };
}

TEST(StartCheck, InitialEquationsThatContradict) {
  const Told wrong = told(decay([](Model& m, Expr x, Expr y) {
    m.initial(x == 1);
    m.initial(y == 2);
    m.initial(x + y == 4);
  }));
  for (const char* words :
       {"error[S016]", "one condition too many", "'x = 1'", "'y = 2'", "'x + y = 4'", "is off by 1",
        "Remove one of the initial equations", "start_check_test.cpp:"})
    EXPECT_NE(wrong.error.find(words), std::string::npos) << words << "\n" << wrong.error;
  const Told right = told(decay([](Model& m, Expr x, Expr y) {
    m.initial(x == 1);
    m.initial(y == 2);
  }));
  EXPECT_EQ(right.error, "");
  EXPECT_TRUE(right.warnings.empty());
}

TEST(StartCheck, OnlyWhatIsInConflictIsNamed) {
  const Told wrong = told([](Model& m) {
    const Expr x = m.unknown("x", {.start = 3, .fixed = true});
    const Expr y = m.unknown("y", {.start = 5, .fixed = true}), z = m.unknown("z");
    m += der(x) == -x + z;
    m += der(y) == x - y;
    m += z == 2 * x + sin(m.time());
    m.initial(z == 7);
  });
  EXPECT_NE(wrong.error.find("the fixed start 'x = 3'"), std::string::npos) << wrong.error;
  EXPECT_NE(wrong.error.find("initial equation 'z = 7'"), std::string::npos) << wrong.error;
  EXPECT_NE(wrong.error.find("or leave a start free"), std::string::npos) << wrong.error;
  EXPECT_EQ(wrong.error.find("'y"), std::string::npos) << wrong.error;
}

TEST(StartCheck, FixedStartsOffTheConstraint) {
  const Told wrong = told(pendulum(1, 0.5, 0, 0));
  EXPECT_NE(wrong.error.find("'x = 1'"), std::string::npos) << wrong.error;
  EXPECT_NE(wrong.error.find("'y = 0.5'"), std::string::npos) << wrong.error;
  EXPECT_NE(wrong.error.find("'x^2 + y^2 = 1' is off by 0.25"), std::string::npos) << wrong.error;
  EXPECT_NE(wrong.error.find("fixed = false"), std::string::npos) << wrong.error;
}

TEST(StartCheck, WhatAgreesIsNotRefused) {
  const Told told_of = told(pendulum(0.6, 0.8, 0, 0));
  EXPECT_EQ(told_of.error, "");
  ASSERT_EQ(told_of.warnings.size(), 2u);  // positions, and velocities
  for (const Diagnostic& warning : told_of.warnings) {
    EXPECT_EQ(warning.code, "S016");
    EXPECT_NE(warning.text.find("A run ends at once if they do not agree"), std::string::npos)
        << warning.text;
  }
  // What a run overlooks is not an error here either.
  EXPECT_EQ(told(pendulum(0.6, 0.8 + 1e-7, 0, 0)).error, "");
}

TEST(StartCheck, WhatTakesARunToTellIsAWarning) {
  const Told told_of = told(decay([](Model& m, Expr x, Expr y) {
    m.initial(x + exp(x) == 4);  // has no closed form
    m.initial(y == 2 * x);
    m.initial(y * y + x == 3);
  }));
  EXPECT_EQ(told_of.error, "");
  ASSERT_EQ(told_of.warnings.size(), 1u);
  EXPECT_EQ(told_of.warnings.front().notes.size(), 3u);
}

TEST(StartCheck, WhatFitsIsSilent) {
  EXPECT_TRUE(told(decay([](Model&, Expr, Expr) {}, {.start = 1, .fixed = true},
                         {.start = 2, .fixed = true}))
                  .warnings.empty());
  const Told steady = told(decay([](Model& m, Expr x, Expr y) {
    m.initial(der(x) == 0);
    m.initial(der(y) == 0);
  }));
  EXPECT_EQ(steady.error, "");
  EXPECT_TRUE(steady.warnings.empty());
}

TEST(StartCheck, AParameterThatIsSolvedForGivesRoom) {
  const auto write = [](bool solved_for) {
    return [=](Model& m) {
      const Expr k = m.parameter("k", 1, {.solved_for = solved_for});
      const Expr x = m.unknown("x", {.start = 2, .fixed = true});
      m += der(x) == k - x;
      m.initial(der(x) == 0);
    };
  };
  EXPECT_EQ(told(write(true)).error, "");
  EXPECT_TRUE(told(write(true)).warnings.empty());
  EXPECT_NE(told(write(false)).error.find("'x = 2'"), std::string::npos);
}

}  // namespace
}  // namespace alembert
