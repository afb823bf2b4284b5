// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/linearise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/alembert.hpp"

namespace alembert::integrate {
namespace {

/// A damped pendulum with a torque: m l^2 phi'' = -m g l sin(phi) - d phi' + tau.
flat::FlatSystem pendulum() {
  Model m("Pendulum");
  const Expr phi = m.unknown("phi", {.start = 0.1, .fixed = true});
  const Expr d = m.parameter("d", 0.3), tau = m.parameter("tau", 0.0);
  m.start(der(phi), 0, {.fixed = true});
  m += der(der(phi)) == -9.81 * sin(phi) - d * der(phi) + tau;
  m.observe("height", -cos(phi));
  m.observe("power", tau * der(phi) + 2 * tau);
  return m.flatten();
}

TEST(Linearise, MatricesOfAPendulum) {
  const Linearisation l = linearise(
      pendulum(), {.at = {{"phi", 0.5}}, .inputs = {"tau"}, .outputs = {"height", "power"}});
  ASSERT_EQ(l.states, (std::vector<std::string>{"phi", "der(phi)"}));
  EXPECT_NEAR(l.A[0][1], 1, 1e-15);
  EXPECT_NEAR(l.A[1][0], -9.81 * std::cos(0.5), 1e-13);
  EXPECT_NEAR(l.A[1][1], -0.3, 1e-15);
  EXPECT_NEAR(l.B[0][0], 0, 1e-15);
  EXPECT_NEAR(l.B[1][0], 1, 1e-15);
  EXPECT_NEAR(l.C[0][0], std::sin(0.5), 1e-15);
  EXPECT_NEAR(l.C[0][1], 0, 1e-15);
  EXPECT_NEAR(l.D[0][0], 0, 1e-15);
  EXPECT_NEAR(l.D[1][0], 2, 1e-15);
  EXPECT_NEAR(l.point.at("height"), -std::cos(0.5), 1e-15);
}

TEST(Linearise, ConstraintsAreEliminated) {
  // The same pendulum in Cartesian coordinates, at rest below: the same eigenvalues.
  Model m("Cartesian");
  const Expr x = m.unknown("x", {.start = 0, .fixed = true});
  const Expr y = m.unknown("y", {.start = -1}), lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x - 0.3 * der(x);
  m += der(der(y)) == lambda * y - 0.3 * der(y) - 9.81;
  m += x * x + y * y == 1;
  m.start(der(x), 0, {.fixed = true});
  const Linearisation l = linearise(m.flatten());
  ASSERT_EQ(l.eigenvalues.size(), 2u);
  EXPECT_NEAR(l.eigenvalues[0].real(), -0.15, 1e-12);
  EXPECT_NEAR(std::abs(l.eigenvalues[0].imag()), std::sqrt(9.81 - 0.15 * 0.15), 1e-12);
}

TEST(Linearise, OtherStatesOnDemand) {
  Model m("Chain");  // two lags; their sum and difference as states
  const Expr a = m.unknown("a", {.start = 1, .fixed = true});
  const Expr b = m.unknown("b", {.start = 2, .fixed = true});
  m += der(a) == -a;
  m += der(b) == -3 * b;
  const Expr s = m.unknown("s"), d = m.unknown("d");
  m += s == a + b;
  m += d == a - b;
  const Linearisation l = linearise(m.flatten(), {.states = {"s", "d"}});
  ASSERT_EQ(l.states, (std::vector<std::string>{"s", "d"}));
  EXPECT_NEAR(l.A[0][0], -2, 1e-14);
  EXPECT_NEAR(l.A[0][1], 1, 1e-14);
  EXPECT_NEAR(l.A[1][0], 1, 1e-14);
  EXPECT_NEAR(l.A[1][1], -2, 1e-14);
  const Linearisation one = linearise(m.flatten(), {.states = {"s"}});
  ASSERT_EQ(one.states.size(), 2u);
  EXPECT_NEAR(one.eigenvalues[0].real(), -3, 1e-12);
  EXPECT_THROW(linearise(m.flatten(), {.states = {"s", "s"}}), Error);
  EXPECT_THROW(linearise(m.flatten(), {.outputs = {"nobody"}}), Error);
  EXPECT_THROW(linearise(m.flatten(), {.inputs = {"nobody"}}), Error);
}

TEST(Equilibrium, IsWhereAllDerivativesVanish) {
  const NamedValues rest = equilibrium(pendulum(), {.parameters = {{"tau", 2.0}}});
  EXPECT_NEAR(rest.at("phi"), std::asin(2 / 9.81), 1e-9);
  EXPECT_NEAR(rest.at("der(phi)"), 0, 1e-12);
  // Found again as the point to linearise at.
  const Linearisation l = linearise(pendulum(), {.parameters = {{"tau", 2.0}}, .at = rest});
  EXPECT_NEAR(l.A[1][0], -9.81 * std::cos(std::asin(2 / 9.81)), 1e-8);
}

TEST(Equilibrium, HeldStatesMayMoveOn) {
  Model m("Car");  // rolls on at its speed; the load settles behind it
  const Expr x = m.unknown("x", {.start = 5, .fixed = true});
  const Expr v = m.unknown("v", {.start = 3, .fixed = true});
  const Expr s = m.unknown("s", {.start = 0.2, .fixed = true});
  m += der(x) == v;
  m += der(v) == 0 * s;
  m += der(s) == v - 2 * s;
  const NamedValues steady = equilibrium(m.flatten(), {.hold = {"x", "v"}});
  EXPECT_NEAR(steady.at("s"), 1.5, 1e-12);
  EXPECT_NEAR(steady.at("x"), 5, 1e-12);
}

}  // namespace
}  // namespace alembert::integrate
