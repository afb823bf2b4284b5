// SPDX-License-Identifier: Apache-2.0
// Mechanisms in motion, by several routes, which must agree; what is conserved; loads.
#include <cmath>

#include "alembert/frontend/mechanics/constrained_system.hpp"
#include "alembert/frontend/mechanics/integrability.hpp"
#include "alembert/frontend/mechanics/joint.hpp"
#include "alembert/frontend/mechanics/lagrange.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "frontend/mechanics/runs.hpp"

namespace alembert::mechanics {
namespace {

using integrate::Outcome;
using integrate::SimulationResult;

SimulationResult done(const Model& model, double stop, double tolerance = 1e-10) {
  SimulationResult result = run(model, {.stop = stop, .tolerance = tolerance, .intervals = 50});
  EXPECT_EQ(result.outcome, Outcome::done) << result.message;
  return result;
}

// ---- double pendulum of rods: three routes ------------------------------------------------------

constexpr double g = 9.81, l1 = 0.8, l2 = 1.2, m1 = 1, m2 = 2, a1 = 0.4, a2 = -0.3;
constexpr double I1 = m1 * l1 * l1 / 12, I2 = m2 * l2 * l2 / 12;

TEST(Mechanisms, DoublePendulumOfRodsByThreeRoutes) {
  // Kane, with joints: relative angles.
  Model kane("Kane");
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O");
  Linkage linkage(kane, N, O);
  const Joint first = linkage.pin("first", N, O, N.z());
  const Point end = linkage.fixed_point("end", first, -l1 * first.frame.y());
  const Joint second = linkage.pin("second", first.frame, end, N.z());
  const Point c1 = linkage.fixed_point("c1", first, -l1 / 2 * first.frame.y());
  const Point c2 = linkage.fixed_point("c2", second, -l2 / 2 * second.frame.y());
  linkage.add(rigid_body("rod 1", c1, first.frame, m1, inertia(first.frame, 0, 0, I1)));
  linkage.add(rigid_body("rod 2", c2, second.frame, m2, inertia(second.frame, 0, 0, I2)));
  linkage.add(gravity(linkage.bodies(), -g * N.y()));
  kane.start(first.q[0], a1, {.fixed = true});
  kane.start(second.q[0], a2 - a1, {.fixed = true});
  add_kane(kane, derive_kane(kane, linkage.system()));
  kane.observe("E", kinetic_energy(linkage.bodies(), N) +
                        gravity_potential(linkage.bodies(), -g * N.y(), O));
  const auto by_kane = done(kane, 2);

  // Lagrange, absolute angles, energies by hand.
  Model lagrange("Lagrange");
  const Expr p = lagrange.unknown("p", {.start = a1, .fixed = true});
  const Expr q = lagrange.unknown("q", {.start = a2, .fixed = true});
  const Expr dp = der(p), dq = der(q);
  const Expr T =
      (m1 * l1 * l1 / 4 + I1) * dp * dp / 2 +
      m2 * (l1 * l1 * dp * dp + l2 * l2 / 4 * dq * dq + l1 * l2 * dp * dq * cos(p - q)) / 2 +
      I2 * dq * dq / 2;
  const Expr V = -m1 * g * l1 / 2 * cos(p) - m2 * g * (l1 * cos(p) + l2 / 2 * cos(q));
  add_lagrange(lagrange, derive_lagrange({.lagrangian = T - V, .q = {p, q}}));
  const auto by_lagrange = done(lagrange, 2);

  // Newton and Euler: each rod on its own, pins as constraints.
  Model newton("Newton");
  ConstrainedMotion motion;
  const double start[] = {l1 / 2 * std::sin(a1),
                          -l1 / 2 * std::cos(a1),
                          a1,
                          l1 * std::sin(a1) + l2 / 2 * std::sin(a2),
                          -l1 * std::cos(a1) - l2 / 2 * std::cos(a2),
                          a2};
  const char* names[] = {"x1", "y1", "t1", "x2", "y2", "t2"};
  for (int k = 0; k < 6; ++k) {
    motion.q.push_back(newton.unknown(names[k], {.start = start[k], .fixed = true}));
    motion.v.push_back(newton.unknown(std::string("v") + names[k], {.start = 0, .fixed = true}));
  }
  const auto& c = motion.q;
  motion.mass = Matrix::diagonal({m1, m1, I1, m2, m2, I2});
  motion.h = {0, m1 * g, 0, 0, m2 * g, 0};
  motion.phi = {c[0] - l1 / 2 * sin(c[2]), c[1] + l1 / 2 * cos(c[2]),
                c[3] - l2 / 2 * sin(c[5]) - c[0] - l1 / 2 * sin(c[2]),
                c[4] + l2 / 2 * cos(c[5]) - c[1] + l1 / 2 * cos(c[2])};
  motion.omega = 4;
  add_constrained_motion(newton, motion);
  const auto by_newton = done(newton, 2);

  for (const std::size_t row : {10, 30, 50}) {
    const double angle1 = by_lagrange.trajectory.column("p")[row];
    const double angle2 = by_lagrange.trajectory.column("q")[row];
    EXPECT_NEAR(by_kane.trajectory.column("first.q")[row], angle1, 1e-7);
    EXPECT_NEAR(
        by_kane.trajectory.column("first.q")[row] + by_kane.trajectory.column("second.q")[row],
        angle2, 1e-7);
    EXPECT_NEAR(by_newton.trajectory.column("t1")[row], angle1, 1e-7);
    EXPECT_NEAR(by_newton.trajectory.column("t2")[row], angle2, 1e-7);
  }
  EXPECT_LT(spread(by_kane.trajectory.column("E")), 1e-8);
}

/// M of Lagrange = -(derivatives of Kane's forces by der(u)) where speeds are derivatives.
TEST(Mechanisms, MassMatricesAgreeWithDifferencesOfTheEnergy) {
  Model m("Arm");
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O");
  Linkage linkage(m, N, O);
  const Joint base = linkage.universal("base", N, O, N.z(), N.y());
  const Point elbow = linkage.fixed_point("elbow", base, 0.7 * base.frame.x());
  const Joint wrist = linkage.cylindrical("wrist", base.frame, elbow, base.frame.z());
  const Point tip =
      linkage.fixed_point("tip", wrist, 0.3 * wrist.frame.x() + 0.1 * wrist.frame.y());
  linkage.add(rigid_body("upper", elbow, base.frame, 2, inertia(base.frame, 0.1, 0.2, 0.3, 0.01)));
  linkage.add(rigid_body("lower", tip, wrist.frame, 1.5, inertia(wrist.frame, 0.05, 0.04, 0.02)));
  const double start[] = {0.3, -0.4, 0.5, 0.2};
  for (std::size_t k = 0; k < 4; ++k) m.start(linkage.system().q[k], start[k]);
  const KaneEquations equations = derive_kane(m, linkage.system());
  const KaneMatrices matrices = kane_matrices(equations);
  const NumberMatrix Md = evaluate_matrix(m.pool(), matrices.Md, equations.point, 0);
  const Expr T = kinetic_energy(linkage.bodies(), N);
  const auto energy = [&](const std::vector<double>& v) {
    symbolic::Values values = equations.point;
    for (std::size_t k = 0; k < 4; ++k) values[der(linkage.system().q[k]).id()] = v[k];
    return symbolic::evaluate(m.pool(), T.id(), values);
  };
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      std::vector<double> pp(4, 0), pm(4, 0), mp(4, 0), mm(4, 0);
      pp[i] += 1, pp[j] += 1, pm[i] += 1, pm[j] -= 1, mp[i] -= 1, mp[j] += 1, mm[i] -= 1,
          mm[j] -= 1;
      const double second = (energy(pp) - energy(pm) - energy(mp) + energy(mm)) / 4;
      EXPECT_NEAR(-Md[i][j], second, 1e-12) << i << j;
    }
}

// ---- free bodies, loads -------------------------------------------------------------------------

/// A book that tumbles: free joint by quaternions, all momenta kept in the inertial frame.
TEST(Mechanisms, FreeBodyKeepsEnergyAndMomenta) {
  Model m("Book");
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O");
  Linkage linkage(m, N, O);
  const Joint book = linkage.free("book", N, O);
  linkage.add(rigid_body("book", book.point, book.frame, 0.7, inertia(book.frame, 1, 2, 3)));
  m.start(book.u[0], 0.01, {.fixed = true});
  m.start(book.u[1], 2, {.fixed = true});  // about the middle axis: it flips
  m.start(book.u[3], 1, {.fixed = true});
  const Components H = angular_momentum(linkage.bodies(), O, N).in(N);
  for (int k = 0; k < 3; ++k) m.observe("H" + std::to_string(k), H[static_cast<std::size_t>(k)]);
  const Components p = linear_momentum(linkage.bodies(), N).in(N);
  for (int k = 0; k < 3; ++k) m.observe("p" + std::to_string(k), p[static_cast<std::size_t>(k)]);
  m.observe("T", kinetic_energy(linkage.bodies(), N));
  Expr length = 0;
  for (std::size_t k = 0; k < 4; ++k) length += book.q[k] * book.q[k];
  m.observe("length", length);
  add_kane(m, derive_kane(m, linkage.system()));
  const auto result = run(m, {.stop = 20, .tolerance = 1e-10, .intervals = 200});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  for (const char* name : {"H0", "H1", "H2", "p0", "p1", "p2", "T", "length"})
    EXPECT_LT(spread(result.trajectory.column(name)), 2e-7) << name;
  EXPECT_GT(spread(result.trajectory.column("book.w2")), 3.5);  // it did flip
  EXPECT_NEAR(last(result, "book.r1"), 20, 1e-7);
  EXPECT_NEAR(last(result, "p0"), 0.7, 1e-9);  // 0.7 kg at 1 m/s
}

// ---- loads --------------------------------------------------------------------------------------

TEST(Mechanisms, SpringsDampersAndFrictionTakeWhatTheyShould) {
  // A mass on a spring and damper along x: the exact solution of the damped oscillator.
  Model m("Oscillator");
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O");
  Linkage linkage(m, N, O);
  const Joint cart = linkage.slider("cart", N, O, N.x());
  linkage.add(particle("mass", cart.point, 2));
  linkage.add(spring_damper(O, cart.point, 50, 1.2, 0.5, N));
  m.start(cart.q[0], 0.7, {.fixed = true});
  add_kane(m, derive_kane(m, linkage.system()));
  const auto result = done(m, 2);
  const double d = 1.2 / 4, w = std::sqrt(25 - d * d);
  EXPECT_NEAR(last(result, "cart.q"),
              0.5 + 0.2 * std::exp(-2 * d) * (std::cos(2 * w) + d / w * std::sin(2 * w)), 1e-8);

  // Friction: the power it takes is what the energy loses.
  Model f("Friction");
  World other;
  const Frame M = other.frame("M");
  const Point Q = other.point("Q");
  Linkage sliding(f, M, Q);
  const Joint block = sliding.slider("block", M, Q, M.x());
  sliding.add(particle("mass", block.point, 1));
  sliding.add(friction(block.u[0], 0.5, 1e-3));
  f.start(block.u[0], 1, {.fixed = true});
  add_kane(f, derive_kane(f, sliding.system()));
  EXPECT_NEAR(last(done(f, 1, 1e-9), "block.u"), 0.5, 1e-6);
}

TEST(Mechanisms, MixWithOtherEquations) {
  // A first-order actuator, written as an ordinary equation, pushes a mass derived here.
  Model m("Mixed");
  const Expr F = m.unknown("F", {.start = 0, .fixed = true});
  m += der(F) == 2 - F;
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O");
  Linkage linkage(m, N, O);
  const Joint cart = linkage.slider("cart", N, O, N.x());
  linkage.add(particle("mass", cart.point, 4));
  linkage.add(force(cart.point, F * N.x()));
  add_kane(m, derive_kane(m, linkage.system()));
  // 4 v' = 2 (1 - exp(-t))
  EXPECT_NEAR(last(done(m, 1), "cart.u"), 0.5 * (1 - (1 - std::exp(-1))), 1e-8);
}

/// m x'' + c x' + k x = F, by Lagrange: dissipation, a generalised force, and loads.
TEST(Lagrange, DissipationAndForces) {
  Model m("Oscillator");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  m.start(der(x), 0, {.fixed = true});
  add_lagrange(m, derive_lagrange({.lagrangian = der(x) * der(x) - 25 * x * x,
                                   .q = {x},
                                   .forces = {Expr(3)},
                                   .loads = {along(der(x), -0.2 * der(x))},
                                   .dissipation = 0.5 * der(x) * der(x)}));
  // 2 x'' + 1.2 x' + 50 x = 3
  const double d = 0.3, w = std::sqrt(25 - d * d), rest = 3.0 / 50, t = 2;
  EXPECT_NEAR(last(done(m, t), "x"),
              rest + (1 - rest) * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t)),
              1e-8);
  EXPECT_NE(message_of("K025",
                       [&] {
                         derive_lagrange({.lagrangian = x, .q = {x}, .forces = {x, x}});
                       })
                .find("1 coordinate, but 2 generalised forces"),
            std::string::npos);
}

TEST(Lagrange, WhatIsNoLagrangianOfTheCoordinatesIsRefused) {
  Model m("Mistakes");
  const Expr x = m.unknown("x"), y = m.unknown("y");
  const auto refusal = [&](const LagrangeSystem& system) {
    return message_of("K025", [&] { derive_lagrange(system); });
  };
  const Expr kinetic = der(x) * der(x) / 2;
  EXPECT_NE(
      refusal({.lagrangian = kinetic, .q = {x, y, x}}).find("'x' is given as a coordinate twice"),
      std::string::npos);
  EXPECT_NE(refusal({.lagrangian = kinetic + x * der(der(x)), .q = {x}}).find("in the Lagrangian"),
            std::string::npos);
  EXPECT_NE(refusal({.lagrangian = kinetic, .q = {x}, .dissipation = der(der(x)) * der(x)})
                .find("in the dissipation function"),
            std::string::npos);
}

/// A mass on a spring that swings: r and phi, or x and y, have the same energies.
TEST(Lagrange, MassMatrixAndSpringPotential) {
  Model m("ElasticPendulum");
  const Expr r = m.unknown("r", {.start = 1.2, .fixed = true});
  const Expr phi = m.unknown("phi", {.start = 0.4, .fixed = true});
  for (const Expr& q : {r, phi}) m.start(der(q), 0.3, {.fixed = true});
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O"), P = world.point("P");
  O.set_velocity(N, {});
  P.set_position(O, r * sin(phi) * N.x() - r * cos(phi) * N.y());
  const std::vector<Body> bodies{particle("P", P, 2)};
  const Expr T = kinetic_energy(bodies, N), V = spring_potential(O, P, 40, 1);
  const LagrangeSystem system{.lagrangian = T - V, .q = {r, phi}};
  const symbolic::Matrix M = mass_matrix(system);
  m.observe("M11", M(0, 0));
  m.observe("M12", M(0, 1));
  m.observe("M22", M(1, 1) - 2 * r * r);
  m.observe("V", V - 20 * (r - 1) * (r - 1));
  m.observe("E", T + V);
  add_lagrange(m, derive_lagrange(system));
  const SimulationResult result = done(m, 3);
  for (const double value : result.trajectory.column("M11")) EXPECT_NEAR(value, 2, 1e-12);
  for (const char* name : {"M12", "M22", "V"})
    for (const double value : result.trajectory.column(name)) EXPECT_NEAR(value, 0, 1e-11) << name;
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-7);
}

// ---- integrability ------------------------------------------------------------------------------

TEST(Integrability, ConstraintsAreSorted) {
  Model m("Sort");
  std::vector<Expr> q;
  for (const char* name : {"x", "y", "t", "s"}) q.push_back(m.unknown(name));
  const auto& [x, y, t, s] = std::tie(q[0], q[1], q[2], q[3]);
  const Expr skate = -sin(t) * der(x) + cos(t) * der(y);
  const Expr circle = x * der(x) + s * der(s);
  const Expr configuration = x - 2 * y;
  const SortedConstraints sorted = sort_constraints(m, {skate, configuration, circle}, q);
  ASSERT_EQ(sorted.holonomic.size(), 1u);
  EXPECT_TRUE(same(sorted.holonomic[0], configuration));
  ASSERT_EQ(sorted.integrable.size(), 1u);
  EXPECT_TRUE(same(sorted.integrable[0], circle));
  ASSERT_EQ(sorted.nonholonomic.size(), 1u);
  EXPECT_TRUE(same(sorted.nonholonomic[0], skate));
  // Where x and y rest, the skate does not matter any more.
  EXPECT_EQ(sort_constraints(m, {skate, x * der(x) + y * der(y)}, q).integrable.size(), 2u);
  // A skate that may not turn runs along a line: together both can be integrated.
  const SortedConstraints straight = sort_constraints(m, {skate, der(t)}, q);
  EXPECT_EQ(straight.integrable.size(), 2u);
  // With an integrating factor: still a configuration.
  EXPECT_EQ(sort_constraints(m, {exp(x) * (y * der(x) - x * der(y))}, q).integrable.size(), 1u);
  EXPECT_EQ(message_of("K021", [&] { sort_constraints(m, {der(x) * der(y)}, q); }).empty(), false);
}

}  // namespace
}  // namespace alembert::mechanics
