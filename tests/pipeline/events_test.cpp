// SPDX-License-Identifier: Apache-2.0
// Hybrid models against closed forms: impact times, switching times, exact recursions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using builder::number;
using builder::pre;
using builder::reinit;
using builder::set;
using builder::terminate;
using compile::CompiledModel;
using integrate::Outcome;
using integrate::simulate;
using integrate::SimulateOptions;
using integrate::SimulationResult;

Model bouncing_ball(double height, double restitution) {
  Model m("Ball");
  const Expr g = m.parameter("g", 9.81), e = m.parameter("e", restitution);
  const Expr h = m.unknown("h", {.start = height, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n", {.type = flat::ValueType::integer});
  m += der(h) == v;
  m += der(v) == -g;
  m.when(h < 0, {reinit(v, -e * pre(v)), set(n, pre(n) + 1)});
  return m;
}

/// Times at which a column jumps up, from the rows that share a time.
std::vector<double> jumps(const SimulationResult& run, const std::string& name) {
  std::vector<double> times;
  const auto t = run.trajectory.times();
  const auto values = run.trajectory.column(name);
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] == t[i - 1] && values[i] != values[i - 1]) times.push_back(t[i]);
  return times;
}

// Exact: t_n = t_1 + 2 v_1 (e + ... + e^(n-1)) / g.
TEST(Events, BouncingBallHitsAtTheExactTimes) {
  const Model m = bouncing_ball(1, 0.7);
  const CompiledModel model(m.flatten());
  for (const char* method : {"dop853", "tsit5", "rodas5p"}) {
    const SimulationResult run =
        simulate(model, {.stop = 2.5, .tolerance = 1e-9, .intervals = 50, .method = method});
    ASSERT_EQ(run.outcome, Outcome::done) << run.message;
    const std::vector<double> impacts = jumps(run, "n");
    ASSERT_GE(impacts.size(), 10u) << method;
    const double reference[] = {0.45152364098573090, 1.0836567383657542, 1.5261499065317705,
                                1.8358951242479819, 2.0527167766493298};
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(impacts[i], reference[i], 1e-9) << method;
    EXPECT_NEAR(impacts[9], 2.4736044636412545, 1e-9) << method;
    EXPECT_EQ(run.trajectory.column("n").back(), 11);
    // Each impact is one event, although the ball comes to lie a rounding error below the floor.
    EXPECT_EQ(run.n_state_events, 11u) << method;
  }
}

}  // namespace
}  // namespace alembert
