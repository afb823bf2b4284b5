// SPDX-License-Identifier: Apache-2.0
// What no single set of equations describes: constraints that repeat others, and configurations in
// which they lose rank. Oracles: exact solutions, the same model without what is redundant, energy.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "pipeline/cartesian_pendulum.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Formulation;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

using Constraint = std::function<Expr(Expr, Expr)>;

/// A pendulum whose constraint is there twice, the second time as `second` says.
Model twice(const Constraint& second) {
  Model m("Pendulum");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
  const Expr a = m.unknown("a"), b = m.unknown("b");
  m += der(der(x)) == a * x + 2 * b * x;
  m += der(der(y)) == a * y + 2 * b * y - 1;
  m += x * x + y * y == 1;
  m += second(x, y) == 0;
  return m;
}

// Derivatives that cancel are replaced by an unknown of ours, which nobody declared. Invariant: the
// second equation holds at the end.
TEST(HiddenSingularity, WhatIsSubstitutedIsNoColumn) {
  const CompiledModel model = compiled(R"(
model M
  Real x1(start = 1), x2(start = 1, fixed = true);
equation
  x1 + exp(-der(x1) - x2*der(der(x2))) = 2 + sin(time);
  x1 + x2*der(x2) + x2^2 = cos(time) + 1;
end M;)");
  const SimulationResult run = simulate(model, {.stop = 1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(run.trajectory.names(), (std::vector<std::string>{"x1", "x2", "der(x2)"}));
  const double x2 = at_end(run, "x2");
  EXPECT_NEAR(at_end(run, "x1") + x2 * at_end(run, "der(x2)") + x2 * x2, std::cos(1.0) + 1, 1e-9);
  // Messages take names from here.
  for (const std::string& name : model.variable_names())
    EXPECT_EQ(name.find("substituted"), std::string::npos) << name;
}

// A factor that an equation before the block gives, also where names stand for the derivatives. By
// hand: the first equation put into the second.
TEST(HiddenSingularity, FactorsMayBeKnownUnknowns) {
  const std::string head = "model M\n  Real x(start = 6), y(start = -3, fixed = true), z;\n";
  const std::string first = "equation\n  der(x)*der(y) = 1 + y;\n  z = 2 + sin(time);\n  ";
  const CompiledModel by_hand = compiled(head + first + "z*(1 + y) + x = 2;\nend M;\n");
  const SimulationResult expected = simulate(by_hand, {.stop = 0.5, .tolerance = 1e-9});
  for (const std::string& written :
       {head + first + "z*der(x)*der(y) + x = 2;\nend M;\n",
        head +
            "  Real a(start = -1), b;\nequation\n  a = der(x);\n  b = der(y);\n  a*b = 1 + y;\n" +
            "  z = 2 + sin(time);\n  z*a*b + x = 2;\nend M;\n"}) {
    const CompiledModel model = compiled(written);
    EXPECT_EQ(model.plan().degrees_of_freedom, 1u) << written;
    const SimulationResult run = simulate(model, {.stop = 0.5, .tolerance = 1e-9});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    for (const char* name : {"x", "y", "z"})
      EXPECT_NEAR(at_end(run, name), at_end(expected, name), 1e-7) << written;
  }
}

// Exact: elliptic functions; a multiple, and another function of the same, by each formulation.
TEST(Redundancy, AConstraintWrittenTwice) {
  const std::vector<Constraint> ways = {[](Expr x, Expr y) { return 2 * x * x + 2 * y * y - 2; },
                                        [](Expr x, Expr y) { return sqrt(x * x + y * y) - 1; }};
  for (const Constraint& second : ways) {
    const CompiledModel model(twice(second).flatten());
    ASSERT_EQ(model.redundancies().size(), 1u);
    EXPECT_EQ(model.plan().degrees_of_freedom, 2u);
    for (const Formulation formulation :
         {Formulation::automatic, Formulation::projection, Formulation::ggl}) {
      SCOPED_TRACE(to_string(formulation));
      const SimulationResult run =
          simulate(model, {.stop = 25, .tolerance = 1e-10, .formulation = formulation});
      ASSERT_EQ(run.outcome, Outcome::done) << run.message;
      EXPECT_NEAR(at_end(run, "x"), -0.89834914124609305, 1e-6);
      EXPECT_NEAR(at_end(run, "der(y)"), 0.84203848335801730, 1e-6);
      EXPECT_LT(run.largest_constraint_residual, 1e-10);
      EXPECT_FALSE(run.warnings.empty());
    }
  }
}

TEST(Redundancy, AContradictionNamesTheEquations) {
  try {
    const CompiledModel model(
        twice([](Expr x, Expr y) { return 2 * x * x + 2 * y * y - 3; }).flatten());
    FAIL() << "constraints that contradict each other were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "S006") << error.what();
    EXPECT_NE(std::string(error.what()).find("x^2 + y^2 = 1"), std::string::npos) << error.what();
  }
}

/// A closed loop of four bars, hinged about z, in the angles of the bars; written for three
/// dimensions it has a height that two equations say to be zero, and forces that nothing tells
/// apart.
Model loop(bool in_space) {
  Model m("Loop");
  const double a = 0.8, b = 2, c = 1, g = 9.81;
  const Expr p = m.unknown("p", {.start = 0.17453292519943295770});
  const Expr q = m.unknown("q", {.start = 0.28929296198973650658});
  const Expr r = m.unknown("r", {.start = -2.3528498778870844559});
  const Expr fx = m.unknown("fx"), fy = m.unknown("fy");
  const Expr cosine = cos(q - p), sine = sin(q - p);
  // Point masses of 1 at the ends of the first two bars.
  m += 2 * a * a * der(der(p)) + a * b * cosine * der(der(q)) - a * b * sine * der(q) * der(q) ==
       -2 * g * a * cos(p) - a * sin(p) * fx + a * cos(p) * fy;
  m += b * b * der(der(q)) + a * b * cosine * der(der(p)) + a * b * sine * der(p) * der(p) ==
       -g * b * cos(q) - b * sin(q) * fx + b * cos(q) * fy;
  m += -c * sin(r) * fx + c * cos(r) * fy == 0;
  m += a * cos(p) + b * cos(q) + c * cos(r) == 2;
  m += a * sin(p) + b * sin(q) + c * sin(r) == 0;
  if (in_space) {
    const Expr h = m.unknown("h");
    // In a direction in which nothing moves the unit alone tells forces from other unknowns.
    const Expr fz = m.unknown("fz", {.unit = "N"}), gz = m.unknown("gz", {.unit = "N"});
    m += h == 0;
    m += 3 * h == 0;
    m += fz + gz == h;
  }
  return m;
}

// Digits in quadruple precision (Moore's four-bar).
TEST(Redundancy, APlanarLoopWrittenInSpace) {
  for (const bool in_space : {false, true}) {
    const CompiledModel model(loop(in_space).flatten());
    EXPECT_EQ(model.redundancies().empty(), !in_space);
    const SimulationResult run = simulate(model, {.stop = 2, .tolerance = 1e-10});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_NEAR(at_end(run, "p"), -2.106162216902087, 1e-6);
    EXPECT_NEAR(at_end(run, "r"), -0.5805173020166322, 1e-6);
  }
}

/// Windows of parallelograms side by side: tops of upright rods, joined by couplers. All rods have
/// mass 1 and length 1; a rod between two points has the masses 1/3 and 1/6.
Model four_bars(std::size_t windows) {
  Model m("FourBars");
  const double g = 9.81;
  std::vector<Expr> x, y, upright, coupler;
  for (std::size_t k = 0; k <= windows; ++k) {
    const std::string name = std::to_string(k);
    x.push_back(m.unknown("x" + name, {.start = static_cast<double>(k)}));
    y.push_back(m.unknown("y" + name, {.start = 1}));
    m.start(der(x.back()), 1);
    upright.push_back(m.unknown("a" + name));
    if (k < windows) coupler.push_back(m.unknown("b" + name));
  }
  for (std::size_t k = 0; k <= windows; ++k) {
    const auto foot = static_cast<double>(k);
    Expr mass_x = der(der(x[k])) / 3, mass_y = der(der(y[k])) / 3;
    Expr fx = upright[k] * (x[k] - foot), fy = upright[k] * y[k] - g / 2;
    const auto join = [&](std::size_t bar, std::size_t other) {
      mass_x = mass_x + der(der(x[k])) / 3 + der(der(x[other])) / 6;
      mass_y = mass_y + der(der(y[k])) / 3 + der(der(y[other])) / 6;
      fx = fx + coupler[bar] * (x[k] - x[other]);
      fy = fy + coupler[bar] * (y[k] - y[other]) - g / 2;
    };
    if (k > 0) join(k - 1, k - 1);
    if (k < windows) join(k, k + 1);
    m += mass_x == fx;
    m += mass_y == fy;
    m += (x[k] - foot) * (x[k] - foot) + y[k] * y[k] == 1;
    if (k < windows)
      m += (x[k + 1] - x[k]) * (x[k + 1] - x[k]) + (y[k + 1] - y[k]) * (y[k + 1] - y[k]) == 1;
  }
  return m;
}

// Exact (elliptic functions): all links keep one angle through ten configurations, in each of which
// the mobility is larger. IFToMM benchmark A02.
TEST(SingularConfiguration, TheDoubleFourBarGoesStraightThrough) {
  const CompiledModel model(four_bars(2).flatten());
  const SimulationResult run = simulate(model, {.stop = 10, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_EQ(run.n_passages, 10u);
  EXPECT_NEAR(at_end(run, "x0"), 0.32845811154081538, 1e-4);
  EXPECT_NEAR(at_end(run, "y0"), 0.94451853817860096, 1e-4);
  EXPECT_NEAR(at_end(run, "der(x0)"), 1.4230514702069441, 1e-3);
  EXPECT_LT(run.largest_constraint_residual, 1e-10);
  // By other formulations and by methods with short steps too.
  using integrate::Formulation;
  for (const auto& [formulation, method] :
       {std::pair{Formulation::dynamic, "cvode"}, std::pair{Formulation::dynamic, "radau5"},
        std::pair{Formulation::baumgarte, "auto"}, std::pair{Formulation::ggl, "radau5"}}) {
    const SimulationResult other = simulate(
        model, {.stop = 10, .tolerance = 1e-9, .method = method, .formulation = formulation});
    ASSERT_EQ(other.outcome, Outcome::done) << method << ": " << other.message;
    EXPECT_NEAR(at_end(other, "x0"), 0.32845811154081538, 1e-3) << method;
  }
}

// Crank and rod of equal length: at the dead centre the slider may stay or go on; the velocity
// tells.
TEST(SingularConfiguration, EqualLinksKeepTheirEnergy) {
  Model m("SliderCrank");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
  const Expr s = m.unknown("s", {.start = 2}), a = m.unknown("a"), b = m.unknown("b");
  m += der(der(x)) == a * x - b * (s - x);
  m += der(der(y)) == a * y + b * y - 9.81;
  m += der(der(s)) == b * (s - x);
  m += x * x + y * y == 1;
  m += (s - x) * (s - x) + y * y == 1;
  m.start(der(y), 1);
  m.observe("energy", (der(x) * der(x) + der(y) * der(y) + der(s) * der(s)) / 2 + 9.81 * y);
  const CompiledModel model(m.flatten());
  const SimulationResult run = simulate(model, {.stop = 10, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_GT(run.n_passages, 0u);
  ASSERT_EQ(run.conserved.size(), 1u);
  EXPECT_LT(run.conserved.front().largest_change, 1e-4);
}

// Four skew hinges by points and axes (Bennett 1903): three constraints more than a mechanism of
// one degree of freedom can have, and it moves all the same. Oracles: energy, and each formulation
// against the others.
TEST(Redundancy, BennettsLinkageMoves) {
  const double alpha = 0.6, beta = 1.1, a = std::sin(alpha), b = std::sin(beta), theta = 1.2;
  using Point = std::array<double, 3>;
  const Point p2{a, 0, 0}, u1{0, 0, 1}, u2{0, -std::sin(alpha), std::cos(alpha)};
  const Point p4{b * std::cos(theta), b * std::sin(theta), 0};
  const Point u4{-b * std::sin(theta), b * std::cos(theta), std::cos(beta)};
  // A half-turn about d through the middle of p2 and p4 exchanges the joints.
  Point d{}, p3{}, u3{};
  double length = 0, along = 0;
  for (int k = 0; k < 3; ++k) {
    d[k] = u2[k] + u4[k];
    length += d[k] * d[k];
  }
  for (int k = 0; k < 3; ++k) {
    d[k] /= std::sqrt(length);
    along += d[k] * (p2[k] + p4[k]) / 2;
  }
  for (int k = 0; k < 3; ++k) {
    p3[k] = p2[k] + p4[k] - 2 * d[k] * along;
    u3[k] = 2 * d[2] * d[k] - u1[k];
  }
  Model m("Bennett");
  using Vector = std::array<Expr, 3>;
  const auto moving = [&](const std::string& name, const Point& start) {
    Vector v;
    for (int k = 0; k < 3; ++k) v[k] = m.unknown(name + std::to_string(k + 1), {.start = start[k]});
    return v;
  };
  const auto fixed = [](const Point& at) { return Vector{Expr(at[0]), Expr(at[1]), Expr(at[2])}; };
  const auto minus = [](const Vector& x, const Vector& y) {
    return Vector{x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  };
  const auto dot = [](const Vector& x, const Vector& y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  };
  const Vector P1 = fixed({0, 0, 0}), P2 = fixed(p2), U1 = fixed(u1), U2 = fixed(u2);
  const Vector P3 = moving("p3_", p3), P4 = moving("p4_", p4), U3 = moving("u3_", u3),
               U4 = moving("u4_", u4);
  const std::vector<Expr> constraints = {dot(minus(P3, P2), minus(P3, P2)) - b * b,
                                         dot(minus(P3, P2), U2),
                                         dot(minus(P3, P2), U3),
                                         dot(U2, U3) - std::cos(beta),
                                         dot(minus(P4, P3), minus(P4, P3)) - a * a,
                                         dot(minus(P4, P3), U3),
                                         dot(minus(P4, P3), U4),
                                         dot(U3, U4) - std::cos(alpha),
                                         dot(minus(P4, P1), minus(P4, P1)) - b * b,
                                         dot(minus(P4, P1), U1),
                                         dot(minus(P4, P1), U4),
                                         dot(U1, U4) - std::cos(beta),
                                         dot(U3, U3) - 1,
                                         dot(U4, U4) - 1};
  std::vector<Expr> forces;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    forces.push_back(m.unknown("f" + std::to_string(i + 1)));
    m += constraints[i] == 0;
  }
  Expr energy = 9.81 * (P3[1] + P4[1]);
  for (const Vector* vector : {&P3, &P4, &U3, &U4})
    for (int k = 0; k < 3; ++k) {
      const Expr x = (*vector)[k];
      Expr force = k == 1 && (vector == &P3 || vector == &P4) ? Expr(-9.81) : Expr(0);
      for (std::size_t i = 0; i < constraints.size(); ++i)
        force = force + forces[i] * symbolic::differentiate(constraints[i], x);
      m += der(der(x)) == force;
      energy = energy + der(x) * der(x) / 2;
    }
  m.observe("energy", energy);
  const CompiledModel model(m.flatten());
  EXPECT_EQ(model.redundancies().size(), 3u);
  EXPECT_EQ(model.plan().degrees_of_freedom, 2u);
  std::vector<double> ends;
  for (const Formulation formulation : {Formulation::automatic, Formulation::projection,
                                        Formulation::baumgarte, Formulation::ggl}) {
    SCOPED_TRACE(to_string(formulation));
    const SimulationResult run =
        simulate(model, {.stop = 2, .tolerance = 1e-9, .formulation = formulation});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_LT(run.conserved.front().largest_change, 1e-4);
    EXPECT_LT(run.constraint_levels.front().largest_residual, 1e-7);
    ends.push_back(at_end(run, "p4_1"));
    EXPECT_NEAR(ends.back(), ends.front(), 1e-5);
  }
}

// What an equation too many leaves open may be a force, to which any value can be given, but no
// coordinate.
TEST(Redundancy, CoordinatesThatNothingDeterminesGetNoValue) {
  Model m("Open");
  const Expr h = m.unknown("h"), a = m.unknown("a"), p = m.unknown("p"), q = m.unknown("q");
  m += der(der(h)) == -1;
  m += a == h;
  m += 2 * a == 2 * h;
  m += p * p + q * q == 1;
  EXPECT_THROW(CompiledModel(m.flatten()), Error);
}

// Only a force that acts on the motion may be told nothing about. Here y and z are none, whatever
// repeats: x, which does not move anything, or a constraint on what moves.
TEST(Redundancy, WhatActsOnNoMotionGetsNoValue) {
  for (const char* repeated : {"x = cos(time); 2*x = 2*cos(time);", "x = time; 2*x = 2*time;",
                               "x^2 = 1 + time; 2*x^2 = 2 + 2*time;"})
    EXPECT_THROW(compiled("model M Real x, y(start = 5), z(start = 7); equation " +
                          std::string(repeated) + " y + z = x; end M;"),
                 Error)
        << repeated;
  EXPECT_THROW(compiled("model M Real h, a, y, z; equation der(der(h)) = -1; a = h; 2*a = 2*h; "
                        "y + z = a; end M;"),
               Error);
}

// A parallelogram turns through its flat configurations, where it could fold. Exact: the coupler
// moves parallel to itself, so that the cranks are one pendulum.
TEST(SingularConfiguration, TheParallelogramStaysOne) {
  Model m("Parallelogram");
  const Expr xb = m.unknown("xb", {.start = 0}), yb = m.unknown("yb", {.start = 1});
  const Expr xc = m.unknown("xc", {.start = 2}), yc = m.unknown("yc", {.start = 1});
  const Expr f1 = m.unknown("f1"), f2 = m.unknown("f2"), f3 = m.unknown("f3");
  m.start(der(xb), -7);
  m.start(der(xc), -7);
  m += der(der(xb)) == f1 * xb - f2 * (xc - xb);
  m += der(der(yb)) == f1 * yb - f2 * (yc - yb) - 9.81;
  m += 3 * der(der(xc)) == f2 * (xc - xb) + f3 * (xc - 2);
  m += 3 * der(der(yc)) == f2 * (yc - yb) + f3 * yc - 3 * 9.81;
  m += xb * xb + yb * yb == 1;
  m += (xc - xb) * (xc - xb) + (yc - yb) * (yc - yb) == 4;
  m += (xc - 2) * (xc - 2) + yc * yc == 1;
  const CompiledModel model(m.flatten());

  Model single("Single");
  const Expr phi = single.unknown("phi", {.start = 0});
  single.start(der(phi), 7);
  single += der(der(phi)) == 9.81 * sin(phi);
  const SimulationResult exact =
      simulate(CompiledModel(single.flatten()), {.stop = 3, .tolerance = 1e-12});
  struct Way {
    Formulation formulation;
    std::string method;
  };
  for (const Way& way : {Way{Formulation::automatic, "auto"}, Way{Formulation::projection, "auto"},
                         Way{Formulation::baumgarte, "auto"}, Way{Formulation::ggl, "auto"},
                         Way{Formulation::automatic, "taylor"}}) {
    SCOPED_TRACE(std::string(to_string(way.formulation)) + " " + way.method);
    const SimulationResult run = simulate(
        model,
        {.stop = 3, .tolerance = 1e-8, .method = way.method, .formulation = way.formulation});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_NEAR(at_end(run, "xb"), -std::sin(at_end(exact, "phi")), 1e-4);
    EXPECT_NEAR(at_end(run, "yb"), std::cos(at_end(exact, "phi")), 1e-4);
    EXPECT_NEAR(at_end(run, "xc") - at_end(run, "xb"), 2, 1e-6);
  }
  // Coefficients of high order are noise near the flat configurations, the more so the tighter the
  // tolerance and the shorter the steps.
  for (const double tolerance : {1e-9, 1e-10}) {
    SCOPED_TRACE(tolerance);
    const SimulationResult run =
        simulate(model, {.stop = 3, .tolerance = tolerance, .method = "taylor"});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_NEAR(at_end(run, "xb"), -std::sin(at_end(exact, "phi")), 1e-8);
  }
  for (const std::string method : {"rattle4", "rattle8"}) {
    const SimulationResult run =
        simulate(model, {.stop = 3.5, .tolerance = 1e-8, .method = method, .step = 0.001});
    EXPECT_EQ(run.outcome, Outcome::done) << run.message;
  }
}

// Two pendulums that know nothing of each other: what one does leaves the states of the other
// alone.
TEST(Charts, MechanismsChangeEachForItself) {
  Model m("Two");
  for (const std::string name : {"a", "b"}) {
    const double x0 = name == "a" ? 1.0 : 0.1;
    const Expr x = m.unknown(name + ".x", {.start = x0});
    const Expr y = m.unknown(name + ".y", {.start = -std::sqrt(1 - x0 * x0)});
    const Expr f = m.unknown(name + ".f");
    m += der(der(x)) == f * x;
    m += der(der(y)) == f * y - 1;
    m += x * x + y * y == 1;
  }
  const CompiledModel model(m.flatten());
  const SimulationResult run = simulate(model, {.stop = 30, .tolerance = 1e-8});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  ASSERT_GT(run.switches.size(), 10u);
  for (const auto& change : run.switches) {
    EXPECT_EQ(change.block, run.switches.front().block);  // the other swings little
    for (const std::string& name : change.to) EXPECT_EQ(name.find("b."), std::string::npos);
    EXPECT_GT(change.condition_before(), 1.9 * change.condition_after());
  }
}

// A pendulum runs on for 10,000 s; its constraints are looked at wherever it is shown.
TEST(LongRun, ConstraintsHoldThroughout) {
  const CompiledModel model(cartesian_pendulum().flatten());
  for (const Formulation formulation : {Formulation::automatic, Formulation::projection}) {
    SCOPED_TRACE(to_string(formulation));
    const SimulationResult run = simulate(
        model, {.stop = 10000, .tolerance = 1e-8, .intervals = 20000, .formulation = formulation});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    double length = 0, velocity = 0;
    const auto xs = run.trajectory.column("x"), ys = run.trajectory.column("y");
    const auto us = run.trajectory.column("der(x)"), vs = run.trajectory.column("der(y)");
    for (std::size_t i = 0; i < xs.size(); ++i) {
      length = std::max(length, std::abs(xs[i] * xs[i] + ys[i] * ys[i] - 1));
      velocity = std::max(velocity, std::abs(xs[i] * us[i] + ys[i] * vs[i]));
    }
    EXPECT_LE(length, 1e-10);
    EXPECT_LE(velocity, 1e-10);
    ASSERT_FALSE(run.conserved.empty());
    EXPECT_LT(run.conserved.front().largest_change, 1e-3);
    EXPECT_NEAR(run.constraint_levels.front().largest_residual, length, 1e-15);
  }
}

/// Two parallelograms side by side (IFToMM A02) by the angles of their bars: slender rods of length
/// and mass 1. Stretched out, an equation of the constraints' matrix vanishes as a whole, which no
/// comparison of its entries with each other shows.
Model parallelograms_by_angles() {
  Model m("Parallelograms");
  const double upright = std::acos(0.0), g = 9.81;
  std::array<Expr, 3> crank, crank_rate;
  std::array<Expr, 2> coupler, coupler_rate, fx, fy;
  for (std::size_t k = 0; k < 3; ++k) {
    crank[k] = m.unknown("a" + std::to_string(k), {.start = upright});
    crank_rate[k] = m.unknown("w" + std::to_string(k), {.start = -1});
    m += crank_rate[k] == der(crank[k]);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    coupler[k] = m.unknown("b" + std::to_string(k), {.start = 0});
    coupler_rate[k] = m.unknown("u" + std::to_string(k), {.start = 0});
    m += coupler_rate[k] == der(coupler[k]);
    fx[k] = m.unknown("fx" + std::to_string(k));
    fy[k] = m.unknown("fy" + std::to_string(k));
    m += cos(crank[k]) + cos(coupler[k]) == 1 + cos(crank[k + 1]);
    m += sin(crank[k]) + sin(coupler[k]) == sin(crank[k + 1]);
  }
  Expr energy = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Expr a = crank[k], w = crank_rate[k];
    Expr torque = 0, inertia = Expr(1) / 3 * der(w), weight = g / 2 * cos(a);
    energy = energy + w * w / 6 + g / 2 * sin(a);
    if (k > 0) torque = torque + fx[k - 1] * sin(a) - fy[k - 1] * cos(a);
    if (k < 2) {
      const Expr b = coupler[k], u = coupler_rate[k];
      torque = torque - fx[k] * sin(a) + fy[k] * cos(a);
      inertia = inertia + der(w) + (cos(a - b) * der(u) + sin(a - b) * u * u) / 2;
      weight = weight + g * cos(a);
      m += der(u) / 3 + (cos(a - b) * der(w) - sin(a - b) * w * w) / 2 + g / 2 * cos(b) ==
           -fx[k] * sin(b) + fy[k] * cos(b);
      energy =
          energy + w * w / 2 + u * u / 6 + cos(a - b) * w * u / 2 + g * sin(a) + g / 2 * sin(b);
    }
    m += inertia + weight == torque;
  }
  m.observe("E", energy);
  return m;
}

// Oracles: the single crank that the mechanism is equivalent to, and energy.
TEST(SingularConfigurations, AConstraintThatVanishesIsPassed) {
  Model single("Crank");
  const Expr a = single.unknown("a", {.start = std::acos(0.0)});
  const Expr w = single.unknown("w", {.start = -1});
  single += w == der(a);
  // Three cranks of 1/3 and two couplers of 1 that do not turn.
  single += 3 * der(w) == -(1.5 + 2) * 9.81 * cos(a);
  const double exact =
      at_end(simulate(CompiledModel(single.flatten()), {.stop = 3, .tolerance = 1e-12}), "a");
  const CompiledModel model(parallelograms_by_angles().flatten());
  const struct {
    Formulation formulation;
    const char* method;
    double step, accuracy;
  } ways[] = {{Formulation::dynamic, "auto", 0, 1e-5},
              {Formulation::projection, "auto", 0, 1e-5},
              {Formulation::baumgarte, "auto", 0, 1e-5},
              {Formulation::ggl, "auto", 0, 1e-4},
              {Formulation::automatic, "manifold-midpoint", 1e-3, 1e-4}};
  for (const auto& way : ways) {
    SCOPED_TRACE(std::string(to_string(way.formulation)) + " " + way.method);
    const SimulationResult run = simulate(model, {.stop = 3,
                                                  .tolerance = 1e-8,
                                                  .method = way.method,
                                                  .step = way.step,
                                                  .formulation = way.formulation});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_GE(run.n_passages, 2u);
    EXPECT_NEAR(at_end(run, "a1"), exact, way.accuracy);
    EXPECT_NEAR(at_end(run, "E"), run.trajectory.column("E").front(), 10 * way.accuracy);
  }
}

// RATTLE stops nowhere either: a slider-crank of equal links goes over its dead centre.
TEST(SingularConfigurations, StructurePreservingStepsPassToo) {
  Model m("SliderCrank");
  const Expr x = m.unknown("x", {.start = 0.6}), y = m.unknown("y", {.start = 0.8});
  const Expr s = m.unknown("s", {.start = 1.2}), a = m.unknown("a"), b = m.unknown("b");
  m += der(der(x)) == -a * x - b * (x - s);
  m += der(der(y)) == -a * y - b * y - 1;
  m += der(der(s)) == b * (x - s);
  m += x * x + y * y == 1;
  m += (x - s) * (x - s) + y * y == 1;
  m.initial(der(y) == 2);
  m.observe("E", (der(x) * der(x) + der(y) * der(y) + der(s) * der(s)) / 2 + y);
  const CompiledModel model(m.flatten());
  const SimulationResult series =
      simulate(model, {.stop = 10, .tolerance = 1e-12, .method = "taylor"});
  const SimulationResult run = simulate(model, {.stop = 10, .method = "rattle8", .step = 0.01});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_GE(run.n_passages, 1u);
  EXPECT_NEAR(at_end(run, "s"), at_end(series, "s"), 1e-7);
  EXPECT_NEAR(at_end(run, "E"), run.trajectory.column("E").front(), 1e-9);
}

/// Coils in a star beside coils that turn; small leakages make every choice of states a poor one.
constexpr const char* machine = R"(model Machine
  parameter Real l = 0.005, R = 0.5;
  Real g(start = 0, fixed = true), w(start = 0, fixed = true);
  Real i1, i2, i3, v0;
  Real s1, s2, r1, r2, f1, f2;
equation
  i1 + i2 + i3 = 0;
  s1 = (2*i1 - i2 - i3)/3;
  s2 = (i2 - i3)/sqrt(3);
  f1 = s1 + cos(g)*r1 - sin(g)*r2;
  f2 = s2 + sin(g)*r1 + cos(g)*r2;
  l*der(i1) + der(f1) + R*i1 + v0 = 100*sin(300*time);
  l*der(i2) + der(-f1/2 + sqrt(3)/2*f2) + R*i2 + v0 = 100*sin(300*time - 2.0943951);
  l*der(i3) + der(-f1/2 - sqrt(3)/2*f2) + R*i3 + v0 = 100*sin(300*time + 2.0943951);
  l*der(r1) + der(cos(g)*f1 + sin(g)*f2) + R*r1 = 0;
  l*der(r2) + der(-sin(g)*f1 + cos(g)*f2) + R*r2 = 0;
  der(g) = w;
  der(w) = f1*s2 - f2*s1;
end Machine;)";

// Nothing is singular, and no passage leads out of it: the run used to end in one.
TEST(Passages, ChoicesThatAreAlwaysPoorAreNoSingularity) {
  const CompiledModel model(modelica::flatten({.text = machine}).system);
  const auto run_by = [&](Formulation formulation) {
    return simulate(model, {.stop = 40, .intervals = 10, .formulation = formulation});
  };
  const SimulationResult run = run_by(Formulation::automatic);
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const SimulationResult once = run_by(Formulation::dummy);
  ASSERT_EQ(once.outcome, Outcome::done) << once.message;
  for (const char* name : {"w", "f1", "f2"})
    EXPECT_NEAR(at_end(run, name), at_end(once, name), 1e-3 * (1 + std::abs(at_end(once, name))))
        << name;
}

// Its velocities are constrained, and that they depend on positions is no reason to choose among
// those. It used to be taken for singular five times, where the speed of the rod's end is zero.
TEST(Passages, AConstraintOfVelocitiesIsNotSingularWhereTheyVanish) {
  const CompiledModel model(
      modelica::flatten({.files = {ALEMBERT_SOURCE_ROOT "/models/validation/mechanics.mo"},
                         .model = "Mechanics.FlexibleSliderCrank"})
          .system);
  for (const Formulation formulation : {Formulation::automatic, Formulation::ggl}) {
    const SimulationResult run = simulate(model, {.stop = 0.1,
                                                  .tolerance = 1e-5,
                                                  .intervals = 10,
                                                  .method = "ida",
                                                  .formulation = formulation});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    EXPECT_EQ(run.n_passages, 0u);
    EXPECT_LT(run.statistics.rejected, run.statistics.steps / 20);
    EXPECT_NEAR(at_end(run, "p[2]"), -0.3311734988256, 1e-5);
    EXPECT_NEAR(at_end(run, "p[3]"), 0.1697373328431, 1e-5);
  }
}

/// A parallelogram by the angles of its bars, which is flat eight times in 4 s.
constexpr const char* flat_bars = R"(model FlatBars
  Real a(start = 1, fixed = true), b(start = 0), c(start = 1), wa(start = 6, fixed = true), wb, wc, f, h;
equation
  der(a) = wa; der(b) = wb; der(c) = wc;
  cos(a) + 2*cos(b) = 2 + cos(c);
  sin(a) + 2*sin(b) = sin(c);
  2*der(wa) = -4*cos(a) - f*sin(a) + h*cos(a);
  0.5*der(wb) = -2*f*sin(b) + 2*h*cos(b);
  3*der(wc) = f*sin(c) - h*cos(c);
end FlatBars;)";

// Whatever the length of its steps, a method of index 2 ends one before each flat position, where
// series begin: it used to come beside it and to end there, or to go over it by chance. Oracle: the
// crank it is equivalent to.
TEST(SingularConfigurations, LongStepsEndBeforeThem) {
  Model single("Crank");
  const Expr a = single.unknown("a", {.start = 1}), w = single.unknown("w", {.start = 6});
  single += der(a) == w;
  single += 5 * der(w) == -4 * cos(a);
  const double exact =
      at_end(simulate(CompiledModel(single.flatten()), {.stop = 4, .tolerance = 1e-12}), "a");
  const CompiledModel model(modelica::flatten({.text = flat_bars}).system);
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
    const SimulationResult run =
        simulate(model, {.stop = 4, .tolerance = tolerance, .formulation = Formulation::ggl});
    ASSERT_EQ(run.outcome, Outcome::done) << tolerance << ": " << run.message;
    EXPECT_EQ(run.n_passages, 8u) << tolerance;
    EXPECT_NEAR(at_end(run, "a"), exact, 1e3 * tolerance) << tolerance;
  }
}

/// y follows from x, which is given: at y = 0, five times in 4 s, two branches meet.
constexpr const char* driven = R"(model Driven
  Real x, y(start = -1), w(start = 0, fixed = true);
equation
  x = sin(4*time);
  x^2 + y^2 = 1;
  der(w) = y - w;
end Driven;)";

// Exact: y = -cos(4 t). Methods used to bounce off zero, and told nothing.
TEST(Folds, TheMotionGoesOnSmoothly) {
  const CompiledModel model(modelica::flatten({.text = driven}).system);
  for (const char* method : {"auto", "cvode", "ida", "radau5", "rodas5p", "tsit5"})
    for (const double tolerance : {1e-7, 1e-8}) {
      const SimulationResult run =
          simulate(model, {.stop = 4, .tolerance = tolerance, .method = method});
      ASSERT_EQ(run.outcome, Outcome::done) << method << ": " << run.message;
      EXPECT_EQ(run.n_passages, 5u) << method;
      const auto times = run.trajectory.column("time"), y = run.trajectory.column("y");
      for (std::size_t i = 0; i < times.size(); ++i)
        ASSERT_NEAR(y[i], -std::cos(4 * times[i]), 1e-6) << method << " at " << times[i];
      // w' = -w - cos(4 t)
      const double exact = (std::exp(-4.0) - std::cos(16.0) - 4 * std::sin(16.0)) / 17;
      EXPECT_NEAR(at_end(run, "w"), exact, 1e-5) << method;
    }
}

/// y and a second solution come as near to each other as 0.02, ten times, and never meet; a state
/// drives one of them in `by_state`.
constexpr const char* near_by = R"(model Near
  Real y(start = 1), z(start = 0, fixed = true);
equation
  y^2 = 1.0001 + sin(20*time);
  der(z) = y;
end Near;)";
constexpr const char* near_by_state = R"(model Near
  Real y(start = 1), s(start = 0, fixed = true), c(start = 1, fixed = true), z(start = 0, fixed = true);
equation
  der(s) = 20*c; der(c) = -20*s;
  y^2 = 1.01 + s;
  der(z) = y;
end Near;)";

// Exact: the positive root. Series made before such a place led to the other one.
// Beside a fold the series of an algebraic unknown are noise far sooner than those of states: one
// that was off went to another solution, and on from there to numbers that are none.
TEST(Folds, SeriesStayOnTheirBranch) {
  const struct {
    const char *equation, *motion;
    double stop, (*function)(double), (*at)(double t);
  } cases[] = {{"sin(x) = sin(g)", "1.22*sin(0.76*time + 0.03) + 1.3", 0.3,
                [](double x) { return std::sin(x); },
                [](double t) { return 1.22 * std::sin(0.76 * t + 0.03) + 1.3; }},
               {"x*cos(x) = g*cos(g)", "0.91*sin(0.6*time + 0.03) + 0.7", 0.5,
                [](double x) { return x * std::cos(x); },
                [](double t) { return 0.91 * std::sin(0.6 * t + 0.03) + 0.7; }}};
  for (const auto& one : cases) {
    const SimulationResult run =
        alembert::run("model M Real x(start = " + std::to_string(one.at(0)) +
                          "), g, y(start = 1.7, fixed = true); equation g = " + one.motion + "; " +
                          one.equation + "; der(y) = -cos(0.93*time); end M;",
                      {.stop = one.stop, .tolerance = 1e-9, .intervals = 6});
    ASSERT_EQ(run.outcome, Outcome::done) << one.equation << run.message;
    EXPECT_GE(run.n_passages, 1u) << one.equation;
    const auto times = run.trajectory.times();
    const auto x = run.trajectory.column("x");
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(one.function(x[i]), one.function(one.at(times[i])), 1e-9) << times[i];
    EXPECT_NEAR(x.back(), one.at(one.stop), 1e-6) << one.equation;
  }
}

TEST(Folds, BranchesThatNeverMeetAreNotExchanged) {
  const CompiledModel by_time(modelica::flatten({.text = near_by}).system);
  const CompiledModel by_state(modelica::flatten({.text = near_by_state}).system);
  for (const char* method : {"auto", "rodas5p", "radau5", "cvode", "ida", "tsit5", "taylor"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const integrate::SimulateOptions options{.stop = 3, .tolerance = tolerance, .method = method};
      const SimulationResult result = simulate(by_time, options);
      ASSERT_EQ(result.outcome, Outcome::done) << method << result.message;
      const auto y = result.trajectory.column("y");
      for (std::size_t k = 0; k < y.size(); ++k)
        ASSERT_NEAR(y[k], std::sqrt(1.0001 + std::sin(20 * result.trajectory.times()[k])), 1e-9)
            << method << " " << tolerance;
      if (tolerance > 1e-5) continue;
      const SimulationResult with_state = simulate(by_state, options);
      ASSERT_EQ(with_state.outcome, Outcome::done) << method << with_state.message;
      for (const double value : with_state.trajectory.column("y"))
        ASSERT_GT(value, 0.09) << method << " " << tolerance;
    }
}

// A slider crank. Its start fixes phi and w, which are states for that; where others are chosen,
// the run ends at the dead centre, and never with an angle that is many turns away.
TEST(Folds, AnAngleDoesNotJump) {
  const auto crank = [](const char* more) {
    return std::string("model M Real phi(start = 0.3, fixed = true") + more +
           "); Real w(start = 2, fixed = true), x, y, th, l1, l2, xb; parameter Real r = 1, L = 3; "
           "equation der(phi) = w; der(w) = -l1*r*sin(phi) + l2*r*cos(phi) - 0.1*w; x = "
           "r*cos(phi); y = r*sin(phi); x + L*cos(th) = xb; y + L*sin(th) = 0; 2*der(der(xb)) = "
           "-l1; 0.5*der(der(th)) = l1*L*sin(th) - l2*L*cos(th); end M;";
  };
  const integrate::SimulateOptions dummy{
      .stop = 5, .tolerance = 1e-8, .formulation = Formulation::dummy};
  const SimulationResult good = simulate(compiled(crank("")), dummy);
  ASSERT_EQ(good.outcome, Outcome::done) << good.message;
  const SimulationResult dynamic = simulate(compiled(crank("")), {.stop = 5, .tolerance = 1e-8});
  EXPECT_NEAR(at_end(good, "phi"), at_end(dynamic, "phi"), 1e-5);
  const SimulationResult poor =
      simulate(compiled(crank(", stateSelect = StateSelect.avoid")), dummy);
  for (const double phi : poor.trajectory.column("phi")) ASSERT_LT(std::abs(phi), 50);
}

// A determinant that fades, as a diode's does, is no fold; nor is one that only comes near to zero.
TEST(Folds, WhatOnlyFadesIsNone) {
  constexpr const char* fading = R"(model Fading
  Real i(start = 1), v(start = 0, fixed = true), z(start = 2);
equation
  der(v) = 10*sin(time) - i;
  i = 1e-3*(exp(v/0.2 - i) - 1);
  z^3 + z*(0.2 + cos(time)^2) = 5 + sin(3*time);
end Fading;)";
  const CompiledModel model(modelica::flatten({.text = fading}).system);
  const SimulationResult run = simulate(model, {.stop = 20, .tolerance = 1e-6});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_LE(run.n_passages, 3u);
  const SimulationResult other =
      simulate(model, {.stop = 20, .tolerance = 1e-8, .method = "rodas5p"});
  EXPECT_NEAR(at_end(run, "v"), at_end(other, "v"), 1e-4);
}

// A length by its square, whose start nobody gave: it follows from the coordinates that were.
TEST(Start, WhatNobodyGaveFollowsFromWhatWasGiven) {
  constexpr const char* beads = R"(model Beads
  Real x(start = 0.6), y(start = -0.5), u, v, d, s, T;
equation
  der(x) = u; der(y) = v;
  d^2 = (x + 0.6)^2 + y^2;
  s^2 = (x - 0.8)^2 + y^2;
  d + s = 2;
  der(u) = -T*((x + 0.6)/d + (x - 0.8)/s);
  der(v) = -T*(y/d + y/s) - 10;
end Beads;)";
  const CompiledModel model(modelica::flatten({.text = beads}).system);
  const SimulationResult run = simulate(model, {.stop = 0.1});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("x").front(), 0.6, 0.3);
  EXPECT_GT(run.trajectory.column("d").front(), 1);
  EXPECT_GT(run.trajectory.column("s").front(), 0.3);
}

}  // namespace
}  // namespace alembert
