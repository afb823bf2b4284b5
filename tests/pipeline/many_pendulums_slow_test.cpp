// SPDX-License-Identifier: Apache-2.0
// A hundred Cartesian pendulums: as one chain, where the choice of states is one problem of a
// hundred constraints, and side by side. Energy and lengths are the oracles.
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

constexpr int n = 100;

struct Pendulums {
  Model model;
  Expr energy;
};

/// Point masses on rods of length 1 at different angles; hung on the one before, or on the origin.
Pendulums pendulums(bool chain) {
  Pendulums result{Model(chain ? "Chain" : "Pendulums"), 0};
  Model& m = result.model;
  std::vector<Expr> x, y, force;
  double x0 = 0, y0 = 0;
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i + 1);
    const double angle = 0.3 + 0.9 * std::sin(0.7 * i);
    x0 = (chain ? x0 : 0) + std::sin(angle);
    y0 = (chain ? y0 : 0) - std::cos(angle);
    x.push_back(m.unknown("x[" + k + "]", {.start = x0}));
    y.push_back(m.unknown("y[" + k + "]", {.start = y0}));
    force.push_back(m.unknown("f[" + k + "]"));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Expr dx = chain && i > 0 ? x[i] - x[i - 1] : x[i];
    const Expr dy = chain && i > 0 ? y[i] - y[i - 1] : y[i];
    const bool pulled = chain && i + 1 < n;
    m += der(der(x[i])) == -force[i] * dx + (pulled ? force[i + 1] * (x[i + 1] - x[i]) : 0);
    m += der(der(y[i])) == -force[i] * dy + (pulled ? force[i + 1] * (y[i + 1] - y[i]) : 0) - 1;
    m += dx * dx + dy * dy == 1;
    result.energy += (der(x[i]) * der(x[i]) + der(y[i]) * der(y[i])) / 2 + y[i];
  }
  m.observe("energy", result.energy);
  return result;
}

void expect_runs(bool chain, double stop) {
  const compile::CompiledModel model(pendulums(chain).model.flatten());
  EXPECT_EQ(model.plan().degrees_of_freedom, 2u * n);
  EXPECT_EQ(model.plan().selection_parts.size(), chain ? 1u : n);
  const auto run = integrate::simulate(model, {.stop = stop, .tolerance = 1e-8, .intervals = 10});
  ASSERT_EQ(run.outcome, integrate::Outcome::done) << run.message;
  EXPECT_LT(run.largest_constraint_residual, 1e-9);
  const auto energy = run.trajectory.column("energy");
  EXPECT_NEAR(energy.back(), energy.front(), 1e-6 * std::abs(energy.front()));
}

TEST(ManyPendulums, AsAChain) { expect_runs(true, 2); }
TEST(ManyPendulums, SideBySide) { expect_runs(false, 10); }

}  // namespace
}  // namespace alembert
