// SPDX-License-Identifier: Apache-2.0
// Consistent starts: initial equations, parameters to be solved for, steady states, what is filled
// in, and the words where there is no start. Exact solutions throughout.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

std::string message_of(const Model& m) {
  try {
    const CompiledModel model(m.flatten());
    simulate(model, {.stop = 1});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Initialisation, SteadyStateOfANonlinearTank) {
  Model m("Tank");
  const Expr inflow = m.parameter("inflow", 2.0), k = m.parameter("k", 0.5);
  const Expr level = m.unknown("level", {.start = 1});
  const Expr outflow = m.unknown("outflow");
  m += der(level) == inflow - outflow;
  m += outflow == k * sqrt(level);
  m.initial(der(level) == 0);
  const CompiledModel model(m.flatten());
  const SimulationResult run = simulate(model, {.stop = 10});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_start(run, "level"), 16, 1e-11);
  EXPECT_NEAR(run.trajectory.column("level").back(), 16, 1e-5);
  EXPECT_TRUE(run.filled_starts.empty());
  // Other parameters, no other model.
  EXPECT_NEAR(at_start(simulate(model, {.stop = 1, .parameters = {{"inflow", 1.0}}}), "level"), 4,
              1e-11);
}

TEST(Initialisation, BranchesFollowWhatIsFoundOnTheWay) {
  // With the guesses, zeros, each choice is the one that has no value; `v` is eliminated, `d` is
  // computed.
  Model m("Branches");
  const Expr p = m.parameter("p", 1.0), q = m.parameter("q", 4.0);
  const Expr v = m.unknown("v"), d = m.unknown("d"), a = m.unknown("a"), b = m.unknown("b");
  m += v == p;
  m += d == v / q + m.time();
  m += a == if_(v > 0.5, d, log(-v));
  m += b == if_(d > 0.2, a + 1, log(-d));
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(at_start(run, "a"), 0.25);
  EXPECT_EQ(at_start(run, "b"), 1.25);
}

TEST(Initialisation, AParameterIsFoundByAnInitialEquation) {
  Model m("Spring");
  const Expr c = m.parameter("c", 1.0, {.solved_for = true});
  const Expr twice = m.parameter("twice", 2 * c);
  const Expr x = m.unknown("x", {.start = 0.2, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  m += der(x) == v;
  m += der(v) == 9.81 - c * x;
  m.initial(der(v) == 0);
  m.observe("twice_c", twice);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 3});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_start(run, "twice_c"), 2 * 9.81 / 0.2, 1e-10);
  EXPECT_NEAR(run.trajectory.column("x").back(), 0.2, 1e-9);
}

// Two states, coupled nonlinear conditions that determine both.
TEST(Initialisation, InitialEquationsAreSolvedTogether) {
  Model m("Pair");
  const Expr x = m.unknown("x", {.start = 2}), y = m.unknown("y", {.start = 1});
  m += der(x) == -x;
  m += der(y) == x - y;
  m.initial(x * x + y * y == 25);
  m.initial(x - y == 1);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  EXPECT_NEAR(at_start(run, "x"), 4, 1e-12);
  EXPECT_NEAR(at_start(run, "y"), 3, 1e-12);
}

// A fixed start of what is no state determines the state instead.
TEST(Initialisation, ADerivativeThatOnlyTheStartAsksFor) {
  Model m("Oscillator");
  const Expr x = m.unknown("x"), v = m.unknown("v", {.start = 2, .fixed = true});
  const Expr y = m.unknown("y");
  m += der(x) == v;
  m += der(v) == -4 * x;
  m += y == 2 * v + x;
  m.initial(der(y) == 6);  // 2*(-4*x) + v
  const CompiledModel model(m.flatten());
  const SimulationResult run = simulate(model, {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_start(run, "x"), -0.5, 1e-12);
}

TEST(Initialisation, AFixedAlgebraicStartTakesTheStatesPlace) {
  Model m("Charge");
  const Expr q = m.unknown("q", {.start = 7}), u = m.unknown("u", {.start = 3, .fixed = true});
  m += der(q) == -u;
  m += q == 2 * u + u * u * u;
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  EXPECT_NEAR(at_start(run, "u"), 3, 1e-13);
  EXPECT_NEAR(at_start(run, "q"), 33, 1e-11);
}

// x = 1 is fixed where the constraint says nothing about y to first order: y stays as guessed.
TEST(Initialisation, ASingularStartThatIsConsistentIsTaken) {
  Model m("Pendulum");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}), y = m.unknown("y", {.start = 0});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - 1;
  m += x * x + y * y == 1;
  m.start(der(x), 0, {.fixed = true});
  m.start(der(y), 0.5);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_start(run, "y"), 0, 1e-12);
  EXPECT_NEAR(at_start(run, "der(y)"), 0.5, 1e-12);
}

TEST(Initialisation, MissingConditionsAreFilledInAndListed) {
  Model m("Free");
  const Expr x = m.unknown("x", {.start = 2}), y = m.unknown("y");
  m += der(x) == -x;
  m += der(y) == x;
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  EXPECT_EQ(run.filled_starts, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(at_start(run, "x"), 2);
  EXPECT_EQ(at_start(run, "y"), 0);
}

TEST(Initialisation, WhoShallBeAStateCountsBeforeAStateWithoutStart) {
  Model m("Store");
  const Expr energy = m.unknown("energy");
  const Expr temperature = m.unknown("temperature", {.start = 300, .state_priority = 1});
  m += der(energy) == 0;
  m += energy == 5 * temperature + sin(temperature);
  const CompiledModel model(m.flatten());
  const SimulationResult run = simulate(model, {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(at_start(run, "temperature"), 300);
  EXPECT_NEAR(at_start(run, "energy"), 1500 + std::sin(300), 1e-9);
}

// Levenberg-Marquardt or homotopy find what Newton does not from here.
// Levenberg-Marquardt or homotopy find what Newton does not from here.
TEST(Initialisation, APoorGuessIsNoObstacle) {
  Model m("Diode");
  const Expr u = m.unknown("u", {.start = 5}), q = m.unknown("q", {.start = 0, .fixed = true});
  m += der(q) == u;
  m += 1e-9 * (exp(u / 0.025) - 1) == (1 - u) / 100;
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  const double found = at_start(run, "u");
  EXPECT_NEAR(1e-9 * (std::exp(found / 0.025) - 1), (1 - found) / 100, 1e-12);
}

// Without start values the divisor would be zero.
TEST(Initialisation, AZeroGuessIsNoDivisionByZero) {
  Model m("Divisor");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  const Expr y = m.unknown("y"), z = m.unknown("z");
  m += der(x) == -x;
  m += y * z == 2 + x;
  m += z == 1 + x / y;
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 0.1});
  EXPECT_NEAR(at_start(run, "y"), 2, 1e-12);
  EXPECT_NEAR(at_start(run, "z"), 1.5, 1e-12);
}

// What was before the start is given; it does not follow from the start.
TEST(Initialisation, DiscreteVariablesStartFromWhatTheyWere) {
  Model m("Switch");
  const Expr x = m.unknown("x", {.start = 5, .fixed = true});
  const Expr on = m.discrete("on", {.type = flat::ValueType::boolean});
  m += der(x) == if_(not_equal(on, 0), -1, 0);
  m += on == if_(not_equal(builder::pre(on), 0), builder::number(x > 4), builder::number(x > 6));
  m.initial(builder::pre(on) == 1);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 3});
  EXPECT_EQ(at_start(run, "on"), 1);
  EXPECT_NEAR(run.trajectory.column("x").back(), 4, 1e-9);
}

// A loop of two joints closed by an angle between directions: at zero, the guess of all cosines
// that nobody wrote a start for, that angle has neither a value nor a slope.
TEST(Initialisation, GuessesFollowFromBetterKnownOnes) {
  Model m("Loop");
  const Expr phi = m.unknown("phi", {.start = 0.4, .fixed = true});
  const Expr w = m.unknown("w", {.start = 1, .fixed = true});
  const Expr psi = m.unknown("psi", {.start = 0.1});
  const Expr c1 = m.unknown("c1"), s1 = m.unknown("s1");
  const Expr c2 = m.unknown("c2"), s2 = m.unknown("s2");
  m += der(phi) == w;
  m += der(w) == 0;
  m += c1 == cos(phi);
  m += s1 == sin(phi);
  m += c2 == cos(2 * psi);
  m += s2 == sin(2 * psi);
  m += atan2(s1 * c2 - c1 * s2, c1 * c2 + s1 * s2) == 0;
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 0.3});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  for (std::size_t i = 0; i < run.trajectory.n_rows(); ++i)
    EXPECT_NEAR(2 * run.trajectory.column("psi")[i], run.trajectory.column("phi")[i], 1e-9);
}

// The guesses of density and viscosity say nothing; those of pressure and temperature do, and the
// others follow from them: sqrt(rho) has no value at the guess of rho.
TEST(Initialisation, WhatFollowsIsNotGuessed) {
  Model m("Steady");
  const Expr p = m.unknown("p", {.start = 2, .state_priority = 1});
  const Expr T = m.unknown("T", {.start = 2, .state_priority = 1});
  const Expr rho = m.unknown("rho", {.start = -3});
  const Expr mu = m.unknown("mu", {.start = 1}), nu = m.unknown("nu", {.start = -1});
  m += rho == 1 + p * T;
  m += mu == sqrt(rho) + 0.1 * T;
  m += nu == mu * sqrt(rho) + log(mu);
  m += der(p) == 4 - p - nu - 0.1 * rho * sqrt(nu);
  m += der(T) == 11 - T * rho - mu * mu;
  m.initial(der(p) == 0);
  m.initial(der(T) == 0);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double p0 = at_start(run, "p"), T0 = at_start(run, "T");
  const double rho0 = 1 + p0 * T0, mu0 = std::sqrt(rho0) + 0.1 * T0;
  const double nu0 = mu0 * std::sqrt(rho0) + std::log(mu0);
  EXPECT_NEAR(4 - p0 - nu0 - 0.1 * rho0 * std::sqrt(nu0), 0, 1e-9);
  EXPECT_NEAR(11 - T0 * rho0 - mu0 * mu0, 0, 1e-9);
}

TEST(Initialisation, EquationsWithoutValuesAreToldApart) {
  Model m("None");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}), y = m.unknown("y", {.start = -2});
  m += der(x) == y;
  m += sqrt(y - 1) + y * y == -x;
  const std::string text = message_of(m);
  EXPECT_NE(text.find("has no value at the guesses"), std::string::npos) << text;
}

// Accelerations from a small inertia are large; their rounding is no failure.
TEST(Initialisation, RoundingIsJudgedByWhatUnknownsHaveGrownTo) {
  Model m("SmallInertia");
  const Expr x = m.unknown("x", {.start = 0.3, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0.7, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  const Expr w = m.unknown("w", {.start = 0, .fixed = true});
  m += der(x) == v;
  m += der(y) == w;
  m += (2 + sin(x)) * der(v) + cos(y) * der(w) == 1e9 / 3.0 * exp(-x);
  m += cos(y) * der(v) + (3 + sin(y)) * der(w) == 1e9 / 7.0 * exp(-y);
  const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1e-6});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double a = 2 + std::sin(0.3), b = std::cos(0.7), d = 3 + std::sin(0.7);
  const double p = 1e9 / 3.0 * std::exp(-0.3), q = 1e9 / 7.0 * std::exp(-0.7);
  EXPECT_NEAR(at_start(run, "der(v)"), (p * d - b * q) / (a * d - b * b), 1e-3);
}

TEST(Initialisation, ContradictionsNameWhatFights) {
  Model m("Over");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}),
             y = m.unknown("y", {.start = 3, .fixed = true});
  m += der(x) == -x;
  m += y == 2 * x;
  const std::string text = message_of(m);
  EXPECT_NE(text.find("I002"), std::string::npos) << text;
  EXPECT_NE(text.find("'y = 2*x'"), std::string::npos) << text;
}

TEST(Initialisation, RedundantConditionsThatAgreeAreAccepted) {
  Model m("Redundant");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}),
             y = m.unknown("y", {.start = 2, .fixed = true});
  m += der(x) == -x;
  m += y == x + 1;
  m.initial(x + y == 3);
  EXPECT_EQ(message_of(m), "");
}

/// Two of three conditions say the same, which structure cannot see: whichever it leaves over, and
/// whatever the names, x = 2 and y = 1 is the only start.
TEST(Initialisation, ConditionsThatRepeatEachOtherByNumbersAreSolvedTogether) {
  for (const auto& [first, second] : {std::pair("x", "y"), std::pair("y", "x")})
    for (const bool is_linear : {true, false})
      for (int odd = 0; odd < 3; ++odd) {
        Model m("Repeated");
        const Expr x = m.unknown(first), y = m.unknown(second), z = m.unknown("z");
        m += der(x) == -x;
        m += der(y) == -2 * y;
        m += z * z * z + z == x + y + 7;
        const Expr same = is_linear ? 2 * x + 2 * y - 6 : (x + y) * (x + y) - 9;
        for (int k = 0; k < 3; ++k) {
          if (k == odd)
            m.initial(x - y == 1);
          else if ((k + 1) % 3 == odd)
            m.initial(x + y == 3);
          else
            m.initial(same == 0);
        }
        const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
        ASSERT_EQ(run.outcome, Outcome::done) << run.message;
        EXPECT_NEAR(at_start(run, first), 2, 1e-9);
        EXPECT_NEAR(at_start(run, second), 1, 1e-9);
        EXPECT_NEAR(at_start(run, "z"), 2, 1e-9);
      }
}

/// What is rounding beside the terms of an equation is no contradiction, however large they are.
TEST(Initialisation, ConditionsThatAgreeToRoundingAreAccepted) {
  Model m("Large");
  const Expr x = m.unknown("x", {.start = 1});
  m += der(x) == -x;
  m.initial(x * x * x == 0.3);
  m.initial(1e13 * exp(x) == 1e13 * std::exp(std::cbrt(0.3)));
  EXPECT_EQ(message_of(m), "");
  m.initial(1e13 * x * x == 1.0001e13 * std::cbrt(0.09));
  EXPECT_NE(message_of(m).find("I008"), std::string::npos);
}

TEST(Initialisation, TooManyInitialEquationsAreNamed) {
  Model m("Over");
  const Expr x = m.unknown("x", {.start = 1});
  m += der(x) == -x;
  m.initial(x == 2);
  m.initial(x == 5);
  const std::string text = message_of(m);
  EXPECT_NE(text.find("I008"), std::string::npos) << text;
  EXPECT_NE(text.find("initial equation 'x = "), std::string::npos) << text;
}

/// Inductances that are coupled without loss where the start has the rotor: L1 L2 = M^2.
TEST(Initialisation, LinearEquationsThatRepeatEachOtherByNumbersAreListed) {
  Model m("Coupled");
  const Expr i1 = m.unknown("i1", {.start = 0}), i2 = m.unknown("i2", {.start = 0});
  const Expr l1 = m.parameter("L1", 1), l2 = m.parameter("L2", 4);
  const Expr phi = m.unknown("phi", {.start = 0, .fixed = true});
  const Expr mutual = 2 * cos(phi);
  m += der(phi) == 1;
  m += l1 * der(i1) + mutual * der(i2) == 1 - i1;
  m += mutual * der(i1) + l2 * der(i2) == -i2;
  const std::string text = message_of(m);
  EXPECT_NE(text.find("I001"), std::string::npos) << text;
  EXPECT_NE(text.find("are linear in 'der(i"), std::string::npos) << text;
  EXPECT_NE(text.find("one repeats or contradicts the others. Change a parameter in them"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("L1*der(i1) + 2*der(i2)*cos(phi) = 1 - i1"), std::string::npos) << text;
}

TEST(Initialisation, AStartWithoutSolutionNamesTheEquationAndTheGuess) {
  Model m("None");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true}), y = m.unknown("y", {.start = 2});
  m += der(x) == y;
  m += y * y + 1 == -x;
  const std::string text = message_of(m);
  EXPECT_NE(text.find("I001"), std::string::npos) << text;
  EXPECT_NE(text.find("y^2 + 1 = -x"), std::string::npos) << text;
  EXPECT_NE(text.find("guess that matters most is that of 'y'"), std::string::npos) << text;
}

/// A pendulum that begins level, where y^2 = 0 is a double root, and one whose y has no start, at
/// which nothing depends on y.
TEST(Initialisation, PendulumsThatBeginLevelOrWithoutAGuess) {
  for (const auto& [x0, y0, square, expected] :
       {std::array{0.8, -0.1, 0.64, 0.0}, std::array{0.8, -0.1, 0.8 * 0.8, 0.0},
        std::array{1.2, 0.0, 4.0, 1.6}}) {
    Model m("Pendulum");
    const Expr x = m.unknown("x", {.start = x0, .fixed = true});
    const Expr y = m.unknown("y", {.start = y0}), force = m.unknown("force");
    m.start(der(x), 0, {.fixed = true});
    m += der(der(x)) == -force * x;
    m += der(der(y)) == -force * y - 9.81;
    m += x * x + y * y == square;
    const SimulationResult run = simulate(CompiledModel(m.flatten()), {.stop = 1});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_NEAR(std::abs(at_start(run, "y")), expected, 1e-6);
    EXPECT_LT(run.trajectory.column("y").back(), 1.6);
  }
}

TEST(Initialisation, BoundsKeepTheOtherRootAway) {
  Model m("Roots");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0.1, .min = 0.0, .max = 10.0});
  m += der(x) == -x;
  m += y * y - y == 6 * x;
  EXPECT_NEAR(at_start(simulate(CompiledModel(m.flatten()), {.stop = 0.1}), "y"), 3, 1e-12);
}

// At the start the when is active, so y is 2 there, and that is what q is to be.
TEST(Initialisation, AParameterIsFoundFromADiscreteVariable) {
  const SimulationResult found = run(R"(
model M
  Real y(start = 0, fixed = true);
  parameter Real q(fixed = false);
  Real x(start = 0, fixed = true);
equation
  der(x) = q;
  when {initial(), sample(0.4, 0.4)} then
    y = 2;
  end when;
initial equation
  y = q;
end M;)",
                                     {.stop = 1});
  ASSERT_EQ(found.outcome, Outcome::done) << found.message;
  EXPECT_EQ(at_start(found, "y"), 2);
  EXPECT_NEAR(at_end(found, "x"), 2, 1e-6);
}

// x = cos(t) + 3 sin(t), whichever way the speed is written.
TEST(Initialisation, TheStartOfASpeedIsThatOfTheDerivativeThatItIs) {
  for (const auto& [equations, sign] :
       {std::pair("v = der(x); der(v) = -x;", 1), std::pair("v = der(x); der(der(x)) = -x;", 1),
        std::pair("v = -der(x); der(der(x)) = -x;", -1)}) {
    const SimulationResult result = run(
        std::string("model M Real x(start = 1), v(start = 3); equation ") + equations + " end M;",
        {.stop = 1, .tolerance = 1e-9});
    EXPECT_EQ(at_start(result, "v"), 3) << equations;
    EXPECT_NEAR(at_end(result, "x"), std::cos(1.0) + sign * 3 * std::sin(1.0), 1e-7) << equations;
  }
}

}  // namespace
}  // namespace alembert
