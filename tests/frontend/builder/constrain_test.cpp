// SPDX-License-Identifier: Apache-2.0
// Multipliers by composition: what each part does alone, and what both do together.
#include "alembert/frontend/builder/constrain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::builder {
namespace {

using integrate::Outcome;
using integrate::simulate;

struct NewtonsLaw2d {
  NewtonsLaw2d(Model& m, double x0, double y0)
      : x(m.unknown("x", {.start = x0, .fixed = true})), y(m.unknown("y", {.start = y0})) {
    m.balance(x) += der(der(x));
    m.balance(y) += der(der(y)) + 1;
  }
  Expr x, y;
};

constexpr double phi0 = 0.9 * std::numbers::pi;

// Digits: validation set, DS06, exact.
TEST(Constrain, PendulumOfTwoPartsIsAPendulum) {
  Model m("Pendulum");
  const NewtonsLaw2d law(m, std::sin(phi0), -std::cos(phi0));
  const Expr lambda = constrain(m, sqrt(law.x * law.x + law.y * law.y) - 1 == 0, {law.x, law.y});
  m.start(der(law.x), 0);
  const compile::CompiledModel model(m.flatten());
  const auto run = simulate(model, {.stop = 10, .tolerance = 1e-10, .intervals = 100});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("x").back(), 0.44238003094163814, 1e-6);
  EXPECT_NEAR(run.trajectory.column("y").back(), -0.89682769149044192, 1e-6);
  EXPECT_NEAR(run.trajectory.column("lambda").back(), 4.5925961070616329, 1e-5);
  EXPECT_EQ(m.pool().symbol_text(lambda.id()), "lambda");
}

TEST(Constrain, WithoutTheForceOnYTheRunStopsAtTheSouthPoleAndSaysWhy) {
  Model m("Pendulum");
  const NewtonsLaw2d law(m, std::sin(phi0), -std::cos(phi0));
  constrain(m, sqrt(law.x * law.x + law.y * law.y) - 1 == 0, {law.x});
  m.start(der(law.y), 0, {.fixed = true});
  const compile::CompiledModel model(m.flatten());
  const auto run = simulate(model, {.stop = 10, .tolerance = 1e-8, .intervals = 1000});
  EXPECT_NE(run.outcome, Outcome::done);
  // y falls freely from cos(0.1 pi) to -1.
  EXPECT_NEAR(run.end_time, std::sqrt(2 * (1 - std::cos(phi0))), 1e-6);
  EXPECT_NEAR(run.trajectory.column("y").back(), -1, 1e-6);
  EXPECT_NE(run.message.find("can no longer be held: beyond this time no value of 'x' meets it"),
            std::string::npos)
      << run.message;
  EXPECT_NE(run.message.find("sqrt(x^2 + y^2)"), std::string::npos) << run.message;
}

// Not mechanics: two tanks and a controller's flow that holds the sum of the levels.
TEST(Constrain, AnyEquationsMayGiveWay) {
  Model m("Tanks");
  const Expr a = m.unknown("a", {.start = 2, .fixed = true});
  const Expr b = m.unknown("b", {.start = 1});
  m.balance(a) += der(a) + a;
  m.balance(b) += der(b) + 3 * b;
  constrain(m, a + b == 3, {b}, {.multiplier = "feed"});
  const compile::CompiledModel model(m.flatten());
  const auto run = simulate(model, {.stop = 1, .tolerance = 1e-9, .intervals = 10});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("a").back(), 2 * std::exp(-1), 1e-7);
  EXPECT_NEAR(run.trajectory.column("b").back(), 3 - 2 * std::exp(-1), 1e-7);
  // der(b) + 3 b + feed = 0
  EXPECT_NEAR(run.trajectory.column("feed").back(), -2 * std::exp(-1) - 3 * (3 - 2 * std::exp(-1)),
              1e-6);
}

TEST(Constrain, SpeedsAreNamedAsDerivatives) {
  Model m("Skate");  // moves along x = y only, by a constraint of speeds
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0, .fixed = true});
  m.balance(x) += der(der(x)) - 1;
  m.balance(y) += der(der(y));
  constrain(m, der(x) - der(y) == 0, {der(x), der(y)});
  constexpr double push = 0.25;
  m.start(der(x), push, {.fixed = true});
  const compile::CompiledModel model(m.flatten());
  const auto run = simulate(model, {.stop = 2, .tolerance = 1e-9, .intervals = 10});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("y").back(), 2 * push + 1, 1e-6);  // half the force for each
}

TEST(Constrain, NamesAreFreeAndMistakesAreTold) {
  Model m("M");
  const NewtonsLaw2d law(m, 1, 0);
  constrain(m, law.x == 1, {law.x});
  EXPECT_EQ(m.pool().symbol_text(constrain(m, law.y == 0, {law.y}).id()), "lambda2");
  const auto refused = [&](const Equation& g, const std::vector<Expr>& unknowns) {
    try {
      constrain(m, g, unknowns);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "F030");
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_NE(refused(law.x == 2, {law.y}).find("does not depend on 'y'"), std::string::npos);
  EXPECT_NE(refused(law.x == 2, {2 * law.x}).find("not an unknown"), std::string::npos);
  EXPECT_NE(refused(law.x == 2, {}).find("names no unknown"), std::string::npos);
}

}  // namespace
}  // namespace alembert::builder
