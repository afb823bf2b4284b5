// SPDX-License-Identifier: Apache-2.0
// A state that does not move stays where it is to the last bit, within steps too: a comparison with
// the level it has reached must not change by rounding.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

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

}  // namespace
}  // namespace alembert::integrate
