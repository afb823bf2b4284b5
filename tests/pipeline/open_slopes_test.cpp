// SPDX-License-Identifier: Apache-2.0
// Slopes left open, for IDA: r(t, y, y') = 0 in place of y' = f(t, y). Second routes: r vanishes at
// the slopes that f gives, its Jacobian agrees with differences, and runs agree with methods that
// solve for slopes; exact solutions where there are some.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "alembert/integrate/chart_residual.hpp"
#include "alembert/integrate/model_point.hpp"
#include "pipeline/modelica_runs.hpp"

namespace alembert {
namespace {

/// Two links by their angles: a linear block of two accelerations, and two velocities.
const char* const double_pendulum = R"(
model M
  Real a(start = 1, fixed = true), b(start = 0.5, fixed = true);
  Real u(start = 0, fixed = true), v(start = 0, fixed = true);
  Real E = u^2 + 0.5*v^2 + u*v*cos(a - b) - 2*cos(a) - cos(b);
equation
  der(a) = u;
  der(b) = v;
  2*der(u) + cos(a - b)*der(v) = -sin(a - b)*v^2 - 2*sin(a);
  cos(a - b)*der(u) + der(v) = sin(a - b)*u^2 - sin(b);
end M;
)";

/// A line of capacities that depend on voltages: tridiagonal in the slopes.
const char* const line = R"(
model M
  parameter Integer n = 60;
  Real x[n](each start = 0, each fixed = true);
  Real c[n];
equation
  for i in 1:n loop
    c[i] = 1 + 0.5*tanh(x[i]);
  end for;
  c[1]*der(x[1]) + 0.3*(der(x[1]) - der(x[2])) = sin(time) - x[1];
  for i in 2:n - 1 loop
    c[i]*der(x[i]) + 0.3*(2*der(x[i]) - der(x[i - 1]) - der(x[i + 1])) = x[i - 1] - x[i];
  end for;
  c[n]*der(x[n]) + 0.3*(der(x[n]) - der(x[n - 1])) = x[n - 1] - 2*x[n];
end M;
)";

/// One slope by iteration; x = sin(time).
const char* const steep = R"(
model M
  Real x(start = 0, fixed = true);
equation
  der(x) + 0.5*sin(der(x)) = cos(time) + 0.5*sin(cos(time)) + sin(time) - x;
end M;
)";

class Residual {
 public:
  explicit Residual(const char* text)
      : model_(compiled(text)), chart_(model_.static_chart()), inputs_(1 + model_.n_variables()) {
    exists = caller_.use(model_, chart_);
    parameters_ = model_.parameter_values();
    std::mt19937 random(3);
    for (double& value : inputs_) value = 0.1 + 1e-9 * random() / 4.3;
  }

  std::size_t n() const { return chart_.states.size(); }
  std::vector<double> states() const {
    std::vector<double> y;
    for (const auto s : chart_.states) y.push_back(inputs_[1 + s]);
    return y;
  }
  std::vector<double> slopes() {
    std::vector<double> f(n());
    compile::AlignedDoubles work(chart_.derivatives.shape().workspace_size);
    chart_.derivatives(inputs_.data(), parameters_.data(), f.data(), work.data());
    return f;
  }
  std::vector<double> rows(const std::vector<double>& y, const std::vector<double>& slope) {
    std::vector<double> inputs = inputs_, r(n());
    for (std::size_t i = 0; i < n(); ++i) inputs[1 + chart_.states[i]] = y[i];
    caller_(inputs.data(), parameters_.data(), slope.data(), r.data());
    return r;
  }
  std::vector<double> jacobian(const std::vector<double>& slope, double factor, bool dense) {
    std::vector<double> inputs = inputs_;
    std::vector<double> entries(dense ? n() * n() : caller_.pattern().row.size());
    EXPECT_TRUE(caller_.jacobian(inputs.data(), parameters_.data(), slope.data(), factor, dense,
                                 entries.data()));
    return entries;
  }
  integrate::ColumnPattern pattern() const { return caller_.pattern(); }

  bool exists = false;

 private:
  compile::CompiledModel model_;
  const compile::CompiledChart& chart_;
  std::vector<double> inputs_, parameters_;
  integrate::ChartResidualCaller caller_;
};

TEST(OpenSlopes, TheResidualVanishesAtTheSlopesThatTheOrdinaryShapeFinds) {
  for (const char* text : {double_pendulum, line, steep}) {
    Residual residual(text);
    ASSERT_TRUE(residual.exists) << text;
    const std::vector<double> slopes = residual.slopes();
    for (const double r : residual.rows(residual.states(), slopes)) EXPECT_NEAR(r, 0, 1e-11);
    std::vector<double> others = slopes;
    for (double& slope : others) slope += 1;
    for (const double r : residual.rows(residual.states(), others)) EXPECT_GT(std::abs(r), 1e-3);
  }
}

TEST(OpenSlopes, TheJacobianAgreesWithDifferences) {
  constexpr double factor = 7, h = 1e-5;
  for (const char* text : {double_pendulum, line, steep}) {
    Residual residual(text);
    const std::size_t n = residual.n();
    const std::vector<double> y = residual.states(), slope = residual.slopes();
    const std::vector<double> dense = residual.jacobian(slope, factor, true);
    for (std::size_t j = 0; j < n; ++j) {
      const auto moved = [&](double by) {
        std::vector<double> y_near = y, slope_near = slope;
        y_near[j] += by;
        slope_near[j] += factor * by;
        return residual.rows(y_near, slope_near);
      };
      const std::vector<double> before = moved(-h), after = moved(h);
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(dense[j * n + i], (after[i] - before[i]) / (2 * h), 1e-8) << i << " by " << j;
    }
    // The same entries where they are kept by a pattern.
    const std::vector<double> sparse = residual.jacobian(slope, factor, false);
    std::vector<double> spread(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (auto e = residual.pattern().column_start[j]; e < residual.pattern().column_start[j + 1];
           ++e)
        spread[j * n + residual.pattern().row[e]] = sparse[e];
    EXPECT_EQ(spread, dense);
  }
}

TEST(OpenSlopes, WhereNothingIsSolvedForSlopesThereIsNoSuchForm) {
  EXPECT_FALSE(Residual("model M Real x(start = 1); equation der(x) = -x; end M;").exists);
}

TEST(OpenSlopes, TheDoublePendulumKeepsItsEnergyByIda) {
  constexpr double tolerance = 1e-9;
  const auto ida =
      run(double_pendulum, {.stop = 5, .tolerance = tolerance, .intervals = 5, .method = "ida"});
  const auto other =
      run(double_pendulum, {.stop = 5, .tolerance = tolerance, .intervals = 5, .method = "dop853"});
  EXPECT_NEAR(at_end(ida, "E"), at_start(ida, "E"), 1000 * tolerance);
  for (const char* name : {"a", "b", "u", "v", "der(u)"})
    EXPECT_NEAR(at_end(ida, name), at_end(other, name), 3000 * tolerance) << name;
}

TEST(OpenSlopes, ALineOfSixtyCapacitiesGoesBySparseElimination) {
  constexpr double tolerance = 1e-8;
  const auto ida = run(line, {.stop = 20, .tolerance = tolerance, .intervals = 4, .method = "ida"});
  const auto other =
      run(line, {.stop = 20, .tolerance = tolerance, .intervals = 4, .method = "radau5"});
  for (const char* name : {"x[1]", "x[2]", "x[30]", "x[60]"})
    EXPECT_NEAR(at_end(ida, name), at_end(other, name), 100 * tolerance) << name;
}

TEST(OpenSlopes, ASlopeThatIsIteratedForEndsAtTheExactSolution) {
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const auto ida =
        run(steep, {.stop = 10, .tolerance = tolerance, .intervals = 1, .method = "ida"});
    EXPECT_NEAR(at_end(ida, "x"), std::sin(10.0), 100 * tolerance) << tolerance;
  }
}

TEST(OpenSlopes, EventsAndOutputsSeeTheSlopesThatWereLeftOpen) {
  // Both slopes change at an event that depends on one of them.
  const char* const text = R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  discrete Real hit(start = 0, fixed = true);
  discrete Real drive(start = 1, fixed = true);
equation
  (2 + 0*x)*der(x) + (1 + 0.1*y)*der(y) = drive*(2 + 1.0*(1 + 0.1*y));
  der(x) + (3 + 0.1*x)*der(y) = drive*(1 + (3 + 0.1*x));
  when der(x) + x > 2 then
    hit = time;
    drive = -1;
  end when;
end M;
)";
  // der(x) = der(y) = drive: x = time up to the event at 1, then 2 - time.
  const auto ida = run(text, {.stop = 2, .tolerance = 1e-8, .intervals = 4, .method = "ida"});
  EXPECT_NEAR(at_end(ida, "hit"), 1, 1e-7);
  EXPECT_NEAR(at_end(ida, "x"), 0, 1e-7);
  EXPECT_NEAR(at_end(ida, "der(y)"), -1, 1e-12);
}

// Between rows nothing is solved for slopes; what they leave without a value ends the run all the
// same where it does. der(x) = der(y) = cos(time), below 0.5 from pi/3 on.
TEST(OpenSlopes, WhatASlopeLeavesWithoutAValueIsMissedBetweenRows) {
  const char* const text = R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), s;
equation
  2*der(x) + (1 + 0.1*y)*der(y) = (3 + 0.1*y)*cos(time);
  der(x) + (3 + 0.1*x)*der(y) = (4 + 0.1*x)*cos(time);
  s = sqrt(der(x) - 0.5);
end M;
)";
  for (const char* method : {"ida", "cvode"}) {
    const auto result = run(text, {.stop = 2, .tolerance = 1e-8, .intervals = 1, .method = method});
    EXPECT_EQ(result.outcome, integrate::Outcome::stopped) << method;
    EXPECT_NEAR(result.end_time, std::acos(0.5), 1e-6) << method << result.message;
    EXPECT_NE(result.message.find("'s' has no value"), std::string::npos) << result.message;
  }
}

TEST(OpenSlopes, ASingularMatrixOfSlopesIsNamed) {
  // At x = 1, which is reached in finite time, the two equations contradict each other.
  const char* const text = R"(
model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) + x^2*der(y) = 1;
  x*der(x) + der(y) = 0.1;
end M;
)";
  for (const char* method : {"ida", "radau5"}) {
    const auto result = run(text, {.stop = 5, .tolerance = 1e-6, .method = method});
    EXPECT_NE(result.outcome, integrate::Outcome::done) << method;
    EXPECT_FALSE(result.message.empty()) << method;
  }
}

}  // namespace
}  // namespace alembert
