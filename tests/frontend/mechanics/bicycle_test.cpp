// SPDX-License-Identifier: Apache-2.0
#include "frontend/mechanics/bicycle.hpp"

#include <chrono>

#include "alembert/integrate/linearise.hpp"
#include "frontend/mechanics/runs.hpp"

namespace alembert::mechanics {
namespace {

using integrate::eigenvalues;
using integrate::Linearisation;
using integrate::linearise;

const std::vector<std::string> lean_and_steer = {"roll", "steer", "u_roll", "u_steer"};

Linearisation at_speed(const flat::FlatSystem& system, double v) {
  return linearise(system, {.parameters = {{"v", v}}, .states = lean_and_steer});
}

class BicycleTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bicycle = new Bicycle;
    const auto before = std::chrono::steady_clock::now();
    add_kane(bicycle->model, derive_kane(bicycle->model, bicycle->system));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  }
  static void TearDownTestSuite() { delete bicycle; }
  static inline Bicycle* bicycle = nullptr;
  static inline double seconds = 0;
};

TEST_F(BicycleTest, DerivesInUnderASecond) { EXPECT_LT(seconds, 1.0); }

// Validation set, NH05: the matrix of sympy's test suite.
TEST_F(BicycleTest, LinearisationHasThePublishedMatrix) {
  for (const double v : {0.0, 1.0, 5.0}) {
    const Linearisation l = at_speed(bicycle->model.flatten(), v);
    const double expected[2][4] = {
        {9.48977444677355, -0.891197738059089 * v * v - 0.571523173729245, -0.105522449805691 * v,
         -0.330515398992311 * v},
        {11.7194768719633, -1.97171508499972 * v * v + 30.9087533932407, 3.67680523332152 * v,
         -3.08486552743311 * v}};
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_NEAR(l.A[2 + i][j], expected[i][j], 1e-10) << v << " " << i << " " << j;
    for (std::size_t j = 4; j < l.A.size(); ++j) {  // nothing else has a part in it
      EXPECT_NEAR(l.A[2][j], 0, 1e-9);
      EXPECT_NEAR(l.A[3][j], 0, 1e-9);
    }
  }
}

// Validation set, NH04.
TEST_F(BicycleTest, EigenvaluesArePublishedOnes) {
  const auto at_5 = eigenvalues(at_speed(bicycle->model.flatten(), 5).A, 4);
  EXPECT_NEAR(at_5[0].real(), -14.078389692798247, 1e-9);
  EXPECT_NEAR(at_5[1].real(), -0.77534188219584193, 1e-9);
  EXPECT_NEAR(std::abs(at_5[1].imag()), 4.4648677137882251, 1e-9);
  EXPECT_NEAR(at_5[3].real(), -0.32286642900408708, 1e-9);
  const auto at_0 = eigenvalues(at_speed(bicycle->model.flatten(), 0).A, 4);
  EXPECT_NEAR(at_0[0].real(), -5.5309437176539346, 1e-9);
  EXPECT_NEAR(at_0[1].real(), -3.1316432479065557, 1e-9);
  EXPECT_NEAR(at_0[2].real(), 3.1316432479065557, 1e-9);
  EXPECT_NEAR(at_0[3].real(), 5.5309437176539346, 1e-9);
}

/// Pushed aside at a stable speed it comes upright again, and energy is kept.
TEST_F(BicycleTest, RunsUprightAtAStableSpeed) {
  Bicycle other;
  other.model.start(other.u[3], 0.5, {.fixed = true});
  add_kane(other.model, derive_kane(other.model, other.system));
  other.model.observe(
      "E", kinetic_energy(other.system.bodies, other.N) +
               gravity_potential(other.system.bodies, 9.81 * other.N.z(), other.world.point(0u)));
  const auto result = run(other.model, {.stop = 10, .tolerance = 1e-8, .intervals = 100});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-3);  // of some 1.2e3 J
  EXPECT_GT(spread(result.trajectory.column("roll")), 0.02);
  EXPECT_LT(std::abs(last(result, "roll")), 0.01);
  EXPECT_LT(result.largest_constraint_residual, 1e-9);
}

}  // namespace
}  // namespace alembert::mechanics
