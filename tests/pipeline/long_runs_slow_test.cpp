// SPDX-License-Identifier: Apache-2.0
// A million steps of the structure-preserving methods, and a problem of 160 unknowns by Taylor
// series.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "pipeline/cartesian_pendulum.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;

TEST(LongRuns, EnergyStaysWithinItsBoundForAMillionSteps) {
  const CompiledModel model(cartesian_pendulum().flatten());
  for (const char* method : {"rattle", "rattle4", "rattle6", "rattle8", "manifold-midpoint"}) {
    const double step = 0.02;
    const auto largest = [&](double stop) {
      const auto run =
          simulate(model, {.stop = stop, .intervals = 2000, .method = method, .step = step});
      EXPECT_EQ(run.outcome, Outcome::done) << run.message;
      EXPECT_LT(run.largest_constraint_residual, 1e-13) << method;
      double error = 0;
      for (const double e : run.trajectory.column("energy")) error = std::max(error, std::abs(e));
      return error;
    };
    // Rows fall on other points of the swings; a drift would be a thousand times the bound.
    // Roundings of up to 17 million stages add up as a random walk does, to some 4000 eps of an
    // energy of 10.
    EXPECT_LT(largest(1e6 * step), 1.2 * largest(1e3 * step) + 1e-11) << method;
  }
}

/// Fekete points: 20 bodies on a sphere, index 2, to rest. Digits of the IVP test set.
TEST(LongRuns, FeketeByTaylorSeries) {
  constexpr int n = 20;
  constexpr double pi = std::numbers::pi;
  Model m("Fekete");
  std::vector<std::array<Expr, 3>> p, q;
  std::vector<Expr> lambda, mu;
  for (int i = 1; i <= n; ++i) {
    const double w = i <= 3    ? 2 * pi * i / 3 + pi / 13
                     : i <= 10 ? 2 * pi * (i - 3) / 7 + pi / 29
                     : i <= 16 ? 2 * pi * (i - 10) / 6 + pi / 7
                               : 2 * pi * (i - 17) / 4 + pi / 17;
    const double b = i <= 3 ? 3 * pi / 8 : i <= 10 ? pi / 8 : i <= 16 ? -2 * pi / 15 : -3 * pi / 10;
    const double start[] = {std::cos(w) * std::cos(b), std::sin(w) * std::cos(b), std::sin(b)};
    const std::string k = std::to_string(i);
    const auto vector = [&](const std::string& name, const double* values) {
      return std::array<Expr, 3>{m.unknown(name + k + "x", {.start = values[0]}),
                                 m.unknown(name + k + "y", {.start = values[1]}),
                                 m.unknown(name + k + "z", {.start = values[2]})};
    };
    const double zeros[] = {0, 0, 0};
    p.push_back(vector("p", start));
    q.push_back(vector("q", zeros));
    lambda.push_back(m.unknown("lambda" + k, {.start = -4.5}));
    mu.push_back(m.unknown("mu" + k, {.start = 0}));
  }
  const auto dot = [](const std::array<Expr, 3>& a, const std::array<Expr, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  for (int i = 0; i < n; ++i) {
    std::array<std::vector<Expr>, 3> forces;
    for (int j = 0; j < n; ++j) {
      if (i == j) continue;
      std::array<Expr, 3> d;
      for (int c = 0; c < 3; ++c) d[c] = p[i][c] - p[j][c];
      for (int c = 0; c < 3; ++c) forces[c].push_back(d[c] / dot(d, d));
    }
    for (int c = 0; c < 3; ++c) {
      m += der(p[i][c]) == q[i][c] + 2 * mu[i] * p[i][c];
      m += der(q[i][c]) == symbolic::sum(forces[c]) - 0.5 * q[i][c] + 2 * lambda[i] * p[i][c];
    }
    m += dot(p[i], p[i]) == 1;
    m += dot(p[i], q[i]) == 0;
  }
  const CompiledModel model(m.flatten());
  const auto run =
      simulate(model, {.stop = 1000, .tolerance = 1e-7, .intervals = 10, .method = "taylor"});
  ASSERT_EQ(run.outcome, Outcome::done) << run.message;
  EXPECT_NEAR(run.trajectory.column("p1x").back(), -0.407026338033, 1e-6);
  EXPECT_NEAR(run.trajectory.column("p10z").back(), -0.0480050429054, 1e-6);
  EXPECT_NEAR(run.trajectory.column("lambda3").back(), -4.75, 1e-6);
}

}  // namespace
}  // namespace alembert
