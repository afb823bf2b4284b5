// SPDX-License-Identifier: Apache-2.0
// Models whose structure changes with their modes: perfect diodes and switches beside inductances
// and capacitances, clutches, ropes. Against closed forms and a second integration by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulateOptions;
using integrate::SimulationResult;

const std::string diode = R"(
model Diode "perfect"
  Real v, i, s;
  Boolean off(start = true);
equation
  off = s < 0;
  v = s*(if off then 1 else 0);
  i = s*(if off then 0 else 1);
end Diode;
)";

// The current of a half wave ends long after the voltage has changed its sign; the next begins with
// the voltage. In between there is no state at all.
TEST(ModeStructure, CurrentThroughAPerfectDiodeEndsAndBeginsAgain) {
  const CompiledModel model = compiled(diode + R"(
model HalfWave
  Diode d;
  parameter Real R = 1, L = 0.01;
  Real i(start = 0);
equation
  d.i = i;
  10*sin(100*time) = d.v + R*i + L*der(i);
end HalfWave;
)",
                                       "HalfWave");
  const SimulationResult run = simulate(model, {.stop = 0.3, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double w = 100, period = 2 * std::numbers::pi / w, square = 1 + w * w * 1e-4;
  const auto current = [&](double t) {
    const auto forced = [&](double s) {
      return 10 * (std::sin(w * s) - w * 0.01 * std::cos(w * s)) / square;
    };
    const double since = std::fmod(t, period);
    return std::max(0.0, forced(since) - forced(0) * std::exp(-100 * since));
  };
  const auto times = run.trajectory.times();
  const auto i = run.trajectory.column("i");
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(i[k], current(times[k]), 1e-7) << times[k];
}

// While the diode conducts the capacitance has the voltage of the source, and the start is that.
TEST(ModeStructure, ACapacitanceBehindAPerfectDiodeIsAStateNowAndThen) {
  const CompiledModel model = compiled(diode + R"(
model Peak
  Diode d;
  parameter Real R = 100, C = 1e-4;
  Real v;
equation
  5 + 5*sin(100*time) = d.v + v;
  C*der(v) = d.i - v/R;
end Peak;
)",
                                       "Peak");
  const SimulationResult run = simulate(model, {.stop = 0.06, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("v").front(), 5, 1e-9);
  // The source leaves it where it falls faster than the load discharges: u' = -u/(R C).
  double low = 0.0158, high = 0.04;
  const auto source = [](double t) { return 5 + 5 * std::sin(100 * t); };
  for (int k = 0; k < 200; ++k) {
    const double t = 0.5 * (low + high);
    (500 * std::cos(100 * t) > -source(t) / 0.01 ? low : high) = t;
  }
  const double left = low;
  const auto times = run.trajectory.times();
  const auto v = run.trajectory.column("v");
  for (std::size_t k = 0; k < times.size() && times[k] < 0.06; ++k) {
    const double decays = source(left) * std::exp(-(times[k] - left) / 0.01);
    EXPECT_NEAR(v[k], times[k] <= left ? source(times[k]) : std::max(decays, source(times[k])),
                1e-6)
        << times[k];
  }
}

struct Converter {
  bool boost;
  double current, voltage;
};

/// The same converter by hand: fourth order between switchings, a current that ends is at zero.
Converter by_hand(bool boost, double input, double start, double stop) {
  const double L = 50e-6, C = boost ? 20e-6 : 100e-6, R = boost ? 200 : 50, f = 20e3, d = 0.3;
  Converter c{boost, 0, start};
  const int n = 4000;
  const double h = 1 / f / n;
  for (int k = 0; k < static_cast<int>(std::lround(stop * f)) * n; ++k) {
    const bool on = k % n < static_cast<int>(std::lround(d * n));
    const auto rate = [&](double i, double v) -> std::array<double, 2> {
      if (!on && i <= 0) return {0, -v / R / C};
      if (boost) return {(on ? input : input - v) / L, ((on ? 0 : i) - v / R) / C};
      return {((on ? input : 0) - v) / L, (i - v / R) / C};
    };
    const auto a = rate(c.current, c.voltage);
    const auto b = rate(c.current + h / 2 * a[0], c.voltage + h / 2 * a[1]);
    const auto e = rate(c.current + h / 2 * b[0], c.voltage + h / 2 * b[1]);
    const auto g = rate(c.current + h * e[0], c.voltage + h * e[1]);
    c.current = std::max(0.0, c.current + h / 6 * (a[0] + 2 * b[0] + 2 * e[0] + g[0]));
    c.voltage += h / 6 * (a[1] + 2 * b[1] + 2 * e[1] + g[1]);
  }
  return c;
}

// Continuous conduction at first, then discontinuous: three structures in each period.
TEST(ModeStructure, PerfectConvertersRunThroughDiscontinuousConduction) {
  const std::string parts = diode + R"(
model Switch "perfect"
  input Boolean on;
  Real v, i, s;
equation
  v = s*(if on then 0 else 1);
  i = s*(if on then 1 else 0);
end Switch;
model Buck
  Diode d;
  Switch s(on = mod(time*20e3, 1) < 0.3);
  Real i(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  s.i + d.i = i;
  24 - s.v = -d.v;
  50e-6*der(i) = -d.v - v;
  100e-6*der(v) = i - v/50;
end Buck;
model Boost
  Diode d;
  Switch s(on = mod(time*20e3, 1) < 0.3);
  Real i(start = 0, fixed = true), v(start = 12, fixed = true);
equation
  i = s.i + d.i;
  s.v = d.v + v;
  50e-6*der(i) = 12 - s.v;
  20e-6*der(v) = d.i - v/200;
end Boost;
)";
  for (const bool boost : {false, true}) {
    const CompiledModel model = compiled(parts, boost ? "Boost" : "Buck");
    const SimulationResult run = simulate(model, {.stop = 0.00201, .tolerance = 1e-8});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    const Converter expected = by_hand(boost, boost ? 12 : 24, boost ? 12 : 0, 0.002);
    const auto times = run.trajectory.times();
    std::size_t k = 0;
    while (times[k] < 0.002) ++k;
    EXPECT_NEAR(run.trajectory.column("v")[k], expected.voltage, 2e-3 * expected.voltage);
    EXPECT_NEAR(run.trajectory.column("i")[k], expected.current, 1e-2);
  }
}

// What the equations conserve is kept where bodies are coupled: momentum, not energy.
TEST(ModeStructure, AClutchThatClosesKeepsTheMomentum) {
  const CompiledModel model = compiled(R"(
model Clutch
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean locked;
equation
  der(w1) = 1 - tau;
  2*der(w2) = tau - 0.1*w2;
  locked = time > 1 and time < 3;
  0 = if locked then w1 - w2 else tau;
end Clutch;
)",
                                       "Clutch");
  const SimulationResult run = simulate(model, {.stop = 4, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  const double together = 10 + (11.0 / 3 - 10) * std::exp(-0.1 * 2 / 3);
  EXPECT_NEAR(at_end(run, "w1"), together + 1, 1e-7);
  EXPECT_NEAR(at_end(run, "w2"), together * std::exp(-0.05), 1e-7);
}

// Index 3 until the rope is cut, index 1 after; states are re-selected while it swings.
TEST(ModeStructure, ARopeThatIsCutLetsThePendulumFly) {
  const CompiledModel model = compiled(R"(
model Rope
  Real x(start = 1), y(start = 0), vx(start = 0), vy(start = 0), force;
  Boolean cut;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  cut = time > 1;
  0 = if cut then force else x^2 + y^2 - 1;
end Rope;
)",
                                       "Rope");
  const SimulationResult run = simulate(model, {.stop = 1.5, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_GT(run.n_switches, 0u);
  double angle = std::numbers::pi / 2, rate = 0;
  const int n = 100000;
  for (int k = 0; k < n; ++k) {  // velocity Verlet
    const double half = rate - 0.5 / n * 9.81 * std::sin(angle);
    angle += half / n;
    rate = half - 0.5 / n * 9.81 * std::sin(angle);
  }
  const double vx = std::cos(angle) * rate, vy = std::sin(angle) * rate;
  EXPECT_NEAR(at_end(run, "x"), std::sin(angle) + 0.5 * vx, 1e-6);
  EXPECT_NEAR(at_end(run, "y"), -std::cos(angle) + 0.5 * vy - 9.81 / 8, 1e-6);
}

// No value of the weir's root below its edge: the branch is left where the comparison changes.
TEST(ModeStructure, ABranchThatEndsAtItsEdgeIsLeft) {
  const CompiledModel model = compiled(R"(
model Weir
  Real h(start = 1.5, fixed = true), o;
equation
  o = if h > 1 then (h - 1)^1.5 else 0;
  der(h) = -0.2 - o;
end Weir;
)",
                                       "Weir");
  const SimulationResult run = simulate(model, {.stop = 4, .tolerance = 1e-9});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  // Time to the edge: the integral of 1/(0.2 + x^1.5), with x = u^2.
  const int n = 200000;
  double time = 0;
  const double end = std::sqrt(0.5);
  for (int k = 0; k < n; ++k) {
    const double u = (k + 0.5) * end / n;
    time += 2 * u / (0.2 + u * u * u) * end / n;
  }
  EXPECT_NEAR(at_end(run, "h"), 1 - 0.2 * (4 - time), 1e-7);
}

double ending(const std::string& text, const std::string& model, const std::string& name,
              double stop) {
  const SimulationResult run = simulate(compiled(text, model), {.stop = stop});
  EXPECT_EQ(run.outcome, Outcome::done) << model << ": " << run.message;
  return at_end(run, name);
}

// Rounding leads a hair over the edge, at a row of the output, where the root that is shown has no
// value: an event like any other.
TEST(ModeStructure, ABranchThatIsOnlyShownEndsAtARow) {
  for (const char* level : {"sqrt(x)", "x^0.7", "log(x)", "sqrt(x) + asin(1 - x)"}) {
    const CompiledModel model = compiled(std::string(R"(
model Shown
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = if x > 0 then )") + level + R"( else -1;
end Shown;
)",
                                         "Shown");
    for (const char* method : {"auto", "tsit5", "rodas5p", "cvode", "rk4", "bdf2"}) {
      const SimulationResult run = simulate(model, {.stop = 2, .intervals = 400, .method = method});
      ASSERT_EQ(run.outcome, Outcome::done) << level << " by " << method << ": " << run.message;
      EXPECT_EQ(run.n_state_events, 1u) << level << " by " << method;
      EXPECT_EQ(at_end(run, "y"), -1);
      for (const double y : run.trajectory.column("y")) ASSERT_TRUE(std::isfinite(y)) << method;
    }
  }
}

// A structure is that of what is true of the discrete variables, not of their values: a counter
// beside a clutch makes no new ones.
TEST(ModeStructure, CountersDoNotMakeStructures) {
  EXPECT_NEAR(ending(R"(
model Counted
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
  discrete Integer n(start = 0, fixed = true);
equation
  der(w1) = 1 - tau;
  2*der(w2) = tau;
  when sample(0, 0.001) then
    n = pre(n) + 1;
  end when;
  0 = if n > 500 then w1 - w2 else tau;
end Counted;
)",
                     "Counted", "w1", 3),
              (1.5 + 2.5) / 3, 1e-6);
}

// A run of nanoseconds jumps as one of seconds.
TEST(ModeStructure, JumpsDoNotDependOnTheTimeOfTheRun) {
  EXPECT_NEAR(ending(R"(
model Fast
  parameter Real C = 1e-12, R = 100;
  Real v1(start = 1, fixed = true), v2(start = 0, fixed = true), i;
  Boolean closed;
equation
  C*der(v1) = -i - v1/R;
  C*der(v2) = i;
  closed = time > 1e-10;
  0 = if closed then v1 - v2 else i;
end Fast;
)",
                     "Fast", "v2", 2e-10),
              0.5 * std::exp(-1.0 - 0.5), 1e-6);
}

// What meets keeps its momentum and its charge, however heavy or small it is.
TEST(ModeStructure, JumpsDoNotDependOnUnits) {
  for (const char* mass : {"1", "1e4", "1e6"})
    EXPECT_NEAR(ending(std::string(R"(
model Wagons
  parameter Real m = )") + mass +
                           R"(;
  Real v1(start = 3, fixed = true), v2(start = 1, fixed = true), F;
  Boolean coupled;
equation
  m*der(v1) = -F;
  m*der(v2) = F;
  coupled = time > 1;
  0 = if coupled then v1 - v2 else F;
end Wagons;
)",
                       "Wagons", "v1", 1.5),
                2, 1e-9)
        << mass;
  EXPECT_NEAR(ending(R"(
model Charge
  parameter Real C = 1e-12;
  Real q1(start = 1e-12, fixed = true), q2(start = 0, fixed = true), i;
  Boolean closed;
equation
  der(q1) = -i;
  der(q2) = i;
  closed = time > 0.5;
  0 = if closed then q1/C - q2/C else i;
end Charge;
)",
                     "Charge", "q2", 1),
              5e-13, 1e-18);
}

// One sticks to the other where it reaches it: a constraint of positions, and momentum is kept.
TEST(ModeStructure, ConstraintsOfPositionsThatBegin) {
  const std::string wall = R"(
model Sticks
  Real x1(start = 0, fixed = true), v1(start = 1, fixed = true);
  Real x2(start = 0.5, fixed = true), v2(start = 0, fixed = true), f;
  discrete Boolean stuck(start = false, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = -f;
  2*der(v2) = f;
  when x1 > x2 then
    stuck = true;
  end when;
  0 = if stuck then x1 - x2 else f;
end Sticks;
)";
  EXPECT_NEAR(ending(wall, "Sticks", "v1", 1), 1.0 / 3, 1e-6);
  EXPECT_NEAR(ending(wall, "Sticks", "x2", 1), 0.5 + 0.5 / 3, 1e-6);
}

// A clutch opens where the states of a pendulum beside it are re-selected: there are more states
// after it than before.
TEST(ModeStructure, StatesOfAnotherMechanismAreSelectedAtTheSameEvent) {
  EXPECT_NEAR(ending(R"(
model Both
  Real w1(start = 1, fixed = true), w2(start = 1), tau;
  Real x(start = 0), y(start = -1), vx(start = 10, fixed = true), vy, lambda;
  Real energy = (vx^2 + vy^2)/2 + 9.81*y;
  discrete Boolean open(start = false, fixed = true);
equation
  der(w1) = 1 - tau;
  2*der(w2) = tau;
  when vy < -0.1 then
    open = true;
  end when;
  0 = if open then tau else w1 - w2;
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda*x;
  der(vy) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end Both;
)",
                     "Both", "energy", 1),
              50 - 9.81, 1e-5);
}

// While a clutch is locked both sides are one: setting one of them sets both.
TEST(ModeStructure, ReinitWithinAStructure) {
  for (const char* name : {"w1", "w2"})
    EXPECT_NEAR(ending(std::string(R"(
model Set
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean locked;
equation
  der(w1) = -tau;
  2*der(w2) = tau;
  locked = time > 1;
  0 = if locked then w1 - w2 else tau;
  when time > 2 then
    reinit()") + name + R"(, 5);
  end when;
end Set;
)",
                       "Set", "w2", 3),
                5, 1e-8)
        << name;
}

// The root of a level above a weir ends at its edge: no step leads over it by itself. Below the
// edge the level is that of the inflow alone.
TEST(ModeStructure, BranchesThatEndAtTheirEdgeAreLeftByEveryMethod) {
  const CompiledModel model = compiled(R"(
model Weir
  Real h(start = 1.1, fixed = true), over;
equation
  over = if h > 1 then sqrt(h - 1) else 0;
  der(h) = 0.2*cos(time) - over;
end Weir;
)",
                                       "Weir");
  for (const char* method : {"auto", "dop853", "tsit5", "rodas5p", "radau5", "cvode", "taylor"}) {
    const SimulationResult run = simulate(model, {.stop = 3, .tolerance = 1e-7, .method = method});
    ASSERT_EQ(run.outcome, Outcome::done) << method << ": " << run.message;
    EXPECT_LT(run.statistics.steps, 2000u) << method;
    const auto t = run.trajectory.times();
    const auto h = run.trajectory.column("h");
    double edge = 0;
    for (std::size_t i = 0; i < t.size(); ++i)
      if (h[i] >= 1) edge = t[i];
    EXPECT_NEAR(edge, 1.5957, 0.03) << method;
    EXPECT_NEAR(at_end(run, "h"), 0.828286, 1e-5) << method;
  }
}

// 2 w1' = t1, 3 w2' = t2, r t1 + t2 = 0: what the gear keeps is r 2 w1 + 3 w2, so that at r = 2
// with w1 = 2 w2 follows 4 (2 w2 - 1) + 3 (w2 - 1) = 0. A discrete variable and a choice are alike.
TEST(ConstraintJump, AGearThatChangesItsRatioKeepsTheMomentum) {
  for (const std::string ratio :
       {"discrete Real r(start = 1, fixed = true); equation when time > 0.5 then r = 2; end when;",
        "Real r = if time > 0.5 then 2 else 1; equation "}) {
    const CompiledModel model =
        compiled("model Gear Real w1, w2(start = 1, fixed = true), t1, t2;" + ratio +
                     "2*der(w1) = t1; 3*der(w2) = t2; w1 = r*w2;"
                     "r*t1 + t2 = 0; end Gear;",
                 "Gear");
    for (const char* method : {"auto", "ida", "rodas5p"}) {
      const SimulationResult run = simulate(model, {.method = method});
      ASSERT_EQ(run.outcome, Outcome::done) << run.message;
      EXPECT_NEAR(at_end(run, "w2"), 7.0 / 11, 1e-10) << method;
      EXPECT_NEAR(at_end(run, "w1"), 14.0 / 11, 1e-10) << method;
      ASSERT_EQ(run.warnings.size(), 1u);
      EXPECT_NE(run.warnings[0].find("'w1' jumped from 1 by an equation"), std::string::npos)
          << run.warnings[0];
    }
  }
}

// The charge that a capacitance takes at once has flown through the source.
TEST(ConstraintJump, AVoltageThatJumpsMovesCharge) {
  const CompiledModel model = compiled(R"(
model Charged
  parameter Real C = 2;
  Real v, i, q(start = 0, fixed = true);
  discrete Real u(start = 1, fixed = true);
equation
  v = u;
  C*der(v) = i;
  der(q) = i;
  when sample(0.25, 0.25) then
    u = pre(u) + 3;
  end when;
end Charged;
)",
                                       "Charged");
  const SimulationResult run = simulate(model, {.stop = 0.6});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "q"), 2 * 2 * 3, 1e-9);
}

// Where nothing follows from a jump, nothing is said of it: a rate that is only shown.
TEST(ConstraintJump, RatesThatAreOnlyShown) {
  const CompiledModel model = compiled(
      "model Shown Real u, y, x(start = 1, fixed = true); equation u = if time > 0.5 then 2 else 1;"
      "y = der(u); der(x) = -u*x; end Shown;",
      "Shown");
  const SimulationResult run = simulate(model, {});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(at_end(run, "x"), std::exp(-1.5), 1e-5);
  EXPECT_TRUE(run.warnings.empty());
}

TEST(ConstraintJump, PositionsThatJumpAreAnError) {
  const CompiledModel model = compiled(
      "model Position Real x, v, F; discrete Real d(start = 1, fixed = true); equation x = 2*d;"
      "der(x) = v; 3*der(v) = F; when time > 0.5 then d = 2; end when; end Position;",
      "Position");
  const SimulationResult run = simulate(model, {});
  EXPECT_EQ(run.outcome, Outcome::event_failed);
  EXPECT_NE(
      run.message.find("'x' jumped from 2 to 4 at an event, by an equation that the model has "
                       "to differentiate twice: velocities would be infinite there. Let it "
                       "change smoothly, as behind a filter or a ramp."),
      std::string::npos)
      << run.message;
}

}  // namespace
}  // namespace alembert
