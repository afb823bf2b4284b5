// SPDX-License-Identifier: Apache-2.0
// A state that does not move stays where it is to the last bit, within steps too: a comparison with
// the level it has reached must not change by rounding. And what rests up to rounding alone does so
// between the ends of long steps as well, where the dense output may be far less stable than the
// step.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/stepper.hpp"

namespace alembert::integrate {
namespace {

TEST(DenseRest, EveryMethodKeepsWhatDoesNotMove) {
  constexpr std::array<double, 4> rest = {0.3, -0.7, 1e-3, 123.456};
  OdeSystem system = {.n = 4, .rhs = [](void*, double, const double*, double* f) {
                        for (int i = 0; i < 4; ++i) f[i] = 0;
                        return true;
                      }};
  for (const MethodInfo* info : all_methods()) {
    if (info->needs_velocities || info->needs_separable) continue;
    // Their formulas weigh states of before, and round.
    if (info->name == "bdf2" || info->name == "implicit-euler") continue;
    const auto stepper = make_stepper(info->name, system);
    ASSERT_TRUE(stepper->start(1, rest)) << info->name;
    for (int step = 0; step < 5; ++step) {
      const Attempt attempt = stepper->attempt(0.1, {.relative = 1e-6, .absolute = 1e-6});
      ASSERT_TRUE(attempt.finite) << info->name;
      const double t = info->step_choice == StepChoice::own ? attempt.t_new : stepper->t() + 0.1;
      stepper->accept(t);
      for (const double theta : {0.1, 0.23, 0.5, 0.77, 0.9}) {
        std::array<double, 4> y{};
        ASSERT_TRUE(stepper->interpolate(theta, y)) << info->name;
        EXPECT_EQ(y, rest) << info->name << theta;
      }
    }
  }
}

/// y' = c - y at y = c up to rounding: steps grow as nothing moves, |h lambda| to 30 and more.
TEST(DenseRest, LongStepsDoNotRaiseRoundingBetweenTheirEnds) {
  constexpr double c = 0.9098931727111758;
  const auto fall = [](void*, double, const double* y, double* f) {
    f[0] = 3 * c / 3 - y[0];
    f[1] = 2 * (c - y[1]);
    return true;
  };
  for (const MethodInfo* info : all_methods()) {
    if (info->needs_velocities || info->needs_separable || info->step_choice == StepChoice::fixed)
      continue;
    for (const double tolerance : {1e-4, 1e-8}) {
      const auto stepper = make_stepper(info->name, {.n = 2, .rhs = fall});
      std::array<double, 2> y = {c * (1 + 3e-16), c * (1 - 2e-16)};
      double worst = 0;
      const auto look = [&](AcceptedStep& step) {
        for (double theta = 0.05; theta < 1; theta += 0.05) {
          std::array<double, 2> between{};
          EXPECT_TRUE(step.stepper.interpolate(theta, between));
          for (const double value : between) worst = std::max(worst, std::abs(value - c));
        }
        return ObserverAction::go_on;
      };
      const AdaptiveResult result =
          integrate_adaptive(*stepper, 0, 300, y,
                             {.tolerances = {.relative = tolerance, .absolute = tolerance}}, look);
      EXPECT_EQ(result.outcome, Outcome::done) << info->name;
      EXPECT_LT(worst, 10 * tolerance) << info->name;
    }
  }
}

/// y' = -1e6 (y - cos t) - sin t: y = cos t at the end of steps of any length, and the estimate of
/// the error is damped with the fast component. Dense output must not be worse than asked for.
TEST(DenseRest, AFastComponentFollowsASlowOneBetweenTheEndsOfSteps) {
  const auto follow = [](void*, double t, const double* y, double* f) {
    f[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  };
  for (const char* method : {"auto", "rodas5p", "rodas6p", "radau5", "cvode", "ida"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const auto stepper = make_stepper(method, {.n = 1, .rhs = follow});
      std::array<double, 1> y = {1};
      double worst = 0;
      const auto look = [&](AcceptedStep& step) {
        for (double theta = 0.05; theta < 1; theta += 0.05) {
          std::array<double, 1> between{};
          EXPECT_TRUE(step.stepper.interpolate(theta, between));
          const double t = step.t_old + theta * (step.t - step.t_old);
          worst = std::max(worst, std::abs(between[0] - std::cos(t)));
        }
        return ObserverAction::go_on;
      };
      const AdaptiveResult result = integrate_adaptive(
          *stepper, 0, 20, y, {.tolerances = {.relative = tolerance, .absolute = tolerance}}, look);
      EXPECT_EQ(result.outcome, Outcome::done) << method;
      EXPECT_LT(worst, 50 * tolerance) << method;
    }
}

}  // namespace
}  // namespace alembert::integrate
