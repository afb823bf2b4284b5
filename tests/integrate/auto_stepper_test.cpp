// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/auto_stepper.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "alembert/integrate/adaptive.hpp"

namespace alembert::integrate {
namespace {

bool van_der_pol(void* context, double, const double* y, double* f) {
  const double mu = *static_cast<const double*>(context);
  f[0] = y[1];
  f[1] = mu * (1 - y[0] * y[0]) * y[1] - y[0];
  return true;
}

AdaptiveResult run(const OdeSystem& system, double t_end, std::span<double> y,
                   double tolerance = 1e-6) {
  const auto stepper = make_stepper("auto", system);
  return integrate_adaptive(*stepper, 0, t_end, y,
                            {.tolerances = {.relative = tolerance, .absolute = tolerance}});
}

TEST(AutoStepper, StaysExplicitWhereNothingIsStiff) {
  double mu = 1;
  std::array<double, 2> y = {2, 0};
  const auto result = run({.n = 2, .rhs = van_der_pol, .context = &mu}, 100, y);
  EXPECT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method, "dop853");
  EXPECT_EQ(result.statistics.method_changes, 0u);
  EXPECT_EQ(result.statistics.jacobian_calls, 0u);
}

// Validation problem IVP17: mu = 1000 over a whole relaxation oscillation; the explicit method
// alone would need half a million steps.
TEST(AutoStepper, GoesImplicitOnVanDerPolAndIsRight) {
  double mu = 1000;
  std::array<double, 2> y = {2, 0};
  const auto result = run({.n = 2, .rhs = van_der_pol, .context = &mu}, 2000, y, 1e-8);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_GE(result.statistics.method_changes, 1u);
  EXPECT_LT(result.statistics.steps, 5000u);
  EXPECT_NEAR(y[0], 1.7061677321, 1e-4);
}

// The leap of a relaxation oscillation is not stiff: the implicit method would take shorter steps
// there than the explicit one. 441 steps without looking at that.
TEST(AutoStepper, GoesBackWhereImplicitStepsAreNoLonger) {
  double mu = 1000;
  std::array<double, 2> y = {2, 0};
  const auto result = run({.n = 2, .rhs = van_der_pol, .context = &mu}, 2000, y, 1e-6);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_GE(result.statistics.method_changes, 2u);
  EXPECT_LT(result.statistics.steps, 380u);
  EXPECT_NEAR(y[0], 1.7061677321, 1e-3);
}

// y' = -k(t) (y - cos t) - sin t, stiff for t < 10 only.
TEST(AutoStepper, ComesBackWhenTheStiffnessHasGone) {
  const OdeSystem system = {.n = 1, .rhs = [](void*, double t, const double* y, double* f) {
                              const double k = t < 10 ? 1e4 : 0.1;
                              f[0] = -k * (y[0] - std::cos(t)) - std::sin(t);
                              return true;
                            }};
  std::array<double, 1> y = {1};
  const auto result = run(system, 200, y);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method_changes, 2u);
  EXPECT_EQ(result.statistics.method, "dop853");
  EXPECT_NEAR(y[0], std::cos(200), 1e-4);
}

// A lag of 0.2 ms behind an oscillation, in much smaller units: it is not stiff where it passes
// through zero. Stability holds the explicit steps down a little, accuracy the implicit ones far
// more.
TEST(AutoStepper, IsNotMisledByPassagesThroughZero) {
  constexpr double omega = 314, k = 4500, units = 1000;
  const OdeSystem system = {.n = 3, .rhs = [](void*, double, const double* y, double* f) {
                              f[0] = omega * y[1];
                              f[1] = -omega * y[0];
                              f[2] = -k * (y[2] - units * y[0]);
                              return true;
                            }};
  const auto steps_by = [&](std::string_view method) {
    std::array<double, 3> y = {1, 0, 0};
    const auto result = integrate_adaptive(*make_stepper(method, system), 0, 10, y,
                                           {.tolerances = {.relative = 1e-7, .absolute = 1e-7}});
    EXPECT_EQ(result.outcome, Outcome::done);
    EXPECT_NEAR(y[0], std::cos(omega * 10), 1e-3) << method;
    return result.statistics.steps;
  };
  const auto explicit_steps = steps_by("dop853");
  EXPECT_GT(steps_by("rodas5p"), 2 * explicit_steps);
  EXPECT_LT(steps_by("auto"), explicit_steps * 11 / 10);
}

// Pressures of three volumes, joined by flows that are steep where the difference of pressures is
// small: less than the tolerance allows, so that stages of an explicit step lie where slopes are
// flat, and no two of them tell how stiff it is. Some 14000 steps, were it not for how short their
// way is. At the end what flows in flows out.
TEST(AutoStepper, SeesStiffnessThatHidesBelowTheTolerance) {
  const auto rate = [](double dp) { return 1e-2 * dp / std::pow(dp * dp + 1e-2, 0.25); };
  constexpr double inflow = 1e-3;
  OdeSystem system = {
      .n = 3, .rhs = [](void* context, double, const double* p, double* f) {
        const auto& out = *static_cast<decltype(rate)*>(context);
        const double flows[] = {inflow, out(p[0] - p[1]), out(p[1] - p[2]), out(p[2] - 1e5)};
        for (int i = 0; i < 3; ++i) f[i] = 1e6 * (flows[i] - flows[i + 1]);
        return true;
      }};
  system.context = const_cast<void*>(static_cast<const void*>(&rate));
  std::array<double, 3> p = {1e5, 1e5, 1e5};
  const auto result = run(system, 1, p);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_LT(result.statistics.steps, 200u);
  EXPECT_NEAR(rate(p[2] - 1e5), inflow, 1e-2 * inflow);
}

// y' = cos(t) - k (y - sin t), stiff; its Jacobian has no value for a while. Exact: y = sin(t).
bool stiff_slope(void*, double t, const double* y, double* f) {
  f[0] = std::cos(t) - 1e4 * (y[0] - std::sin(t));
  return true;
}
bool stiff_jacobian_with_a_hole(void*, double t, const double*, double* dfdy, double* dfdt) {
  dfdy[0] = -1e4;
  dfdt[0] = 1e4 * std::cos(t) - std::sin(t);
  return t < 9 || t > 10;
}

TEST(AutoStepper, StaysImplicitWhereDifferencesServeForTheJacobian) {
  const OdeSystem system = {.n = 1, .rhs = stiff_slope, .jacobian = stiff_jacobian_with_a_hole};
  std::array<double, 1> y = {0};
  const auto result = run(system, 12, y);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method_changes, 1u);
  EXPECT_LT(result.statistics.steps, 500u);
  EXPECT_NEAR(y[0], std::sin(12), 1e-5);
}

// The same where what is asked for in place of the Jacobian has no value either: an implicit method
// would end.
TEST(AutoStepper, GoesBackWhereTheJacobianHasNoValue) {
  int n_refused = 0;  // of all increments of the differences
  OdeSystem system = {.n = 1,
                      .rhs =
                          [](void* context, double t, const double* y, double* f) {
                            int& refused = *static_cast<int*>(context);
                            if (refused > 0) return --refused, false;
                            return stiff_slope(nullptr, t, y, f);
                          },
                      .context = &n_refused,
                      .jacobian =
                          [](void* context, double t, const double* y, double* dfdy, double* dfdt) {
                            const bool has_value =
                                stiff_jacobian_with_a_hole(nullptr, t, y, dfdy, dfdt);
                            *static_cast<int*>(context) = has_value ? 0 : 4;
                            return has_value;
                          }};
  std::array<double, 1> y = {0};
  const auto result = run(system, 12, y);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_GE(result.statistics.method_changes, 3u);
  EXPECT_LT(result.statistics.steps, 5000u);
  EXPECT_NEAR(y[0], std::sin(12), 1e-5);
}

TEST(AutoStepper, TakesCvodeForALargeSparseSystem) {
  constexpr std::uint32_t n = 1200;
  std::vector<std::uint32_t> column_start = {0}, row;
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = j == 0 ? 0 : j - 1; i <= std::min(j + 1, n - 1); ++i) row.push_back(i);
    column_start.push_back(static_cast<std::uint32_t>(row.size()));
  }
  const OdeSystem rod = {
      .n = n,
      .rhs =
          [](void*, double, const double* y, double* f) {
            for (std::uint32_t i = 0; i < n; ++i)
              f[i] = 1e7 * ((i == 0 ? 1 : y[i - 1]) - 2 * y[i] + (i + 1 == n ? 0 : y[i + 1]));
            return true;
          },
      .jacobian_pattern = {column_start, row}};
  std::vector<double> y(n, 0.0);
  const auto result = run(rod, 10, y);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method, "cvode");
  EXPECT_NEAR(y[n / 2], 1 - (n / 2 + 1.0) / (n + 1), 1e-4);  // the steady state is linear
}

TEST(AutoStepper, IsImplicitFromTheStartWithAMassMatrix) {
  static constexpr double mass[] = {1, 0, 0, 0};
  const OdeSystem dae = {.n = 2,
                         .rhs =
                             [](void*, double, const double* y, double* f) {
                               f[0] = -y[1];
                               f[1] = y[1] - y[0];
                               return true;
                             },
                         .mass = mass};
  std::array<double, 2> y = {1, 1};
  const auto result = run(dae, 2, y);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method, "rodas5p");
  EXPECT_NEAR(y[0], std::exp(-2), 1e-5);
}

}  // namespace
}  // namespace alembert::integrate
