// SPDX-License-Identifier: Apache-2.0
// Constrained mechanics from natural equations, at the index they come with, against published or
// independently computed digits (elliptic functions where the motion is a pendulum's; extended
// precision elsewhere), by every formulation. No model here has one choice of states that is good
// for its whole motion.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Formulation;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulationResult;

using Digits = std::map<std::string, double>;

SimulationResult expect_end(const CompiledModel& model, const char* method, double stop,
                            double tolerance, const Digits& digits) {
  SimulationResult run =
      simulate(model, {.stop = stop, .tolerance = 1e-11, .intervals = 100, .method = method});
  EXPECT_EQ(run.outcome, Outcome::done) << method << ": " << run.message;
  EXPECT_LT(run.largest_constraint_residual, 1e-10) << method;
  if (run.outcome == Outcome::done) {
    for (const auto& [name, value] : digits)
      EXPECT_NEAR(run.trajectory.column(name).back(), value, tolerance)
          << name << " at " << stop << " by " << method;
  }
  return run;
}

/// The same by the formulations in which all coordinates are states.
void expect_end_with_coordinates(const CompiledModel& model, double stop, double tolerance,
                                 const Digits& digits) {
  for (const Formulation formulation :
       {Formulation::projection, Formulation::baumgarte, Formulation::ggl}) {
    SCOPED_TRACE(to_string(formulation));
    const SimulationResult run =
        simulate(model, {.stop = stop,
                         .tolerance = formulation == Formulation::ggl ? 1e-12 : 1e-11,
                         .intervals = 100,
                         .formulation = formulation});
    EXPECT_EQ(run.outcome, Outcome::done) << run.message;
    // Only damping leaves errors of the constraints, about those of the integration.
    const bool damped = formulation == Formulation::baumgarte;
    EXPECT_LT(run.largest_constraint_residual, damped ? 1e-6 : 1e-10);
    if (run.outcome != Outcome::done) continue;
    for (const auto& [name, value] : digits)
      EXPECT_NEAR(run.trajectory.column(name).back(), value, tolerance) << name << " at " << stop;
  }
}

/// Runs to `stop` and compares the last row; by Taylor series too, a second route without charts.
SimulationResult expect_end(const Model& m, double stop, double tolerance, const Digits& digits) {
  const CompiledModel model(m.flatten());
  expect_end_with_coordinates(model, stop, tolerance, digits);
  EXPECT_TRUE(expect_end(model, "taylor", stop, tolerance, digits).switches.empty());
  return expect_end(model, "auto", stop, tolerance, digits);
}

Model pendulum(double gravity, double x0, double y0, double vx0) {
  Model m("Pendulum");
  const Expr g = m.parameter("g", gravity);
  const Expr x = m.unknown("x", {.start = x0}), y = m.unknown("y", {.start = y0});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  m += x * x + y * y == 1;
  m.start(der(x), vx0);
  return m;
}

// Exact: elliptic functions.
TEST(Validation, PendulumFromRest) {
  const SimulationResult run = expect_end(pendulum(1, 1, 0, 0), 25, 1e-7,
                                          {{"x", -0.89834914124609305},
                                           {"y", -0.43928216492637982},
                                           {"der(x)", -0.41174691546736530},
                                           {"der(y)", 0.84203848335801730},
                                           {"lambda", -1.3178464947791395}});
  EXPECT_GE(run.switches.size(), 3u);
}

// g = 4 K(1/2)^2, so that the period is exactly 2; y(29.75) = 1 - sqrt(2).
TEST(Validation, PendulumOfPeriodTwo) {
  expect_end(pendulum(13.750371636040745655, 1, 0, 0), 29.75, 1e-6,
             {{"x", 0.91017972112445468},
              {"y", 1 - std::sqrt(2.0)},
              {"der(x)", 1.3980048816155906},
              {"der(y)", 3.0719315079629916}});
}

// Exact: over the top at every turn.
TEST(Validation, PendulumInFullRotation) {
  expect_end(pendulum(9.81, 0, -1, 7), 10, 1e-6,
             {{"x", -0.91572834670435736},
              {"y", 0.40179795300885279},
              {"der(x)", -1.8629185266371643},
              {"der(y)", -4.2457341797477530},
              {"lambda", -17.555086242949462}});
}

// Exact; the constraint with a square root, m x'' = -lambda x / L.
TEST(Validation, PendulumOfLargeAmplitude) {
  Model m("Pendulum");
  const double phi = 0.9 * M_PI;
  const Expr x = m.unknown("x", {.start = std::sin(phi)});
  const Expr y = m.unknown("y", {.start = -std::cos(phi)});
  const Expr lambda = m.unknown("lambda");
  const Expr length = sqrt(x * x + y * y);
  m += der(der(x)) == -lambda * x / length;
  m += der(der(y)) == -1 - lambda * y / length;
  m += length == 1;
  expect_end(
      m, 100, 1e-6,
      {{"x", -0.99967504479131242}, {"y", 0.025491269515022478}, {"lambda", 1.8256392240452397}});
}

// First-order form, index 3. J. Cash's drivers give x = 0.8673486406; more digits by a Taylor
// integrator.
TEST(Validation, PendulumInFirstOrderForm) {
  Model m("Pendulum");
  const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
  const Expr u = m.unknown("u", {.start = 0}), v = m.unknown("v", {.start = 1});
  const Expr lambda = m.unknown("lambda");
  m += der(x) == u;
  m += der(y) == v;
  m += der(u) == -lambda * x;
  m += der(v) == -lambda * y - 1;
  m += x * x + y * y == 1;
  expect_end(m, 1, 1e-9,
             {{"x", 0.86734864060043932},
              {"y", 0.49770105047967293},
              {"u", -0.033748018060954520},
              {"v", 0.058813011465250008},
              {"lambda", -0.49310315143901879}});
}

// Angle form in quadruple precision, two orders agree to 1e-21.
TEST(Validation, DoublePendulum) {
  Model m("DoublePendulum");
  const double m1 = 1, m2 = 2, l1 = 0.8, l2 = 1.2;
  const Expr g = m.parameter("g", 9.81);
  const Expr x1 = m.unknown("x1", {.start = 0.8}), y1 = m.unknown("y1", {.start = 0});
  const Expr x2 = m.unknown("x2", {.start = 2.0}), y2 = m.unknown("y2", {.start = 0});
  const Expr a = m.unknown("a"), b = m.unknown("b");
  m += m1 * der(der(x1)) == a * x1 - b * (x2 - x1);
  m += m1 * der(der(y1)) == a * y1 - b * (y2 - y1) - m1 * g;
  m += m2 * der(der(x2)) == b * (x2 - x1);
  m += m2 * der(der(y2)) == b * (y2 - y1) - m2 * g;
  m += x1 * x1 + y1 * y1 == l1 * l1;
  m += (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) == l2 * l2;
  expect_end(m, 2, 1e-6,
             {{"x1", 0.24410099636936378},
              {"y1", -0.76184952816910233},
              {"x2", -0.94908924250165314},
              {"y2", -0.63418961330572175},
              {"der(x1)", 2.2230992000231562},
              {"der(y2)", -3.7614724687543653}});
  expect_end(m, 5, 1e-5,
             {{"x1", -0.60267648402248038},
              {"y1", -0.52609985326580442},
              {"x2", -1.7507038272800115},
              {"y2", -0.87543238701131002}});
}

// The slider-crank of SUNDIALS' idaSlCrank, through dead centre near t = 7.3; digits in quadruple
// precision.
TEST(Validation, SliderCrankThroughDeadCentre) {
  Model m("SliderCrank");
  const double a = 0.5, J1 = 1, m2 = 1, J2 = 2, k = 1, c = 1, l0 = 1, F = 1;
  const double p0 = std::asin(-a);
  const Expr q = m.unknown("q", {.start = M_PI / 2});
  const Expr x = m.unknown("x", {.start = std::cos(p0)});
  const Expr p = m.unknown("p", {.start = p0});
  const Expr l1 = m.unknown("l1"), l2 = m.unknown("l2");
  const Expr s21 = sin(p - q), c21 = cos(p - q);
  const Expr l = sqrt(x * x - x * (cos(p) + a * cos(q)) + (1 + a * a) / 4 + a * c21 / 2);
  const Expr ld = (2 * x * der(x) - der(x) * (cos(p) + a * cos(q)) +
                   x * (sin(p) * der(p) + a * sin(q) * der(q)) - a * s21 * (der(p) - der(q)) / 2) /
                  (2 * l);
  const Expr f = (k * (l - l0) + c * ld) / l;
  const Expr Q1 = -f * a * (s21 / 2 + x * sin(q)) / 2;
  const Expr Q2 = f * (cos(p) / 2 - x + a * cos(q) / 2) + F;
  const Expr Q3 = -f * (x * sin(p) - a * s21 / 2) / 2 - F * sin(p);
  m += J1 * der(der(q)) == Q1 - a * sin(q) * l1 + a * cos(q) * l2;
  m += m2 * der(der(x)) == Q2 - l1;
  m += J2 * der(der(p)) == Q3 - sin(p) * l1 + cos(p) * l2;
  m += x - cos(p) - a * cos(q) == 0;
  m += -sin(p) - a * sin(q) == 0;
  expect_end(m, 7.25, 1e-6,
             {{"q", -0.07070592693290747}, {"x", 1.498126618528908}, {"p", 0.03533086393535324}});
  expect_end(m, 10, 1e-6,
             {{"q", 1.275675848650239},
              {"x", 1.023578558979840},
              {"p", -0.4988130491824987},
              {"der(q)", -0.2399149971960007},
              {"l1", 1.113756158263047},
              {"l2", -0.7625072751064478}});
}

// A closed loop of four bars in Cartesian coordinates; digits in quadruple precision.
TEST(Validation, FourBarLoop) {
  Model m("FourBar");
  const double la = 0.8, lb = 2, lc = 1, span = 2;
  const double a1 = 0.17453292519943295770, a2 = 0.28929296198973650658;
  const Expr g = m.parameter("g", 9.81);
  const Expr x2 = m.unknown("x2", {.start = la * std::cos(a1)});
  const Expr y2 = m.unknown("y2", {.start = la * std::sin(a1)});
  const Expr x3 = m.unknown("x3", {.start = la * std::cos(a1) + lb * std::cos(a2)});
  const Expr y3 = m.unknown("y3", {.start = la * std::sin(a1) + lb * std::sin(a2)});
  const Expr r1 = m.unknown("r1"), r2 = m.unknown("r2"), r3 = m.unknown("r3");
  m += der(der(x2)) == r1 * x2 - r2 * (x3 - x2);
  m += der(der(y2)) == r1 * y2 - r2 * (y3 - y2) - g;
  m += der(der(x3)) == r2 * (x3 - x2) + r3 * (x3 - span);
  m += der(der(y3)) == r2 * (y3 - y2) + r3 * y3 - g;
  m += x2 * x2 + y2 * y2 == la * la;
  m += (x3 - x2) * (x3 - x2) + (y3 - y2) * (y3 - y2) == lb * lb;
  m += (x3 - span) * (x3 - span) + y3 * y3 == lc * lc;
  expect_end(m, 1, 1e-6, {{"x2", 0.02459818571885779}, {"y2", -0.7996217413623398}});
  expect_end(m, 5, 1e-6,
             {{"x2", -0.7222415435461913},
              {"y2", -0.3440452772180068},
              {"x3", 1.110424642523024},
              {"y3", 0.4567884448732373}});
}

// The car axis of the test set of Bari: a constraint that depends on time. Digits by Radau IIA in
// quadruple precision.
TEST(Validation, CarAxis) {
  Model m("CarAxis");
  const double L = 1, L0 = 0.5, r = 0.1, w = 10, k = 5e-4;
  const Expr xl = m.unknown("xl", {.start = 0}), yl = m.unknown("yl", {.start = 0.5});
  const Expr xr = m.unknown("xr", {.start = 1}), yr = m.unknown("yr", {.start = 0.5});
  const Expr l1 = m.unknown("l1"), l2 = m.unknown("l2");
  const Expr yb = r * sin(w * m.time()), xb = sqrt(L * L - yb * yb);
  const Expr Ll = sqrt(xl * xl + yl * yl);
  const Expr Lr = sqrt((xr - xb) * (xr - xb) + (yr - yb) * (yr - yb));
  m += k * der(der(xl)) == (L0 - Ll) * xl / Ll + l1 * xb + 2 * l2 * (xl - xr);
  m += k * der(der(yl)) == (L0 - Ll) * yl / Ll + l1 * yb + 2 * l2 * (yl - yr) - k;
  m += k * der(der(xr)) == (L0 - Lr) * (xr - xb) / Lr - 2 * l2 * (xl - xr);
  m += k * der(der(yr)) == (L0 - Lr) * (yr - yb) / Lr - 2 * l2 * (yl - yr) - k;
  m += xl * xb + yl * yb == 0;
  m += (xl - xr) * (xl - xr) + (yl - yr) * (yl - yr) == L * L;
  m.start(der(xl), -0.5);
  m.start(der(xr), -0.5);
  expect_end(m, 3, 1e-7,
             {{"xl", 0.049345578427524092},
              {"yl", 0.49698946023000811},
              {"xr", 1.0417425248854261},
              {"yr", 0.37391102726536582},
              {"der(yl)", 0.0074468665920684165},
              {"l1", -0.0047368865908533265},
              {"l2", -0.0011046803312595658}});
}

// Stiff: springs and dampers between slider and rods; a rod is its direction (a, c), a^2 + c^2 = 1.
// Digits by Radau IIA in quadruple precision.
TEST(Validation, FlyballGovernor) {
  Model m("Governor");
  const double It = 0.3 * 1.0001 / 12, Il = 5e-6, K = 8e5, C = 4e4, g = 9.81;
  const double Lz = 53.868998658418432;
  const Expr a = m.unknown("a", {.start = std::sin(M_PI / 3)});
  const Expr c = m.unknown("c", {.start = std::cos(M_PI / 3)});
  const Expr s = m.unknown("s", {.start = 0.5}), lambda = m.unknown("lambda");
  const Expr omega = m.unknown("omega", {.start = 2 * M_PI}), psi = m.unknown("psi", {.start = 0});
  const Expr h = 1 - c / 2 - s;
  const Expr L = sqrt(a * a / 4 + h * h);
  const Expr rate = (a * der(a) / 4 - h * (der(c) / 2 + der(s))) / L;
  const Expr F = K * (L - 0.5) + C * rate;
  const Expr mid = 0.05 + a / 2, out = 0.05 + a;
  const Expr Jz = 2 * (0.3 * mid * mid + It * a * a + Il * c * c + 5 * out * out) + 0.005005;
  const double I = It + 0.3 / 4 + 5;
  m += I * der(der(a)) ==
       (0.3 * mid + 2 * It * a + 10 * out) * omega * omega / 2 - F * a / (4 * L) + lambda * a;
  m += I * der(der(c)) == Il * c * omega * omega + F * h / (2 * L) + 5.15 * g + lambda * c;
  m += 3 * der(der(s)) == 2 * F * h / L - 3 * g;
  m += a * a + c * c == 1;
  m += Jz * omega == Lz;
  m += der(psi) == omega;
  const CompiledModel model(m.flatten());
  const Digits digits = {{"s", 0.501420922379568},
                         {"a", std::sin(1.04896302516935)},
                         {"omega", 6.27112574187655},
                         {"psi", 5.58634696586901}};
  const SimulationResult run = simulate(model, {.stop = 1, .tolerance = 1e-9, .intervals = 10});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  for (const auto& [name, value] : digits)
    EXPECT_NEAR(run.trajectory.column(name).back(), value, 1e-5) << name;
  expect_end_with_coordinates(model, 1, 1e-5, digits);
}

}  // namespace
}  // namespace alembert
