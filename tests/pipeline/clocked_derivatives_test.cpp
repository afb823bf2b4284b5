// SPDX-License-Identifier: Apache-2.0
// Derivatives in clocked equations from text to trajectory: constraints between states, inverse
// models, starts. The second route is the recursion written out by hand with previous().
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/flat/to_text.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/structure/discretise_clocks.hpp"
#include "alembert/structure/explain.hpp"

namespace alembert {
namespace {

using Names = std::vector<std::string>;

constexpr double eps = 0x1p-52;

flat::FlatSystem flattened(const std::string& text) {
  return modelica::flatten({.text = text, .text_name = "m.mo"}).system;
}

result::Trajectory run(const std::string& text, double stop) {
  const compile::CompiledModel model(flattened(text));
  integrate::SimulationResult result =
      integrate::simulate(model, {.stop = stop, .tolerance = 1e-9, .intervals = 7});
  EXPECT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  return std::move(result.trajectory);
}

std::string error_of(const std::string& text) {
  try {
    const compile::CompiledModel model(flattened(text));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string clock(const std::string& method, const std::string& ticks = "Clock(1, 10)") {
  return "Clock(" + ticks + ", solverMethod = \"" + method + "\")";
}

/// One step of a method by hand: what x is, of previous values and of dx.
std::string step(const std::string& method, const std::string& x, const std::string& dx) {
  const std::string before = "previous(" + x + ") + interval()*";
  const std::string slope_before = "previous(" + dx + ")";
  return before + (method == "ExplicitEuler"   ? slope_before
                   : method == "ImplicitEuler" ? dx
                                               : "(" + dx + " + " + slope_before + ")/2");
}

constexpr const char* methods[] = {"ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid"};

void expect_equal(const result::Trajectory& one, const result::Trajectory& other,
                  const Names& names, const std::string& what) {
  ASSERT_EQ(one.n_rows(), other.n_rows()) << what;
  for (const std::string& name : names) {
    const std::vector<double> a = one.column(name), b = other.column(name);
    for (std::size_t i = 1; i < a.size(); ++i)  // behind the row before the first tick
      EXPECT_NEAR(a[i], b[i], 256 * eps * (1 + std::abs(b[i])))
          << what << ": " << name << ", " << i;
  }
}

// x is prescribed, so that u follows from its derivative, which the filter has.
TEST(ClockedDerivatives, AnInverseModelIsTheRecursionByHand) {
  for (const std::string method : methods) {
    const auto trajectory = run(R"(
model M
  Real r = sample(sin(time) + 1, )" +
                                    clock(method) + R"();
  Real f(start = 0.25, fixed = true), x, u;
equation
  der(f) = (r - f)/0.3;
  x = f;
  der(x) = -2*x + u;
end M;)",
                                1.95);
    const auto by_hand = run(R"(
model M
  Real r = sample(sin(time) + 1, Clock(1, 10));
  Real f(start = 0), df(start = 0), x, u;
equation
  f = if firstTick() then 0.25 else )" +
                                 step(method, "f", "df") + R"(;
  df = (r - f)/0.3;
  x = f;
  u = df + 2*x;
end M;)",
                             1.95);
    expect_equal(trajectory, by_hand, {"r", "f", "x", "u"}, method);
  }
}

// The acceleration that moves a mass along the output of a filter of second order.
TEST(ClockedDerivatives, TwoIntegratorsAreInverted) {
  for (const std::string method : methods) {
    const auto trajectory = run(R"(
model M
  Real r = sample(sin(time) + 1, )" +
                                    clock(method) + R"();
  Real f1(start = 0.25), f2(start = 0.5), p, v, a;
equation
  der(f1) = (r - f1)/0.3;
  der(f2) = (f1 - f2)/0.3;
  p = f2;
  der(p) = v;
  der(v) = a - 0.5*v;
end M;)",
                                1.95);
    const auto by_hand = run(R"(
model M
  Real r = sample(sin(time) + 1, Clock(1, 10));
  Real f1(start = 0), f2(start = 0), d1(start = 0), d2(start = 0), v, a;
equation
  f1 = if firstTick() then 0.25 else )" +
                                 step(method, "f1", "d1") + R"(;
  f2 = if firstTick() then 0.5 else )" +
                                 step(method, "f2", "d2") + R"(;
  d1 = (r - f1)/0.3;
  d2 = (f1 - f2)/0.3;
  v = d2;
  a = (d1 - d2)/0.3 + 0.5*v;
end M;)",
                             1.95);
    expect_equal(trajectory, by_hand, {"f1", "f2", "v", "a"}, method);
  }
}

std::string pendulum(const std::string& method, int n_ticks) {
  return R"(
model M
  Real g = sample(9.81, )" +
         clock(method, "Clock(1, " + std::to_string(n_ticks) + ")") + R"();
  Real x(start = 0.3, fixed = true), y(start = -1), vx(start = 0, fixed = true), vy, F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = F*x;
  der(vy) = F*y - g;
  x^2 + y^2 = 1;
end M;)";
}

// Index 3. The second route is the same pendulum without a clock; the invariant its length.
TEST(ClockedDerivatives, APendulumKeepsItsLengthAndConverges) {
  const auto exact = run(R"(
model M
  parameter Real g = 9.81;
  Real phi(start = asin(0.3), fixed = true), w(start = 0, fixed = true);
equation
  der(phi) = w;
  der(w) = -g*sin(phi);
end M;)",
                         1);
  const double x_end = std::sin(exact.column("phi").back());
  const auto error = [&](const std::string& method, int n_ticks) {
    const auto trajectory = run(pendulum(method, n_ticks), 1);
    const auto x = trajectory.column("x"), y = trajectory.column("y");
    const auto vx = trajectory.column("vx"), vy = trajectory.column("vy");
    for (std::size_t i = 1; i < x.size(); ++i) {  // behind the row before the first tick
      EXPECT_NEAR(x[i] * x[i] + y[i] * y[i], 1, 1e-12) << method << ", " << i;
      EXPECT_NEAR(x[i] * vx[i] + y[i] * vy[i], 0, 1e-11) << method << ", " << i;
    }
    return std::abs(x.back() - x_end);
  };
  const auto order = [&](const std::string& method) {
    return std::log2(error(method, 200) / error(method, 400));
  };
  EXPECT_NEAR(order("ExplicitEuler"), 1, 0.2);
  EXPECT_NEAR(order("ImplicitEuler"), 1, 0.2);
  EXPECT_NEAR(order("ImplicitTrapezoid"), 2, 0.2);
}

// Each clock inverts a model of its own, by its own method and interval.
TEST(ClockedDerivatives, ClocksOfDifferentRates) {
  const auto trajectory = run(R"(
model M
  Real r = sample(sin(time) + 1, )" +
                                  clock("ExplicitEuler") + R"();
  Real f(start = 0.25), x, u, slow, e(start = 0.5), y, w;
equation
  der(f) = (r - f)/0.3;
  x = f;
  der(x) = -2*x + u;
  slow = subSample(u, 2) + sample(1.0, )" +
                                  clock("ImplicitEuler", "Clock(2, 10)") + R"();
  der(e) = slow - e;
  y = 2*e;
  der(y) = -3*y + w;
end M;)",
                              1.95);
  const auto by_hand = run(R"(
model M
  Real r = sample(sin(time) + 1, Clock(1, 10));
  Real f(start = 0), df(start = 0), x, u, slow, e(start = 0), de(start = 0), w;
equation
  f = if firstTick(r) then 0.25 else previous(f) + interval(r)*previous(df);
  df = (r - f)/0.3;
  x = f;
  u = df + 2*x;
  slow = subSample(u, 2) + 1;
  e = if firstTick(slow) then 0.5 else previous(e) + interval(slow)*de;
  de = slow - e;
  w = 2*de + 6*e;
end M;)",
                           1.95);
  expect_equal(trajectory, by_hand, {"f", "u", "slow", "e", "w"}, "two clocks");
}

/// With a nonlinear inverse: T follows from c and the slope of c.
std::string mixing(const std::string& starts, const std::string& initial) {
  return R"(
model M
  Real r = sample(0.4 + 0.05*sin(time), )" +
         clock("ExplicitEuler") + R"();
  Real f1, f2, c, T(stateSelect = StateSelect.always), q, u;
  Real c_known)" +
         starts + R"(;
)" + initial +
         R"(
equation
  der(f1) = r - f1;
  der(f2) = f1 - f2;
  c = f2;
  c_known = c;
  q = c*exp(T);
  der(c) = 1 - q;
  der(T) = q - T + u;
end M;)";
}

TEST(ClockedDerivatives, StatesFollowPriorities) {
  const structure::Explanation e =
      structure::explain(flattened(mixing("(start = 0.5, fixed = true)", "")));
  ASSERT_EQ(e.clocks.size(), 1u);
  EXPECT_EQ(e.clocks[0].method, "ExplicitEuler");
  EXPECT_EQ(e.clocks[0].states, (Names{"f2", "T"}));
  ASSERT_EQ(e.clocks[0].differentiated.size(), 3u);
  EXPECT_NE(to_text(e).find("  States, which go one step of ExplicitEuler from tick to tick: "),
            std::string::npos);
  EXPECT_NE(to_json(e).find("\"method\": \"ExplicitEuler\""), std::string::npos);
}

// What is fixed holds at the first tick, whether it is a state or not, and the rest follows.
TEST(ClockedDerivatives, FixedStartsAndInitialEquationsHoldAtTheFirstTick) {
  const auto values = [](const std::string& text) {
    const auto trajectory = run(text, 0.05);  // one tick
    std::vector<double> at_tick;
    for (const char* name : {"c", "T", "f1", "f2", "u"})
      at_tick.push_back(trajectory.column(name).back());
    return at_tick;
  };
  const auto expect_consistent = [](std::span<const double> v) {
    const double c = v[0], T = v[1], f1 = v[2], f2 = v[3], r = 0.4;
    const double q = c * std::exp(T);
    EXPECT_NEAR(c, f2, 16 * eps);
    EXPECT_NEAR(f1 - f2, 1 - q, 64 * eps);
    // (1 - q)' = f1' - f2' with q' = q*(c'/c + T').
    const double dT = -((r - f1) - (f1 - f2)) / q - (1 - q) / c;
    EXPECT_NEAR(v[4], dT - q + T, 256 * eps * (1 + std::abs(v[4])));
  };
  // An alias of c, and T: both are states.
  const std::string c_fixed = "(start = 0.5, fixed = true)";
  const auto of_states = values(mixing(c_fixed, "initial equation\n  T = 0.3;\n"));
  expect_consistent(of_states);
  EXPECT_EQ(of_states[0], 0.5);
  EXPECT_NEAR(of_states[1], 0.3, 4 * eps);
  // No state, and no derivative of one.
  const auto of_u = values(mixing(c_fixed, "initial equation\n  u = 0.1;\n"));
  expect_consistent(of_u);
  EXPECT_EQ(of_u[0], 0.5);
  EXPECT_NEAR(of_u[4], 0.1, 64 * eps);
  const auto of_slope =
      values(mixing("(start = 0.4)", "initial equation\n  der(c) = 0.1;\n  f1 = 0.6;\n"));
  expect_consistent(of_slope);
  EXPECT_NEAR(of_slope[0], 0.5, 16 * eps);  // f1 - f2 is the slope
  EXPECT_NEAR(of_slope[0] * std::exp(of_slope[1]), 0.9, 16 * eps);
}

TEST(ClockedDerivatives, ADerivativeThatOnlyAnInitialEquationOrAWhenAsksFor) {
  const auto trajectory = run(R"(
model M
  Clock c = )" + clock("ExplicitEuler") +
                                  R"(;
  Real r = sample(3.0, c), f, x, d(start = 0);
initial equation
  der(x) = 0.5;
equation
  der(f) = r - f;
  x = 2*f;
  when c then
    d = 10*der(x);
  end when;
end M;)",
                              0.15);
  // der(x) = 2*(3 - f) = 0.5 at the first tick.
  EXPECT_NEAR(trajectory.column("f").back(), 2.75 + 0.1 * 0.25, 8 * eps);
  EXPECT_NEAR(trajectory.column("d").back(), 20 * (3 - 2.775), 64 * eps);
}

// At the first tick previous(x) of a state is its start value, and so is x, if that is fixed.
TEST(ClockedDerivatives, PreviousOfAState) {
  const auto trajectory = run(R"(
model M
  Real r = sample(3.0, )" + clock("ExplicitEuler") +
                                  R"();
  Real x(start = 1, fixed = true), y(start = 5), before, n(start = 4, fixed = true);
equation
  der(x) = r - x;
  y = 2*x;
  before = previous(x);
  n = previous(n) + r/3;
end M;)",
                              0.05);
  EXPECT_EQ(trajectory.column("x").back(), 1);
  EXPECT_EQ(trajectory.column("before").back(), 1);
  EXPECT_EQ(trajectory.column("n").back(), 5);
}

TEST(ClockedDerivatives, AStateMayBeTheNegativeOfAnotherName) {
  const auto trajectory = run(R"(
model M
  Real r = sample(3.0, )" + clock("ExplicitEuler") +
                                  R"();
  Real x(start = 7), known(start = 0.25, fixed = true);
equation
  known = -x;
  der(x) = r - x;
end M;)",
                              0.15);
  EXPECT_NEAR(trajectory.column("x").back(), -0.25 + 0.1 * 3.25, 4 * eps);
  EXPECT_EQ(trajectory.column("known").back(), -trajectory.column("x").back());
}

// As long as no equation has to be differentiated, each stays as it is, and a step comes with each
// derivative.
TEST(ClockedDerivatives, EquationsStayAsTheyWereWrittenWhereNothingConstrainsStates) {
  const flat::FlatSystem given = flattened(R"(
model M
  Real r = sample(3.0, )" + clock("ImplicitTrapezoid") +
                                           R"();
  Real x(start = 7), y, known(start = 0.25);
equation
  known = -x;
  der(x) = r - x + 0.1*y;
  y + y^3 = x;
end M;)");
  const structure::DiscretisedSystem made = structure::discretise_clocks(given);
  const auto &before = given.clocked->equations, &after = made.flat.clocked->equations;
  ASSERT_EQ(after.size(), before.size() + 1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].left, before[i].left);
    EXPECT_EQ(after[i].right, before[i].right);
  }
  symbolic::ExprPool& pool = *given.pool;
  const auto symbol = [&](const char* name) { return pool.discrete(name); };
  const auto x = symbol("x"), dx = symbol("der(x)");
  const auto slopes = pool.div(pool.add(dx, pool.previous_symbol(dx)), pool.integer(2));
  const auto stepped =
      pool.add(pool.previous_symbol(x), pool.mul(given.clocked->clocks[0].interval, slopes));
  const auto first =
      pool.apply(symbolic::Op::not_equal, given.clocked->clocks[0].first_tick, pool.integer(0));
  EXPECT_EQ(after.back().left,
            pool.if_then_else(first, pool.sub(x, pool.integer(7)), pool.sub(x, stepped)));
  EXPECT_EQ(made.flat.clocked->variables.size(), given.clocked->variables.size());
}

TEST(ClockedDerivatives, FlatTextHasTheDerivativesAndTheMethod) {
  const std::string text = flat::to_text(flattened(R"(
model M
  Real r = sample(3.0, )" + clock("ExplicitEuler") +
                                                   R"();
  Real x(start = 7), y;
initial equation
  y = 3;
equation
  der(x) = r - x;
  y = 2*x;
end M;)"));
  EXPECT_NE(text.find("    der(x) = r - x;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("initial equation\n  y = 3;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("when Clock(Clock(1, 10), solverMethod = \"ExplicitEuler\") then\n"),
            std::string::npos)
      << text;
}

TEST(ClockedDerivatives, WhatJumpsAtTicksHasNoDerivative) {
  const std::string sampled = error_of(R"(
model M
  Real r = sample(time, )" + clock("ExplicitEuler") +
                                       R"(), x, u;
equation
  x = 2*r;
  der(x) = -x + u;
end M;)");
  EXPECT_NE(sampled.find("m.mo:3:"), std::string::npos) << sampled;
  EXPECT_NE(
      sampled.find("error[S017]: the derivatives at the ticks of this clock can be found only "
                   "if 'sample(time)' is differentiated"),
      std::string::npos)
      << sampled;
  const std::string counted = error_of(R"(
model M
  Clock c = )" + clock("ExplicitEuler") +
                                       R"(;
  Integer n(start = 0) = previous(n) + integer(sample(1.0, c));
  Real z(start = 0), x, u;
equation
  z = previous(z) + (if n > 5 then 1 else 2);
  x = z;
  der(x) = -x + u;
end M;)");
  EXPECT_NE(counted.find("'previous(z)' is differentiated"), std::string::npos) << counted;
}

// By structure the derivative of r is asked for too, but a comparison has none.
TEST(ClockedDerivatives, WhatIsOnlyComparedNeedsNoDerivative) {
  const auto trajectory = run(R"(
model M
  Real r = sample(time, )" + clock("ExplicitEuler") +
                                  R"();
  Real f(start = 0.25), x, u;
equation
  der(f) = r - f;
  x = if r > 0.75 then 2*f else f;
  der(x) = -x + u;
end M;)",
                              1.95);
  const auto f = trajectory.column("f"), r = trajectory.column("r"), u = trajectory.column("u");
  for (std::size_t i = 1; i < f.size(); ++i)
    EXPECT_NEAR(u[i], (r[i] > 0.75 ? 2 : 1) * r[i], 16 * eps) << i;
}

TEST(ClockedDerivatives, TooManyConditionsAtTheFirstTick) {
  const std::string error = error_of(R"(
model M
  Real r = sample(time, )" + clock("ExplicitEuler") +
                                     R"();
  Real f(start = 0.25, fixed = true), x, u(start = 3, fixed = true);
equation
  der(f) = r - f;
  x = f;
  der(x) = -x + u;
end M;)");
  EXPECT_NE(error.find("error[S016]: the start has one condition too many: the fixed start 'f = "
                       "0.25' and the fixed start 'u = 3' with what the equations say. There is no "
                       "room for it at a first tick. Leave one of the starts free"),
            std::string::npos)
      << error;
}

// Errors of the passes name the variables as they were written.
TEST(ClockedDerivatives, SingularEquationsAreNamedAsWritten) {
  const std::string error = error_of(R"(
model M
  Real r = sample(time, )" + clock("ExplicitEuler") +
                                     R"();
  Real x(start = 1), y, z, w;
equation
  der(x) = r - x;
  y = 2*sin(x);
  y = 3*x + r;
  z + w = r;
end M;)");
  EXPECT_NE(error.find("error[S00"), std::string::npos) << error;
  EXPECT_NE(error.find("'y = r + 3*x'"), std::string::npos) << error;
  EXPECT_EQ(error.find("continuous"), std::string::npos) << error;
}

}  // namespace
}  // namespace alembert
