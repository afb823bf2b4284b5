// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/rosenbrock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "alembert/integrate/adaptive.hpp"

namespace alembert::integrate {
namespace {

// Index 1: y' = -z y cos(t), 0 = z - 1/y - y + exp(-sin t) has the solution y = exp(-sin t), z =
// 1/y.
bool dae_rhs(void*, double t, const double* y, double* f) {
  f[0] = -y[1] * y[0] * y[0] * std::cos(t);
  f[1] = y[1] - 1 / y[0] - y[0] + std::exp(-std::sin(t));
  return true;
}
bool dae_jacobian(void*, double t, const double* y, double* dfdy, double* dfdt) {
  dfdy[0] = -2 * y[1] * y[0] * std::cos(t);
  dfdy[1] = 1 / (y[0] * y[0]) - 1;
  dfdy[2] = -y[0] * y[0] * std::cos(t);
  dfdy[3] = 1;
  dfdt[0] = y[1] * y[0] * y[0] * std::sin(t);
  dfdt[1] = -std::cos(t) * std::exp(-std::sin(t));
  return true;
}
constexpr double dae_mass[] = {1, 0, 0, 0};
constexpr OdeSystem dae = {.n = 2, .rhs = dae_rhs, .jacobian = dae_jacobian, .mass = dae_mass};

double dae_error(int n, bool of_dense) {
  Rodas5p stepper(dae);
  const std::array<double, 2> y0 = {1, 1};
  EXPECT_TRUE(stepper.start(0, y0));
  double largest = 0;
  for (int step = 0; step < n; ++step) {
    EXPECT_TRUE(stepper.attempt(2.0 / n, {}).finite);
    stepper.accept(2.0 * (step + 1) / n);
    for (double theta : of_dense ? std::vector<double>{0.3, 0.7} : std::vector<double>{1}) {
      std::array<double, 2> y;
      EXPECT_TRUE(stepper.interpolate(theta, y));
      const double exact = std::exp(-std::sin(2.0 * (step + theta) / n));
      largest = std::max({largest, std::abs(y[0] - exact), std::abs(y[1] - 1 / exact)});
    }
  }
  return largest;
}

TEST(Rodas5p, KeepsItsOrderOnAnIndexOneSystem) {
  EXPECT_NEAR(std::log2(dae_error(64, false) / dae_error(128, false)), 5, 0.2);
  EXPECT_GT(std::log2(dae_error(64, true) / dae_error(128, true)), 4 - 0.2);
}

TEST(Rodas5p, SolvesAnIndexOneSystemToTolerance) {
  Rodas5p stepper(dae);
  std::array<double, 2> y = {1, 1};
  const auto result =
      integrate_adaptive(stepper, 0, 10, y, {.tolerances = {.relative = 1e-9, .absolute = 1e-9}});
  ASSERT_EQ(result.outcome, Outcome::done);
  const double exact = std::exp(-std::sin(10));
  EXPECT_NEAR(y[0], exact, 1e-7);
  EXPECT_NEAR(y[1], 1 / exact, 1e-7);
}

// A Jacobian that has no value at some points, although f has: differences serve there.
bool gappy_jacobian(void* context, double t, const double* y, double* dfdy, double* dfdt) {
  dae_jacobian(nullptr, t, y, dfdy, dfdt);
  const bool has_hole = t > 2 && t < 4;
  if (has_hole) dfdy[1] = std::nan("");
  *static_cast<int*>(context) += !has_hole;
  return t < 6 || t > 8;
}

TEST(Rodas5p, TakesDifferencesWhereAJacobianHasNoValue) {
  int n_exact = 0;
  OdeSystem gappy = dae;
  gappy.jacobian = gappy_jacobian;
  gappy.context = &n_exact;
  Rodas5p stepper(gappy);
  std::array<double, 2> y = {1, 1};
  const auto result =
      integrate_adaptive(stepper, 0, 10, y, {.tolerances = {.relative = 1e-9, .absolute = 1e-9}});
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_LT(n_exact, static_cast<int>(result.statistics.jacobian_calls));  // holes
  EXPECT_GT(n_exact, 0);
  const double exact = std::exp(-std::sin(10));
  EXPECT_NEAR(y[0], exact, 1e-7);
  EXPECT_NEAR(y[1], 1 / exact, 1e-7);
}

// The second derivative of an iteration may be off by any factor. Steps with such slopes stay where
// they are, and find no error in it.
bool wrong_jacobian(void*, double, const double*, double* dfdy, double* dfdt) {
  *dfdy = -1e12;
  *dfdt = 0;
  return true;
}

TEST(Rodas5p, HoldsADoubtfulJacobianAgainstADifference) {
  OdeSystem decay = {.n = 1, .rhs = [](void*, double, const double* y, double* f) {
                       f[0] = -y[0];
                       return true;
                     }};
  decay.jacobian = wrong_jacobian;
  decay.jacobian_is_doubtful = true;
  Rodas5p stepper(decay);
  std::array<double, 1> y = {1};
  const auto result =
      integrate_adaptive(stepper, 0, 3, y, {.tolerances = {.relative = 1e-8, .absolute = 1e-8}});
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_NEAR(y[0], std::exp(-3), 1e-6);
}

// Robertson's kinetics; reference at t = 1e11 from the IVP test set (Mazzia and Magherini,
// release 2.4).
bool robertson_rhs(void*, double, const double* y, double* f) {
  f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  f[2] = 3e7 * y[1] * y[1];
  f[1] = -f[0] - f[2];
  return true;
}

TEST(Rodas5p, CrossesElevenDecadesOfRobertson) {
  Rodas5p stepper({.n = 3, .rhs = robertson_rhs});
  std::array<double, 3> y = {1, 0, 0};
  const auto result = integrate_adaptive(stepper, 0, 1e11, y,
                                         {.tolerances = {.relative = 1e-8, .absolute = 1e-14}});
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_LT(result.statistics.steps, 1200u);
  EXPECT_NEAR(y[0] / 0.2083340149701255e-7, 1, 1e-5);
  EXPECT_NEAR(y[1] / 0.8333360770334713e-13, 1, 1e-5);
  EXPECT_NEAR(y[2] / 0.9999999791665050, 1, 1e-9);
}

// Second route: the differences give the same run as the exact Jacobian, to what they can resolve.
TEST(Rodas5p, DifferencesAgreeWithTheExactJacobian) {
  OdeSystem by_differences = dae;
  by_differences.jacobian = nullptr;
  Rodas5p exact(dae), approximate(by_differences);
  std::array<double, 2> a = {1, 1}, b = {1, 1};
  ASSERT_EQ(integrate_adaptive(exact, 0, 5, a).outcome, Outcome::done);
  ASSERT_EQ(integrate_adaptive(approximate, 0, 5, b).outcome, Outcome::done);
  EXPECT_NEAR(a[0], b[0], 1e-6);
  EXPECT_NEAR(a[1], b[1], 1e-6);
}

}  // namespace
}  // namespace alembert::integrate
