// SPDX-License-Identifier: Apache-2.0
// Long runs of hydraulic models: through cavitation, from stop to stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run_model.hpp"

namespace alembert::library_test {
namespace {

/// The load hits its end stop at 40 ms, rebounds, liquid becomes gas and gas collapses hundreds of
/// times; the valve is shut from 64 ms on.
TEST(ServoActuator, runs_through_cavitation) {
  const auto result =
      run(flat_model("Alembert.Hydraulic.Examples.ServoActuator", {"piston.least_length=2e-6"}),
          {.tolerance = 1e-5, .intervals = 100}, 0.1);
  const auto x = result.trajectory.column("piston.x"), a = result.trajectory.column("ddx");
  EXPECT_EQ(a.front(), 0);
  EXPECT_GT(*std::max_element(a.begin(), a.end()), 200);
  EXPECT_LT(*std::max_element(x.begin(), x.end()), 0.0501);
  EXPECT_NEAR(last(result, "piston.x"), 0.05, 0.01);
  EXPECT_GT(result.n_state_events, 200u);
}

/// Sources that press alternately move the mass from one stop to the other.
TEST(EndStops, hold_the_mass) {
  for (const int n : {1, 2}) {
    SCOPED_TRACE(n);
    const double end = n == 1 ? 4 : 2;
    const auto result =
        run(flat_model("Alembert.Hydraulic.Examples.EndStops", {"N=" + std::to_string(n)}),
            {.tolerance = 1e-6, .intervals = 40}, end);
    for (double t = 0; t <= end; ++t) {
      const double expected = t == 0 ? 0.1 : std::fmod(t, 2) == 1 ? 0.19 : 0.01;
      EXPECT_NEAR(at(result, "left.x", t), expected, 5e-5);
      EXPECT_NEAR(at(result, "right.x", t), 0.2 - expected, 5e-5);
    }
  }
}

/// Pieces that are empty are stiff by fourteen orders of magnitude, and at rest nothing shows it:
/// an explicit method must not be believed there.
TEST(EndStops, run_at_every_tolerance) {
  for (const double tolerance : {1e-3, 1e-4, 1e-5})
    for (const int n : {2, 3}) {
      SCOPED_TRACE(std::to_string(n) + " pieces, tolerance " + std::to_string(tolerance));
      const auto result =
          run(flat_model("Alembert.Hydraulic.Examples.EndStops", {"N=" + std::to_string(n)}),
              {.tolerance = tolerance, .intervals = 10}, 0.2);
      EXPECT_NEAR(at(result, "left.x", 0.1), 0.104797, tolerance);
      EXPECT_LT(result.statistics.steps, 2000u);
    }
}

/// Without friction in the seals the mass rebounds from a cushion that is shut, as from a spring.
/// The original of this test hides that: implicit Euler with steps of 1e-4 damps it away.
TEST(EndStops, hold_the_mass_without_friction_under_implicit_euler) {
  for (const int n : {1, 2}) {
    SCOPED_TRACE(n);
    const auto result =
        run(flat_model("Alembert.Hydraulic.Examples.EndStops", {"d=0", "N=" + std::to_string(n)}),
            {.tolerance = 1e-6, .intervals = 50, .method = "implicit-euler", .step = 1e-4}, 5);
    EXPECT_NEAR(at(result, "left.x", 0.1), 0.1436, 1e-4);
    for (int t = 1; t <= 4; ++t) {
      EXPECT_NEAR(at(result, "left.x", t), t % 2 == 1 ? 0.19 : 0.01, 5e-5) << t;
      EXPECT_NEAR(at(result, "right.x", t), t % 2 == 1 ? 0.01 : 0.19, 5e-5) << t;
    }
  }
}

}  // namespace
}  // namespace alembert::library_test
