// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/bicycle.hpp"

#include <chrono>
#include <complex>
#include <map>

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

// Validation set, NH04: M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 for lean and steer.
TEST_F(BicycleTest, MatricesAreTheCanonicalOnes) {
  const double M[2][2] = {{80.81722, 2.3194133220870913},
                          {2.3194133220870913, 0.29784188199685553}};
  const double K0[2][2] = {{-80.95, -2.5995168524987164},
                           {-2.5995168524987164, -0.80329488458617688}};
  const double K2[2][2] = {{0, 76.597345895732222}, {0, 2.6543152379460403}};
  const double C1[2][2] = {{0, 33.866413914924944}, {-0.85035641456978437, 1.6854039739755967}};
  for (const double v : {0.0, 3.0, 7.0}) {
    const Linearisation l = at_speed(bicycle->model.flatten(), v);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const double stiffness = -(M[i][0] * l.A[2][j] + M[i][1] * l.A[3][j]);
        const double damping = -(M[i][0] * l.A[2][2 + j] + M[i][1] * l.A[3][2 + j]);
        const double expected = 9.81 * K0[i][j] + v * v * K2[i][j];
        EXPECT_NEAR(stiffness, expected, 1e-9 * std::max(1.0, std::abs(expected))) << v << i << j;
        EXPECT_NEAR(damping, v * C1[i][j], 1e-9 * std::max(1.0, std::abs(v * C1[i][j])));
      }
  }
}

TEST_F(BicycleTest, EigenvaluesArePublishedOnes) {
  using Complex = std::complex<double>;
  const std::map<double, std::vector<Complex>> published = {
      {0, {-5.5309437176539346, -3.1316432479065557, 3.1316432479065557, 5.5309437176539346}},
      {2,
       {-8.6738798483173716,
        -3.0715864564151425,
        {2.6823451751274535, -1.6806629659067578},
        {2.6823451751274535, 1.6806629659067578}}},
      {4,
       {-12.15861426576444,
        -1.4294442736132575,
        {0.41325331521124132, -3.0791081860320536},
        {0.41325331521124132, 3.0791081860320536}}},
      {5,
       {-14.078389692798247,
        {-0.77534188219584193, -4.4648677137882251},
        {-0.77534188219584193, 4.4648677137882251},
        -0.32286642900408708}},
      {6,
       {-16.085371230980284,
        {-1.5264448658414171, -5.876730605987084},
        {-1.5264448658414171, 5.876730605987084},
        -0.0040669007697033624}}};
  for (const auto& [v, expected] : published) {
    const auto found = eigenvalues(at_speed(bicycle->model.flatten(), v).A, 4);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(std::abs(found[k] - expected[k]), 1e-9) << v;
  }
}

/// Pushed aside at a stable speed it comes upright again, and energy is kept.
TEST_F(BicycleTest, RunsUprightAtAStableSpeed) {
  Bicycle other;
  other.model.start(other.u[3], 0.5, {.fixed = true});
  add_kane(other.model, derive_kane(other.model, other.system));
  other.model.observe("E", kinetic_energy(other.system.bodies, other.N) +
                               gravity_potential(other.system.bodies, 9.81 * other.N.z(), other.O));
  const auto result = run(other.model, {.stop = 10, .tolerance = 1e-8, .intervals = 100});
  ASSERT_EQ(result.outcome, integrate::Outcome::done) << result.message;
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-3);  // of some 1.2e3 J
  EXPECT_GT(spread(result.trajectory.column("roll")), 0.02);
  EXPECT_LT(std::abs(last(result, "roll")), 0.01);
  EXPECT_LT(result.largest_constraint_residual, 1e-9);
}

}  // namespace
}  // namespace alembert::mechanics
