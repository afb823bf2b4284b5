// SPDX-License-Identifier: Apache-2.0
// One suite over all steppers, each through the same interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "integrate/allocation_count.hpp"

namespace alembert::integrate {
namespace {

constexpr double pi = 3.14159265358979323846;

// Around the unit circle at the speed 1 + cos(t) / 2: nonlinear, with time on the right.
// Exact from (1, 0) at 0: the angle is t + sin(t) / 2.
bool circling_rhs(void*, double t, const double* y, double* f) {
  const double speed = (1 + 0.5 * std::cos(t)) * (y[0] * y[0] + y[1] * y[1]);
  f[0] = -speed * y[1];
  f[1] = speed * y[0];
  return true;
}
bool circling_jacobian(void*, double t, const double* y, double* dfdy, double* dfdt) {
  const double w = 1 + 0.5 * std::cos(t), r2 = y[0] * y[0] + y[1] * y[1];
  dfdy[0] = -w * 2 * y[0] * y[1];
  dfdy[1] = w * (r2 + 2 * y[0] * y[0]);
  dfdy[2] = -w * (r2 + 2 * y[1] * y[1]);
  dfdy[3] = w * 2 * y[0] * y[1];
  dfdt[0] = 0.5 * std::sin(t) * r2 * y[1];
  dfdt[1] = -0.5 * std::sin(t) * r2 * y[0];
  return true;
}
constexpr OdeSystem circling = {.n = 2, .rhs = circling_rhs, .jacobian = circling_jacobian};
std::array<double, 2> circling_exact(double t) {
  const double angle = t + 0.5 * std::sin(t);
  return {std::cos(angle), std::sin(angle)};
}

bool oscillator_rhs(void*, double, const double* y, double* f) {
  f[0] = y[1];
  f[1] = -y[0];
  return true;
}
constexpr OdeSystem oscillator = {.n = 2, .rhs = oscillator_rhs};

class AnyStepper : public testing::TestWithParam<const MethodInfo*> {
 protected:
  std::unique_ptr<Stepper> made(const OdeSystem& system) const {
    return make_stepper(GetParam()->name, system);
  }
  double fixed_step_error(double h) const {
    return GetParam()->step_choice == StepChoice::fixed ? std::pow(h, GetParam()->order) : 0;
  }
  /// Backward differentiation damps oscillations, and its error adds up over many more steps.
  double global_error_factor() const {
    return GetParam()->step_choice == StepChoice::own ? 5000 : 500;
  }
};
class SteppedByHand : public AnyStepper {};  // methods that take the step they are told to take
class ErrorControlled : public AnyStepper {};

auto methods_with(bool (*wanted)(const MethodInfo&)) {
  std::vector<const MethodInfo*> list;
  for (const MethodInfo* method : all_methods())
    if (!method->needs_velocities && wanted(*method)) list.push_back(method);
  return testing::ValuesIn(list);
}
std::string name_of(const testing::TestParamInfo<const MethodInfo*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Methods, AnyStepper, methods_with([](const MethodInfo&) { return true; }),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Methods, SteppedByHand, methods_with([](const MethodInfo& method) {
                           return method.step_choice != StepChoice::own && method.name != "auto";
                         }),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Methods, ErrorControlled, methods_with([](const MethodInfo& method) {
                           return method.step_choice != StepChoice::fixed;
                         }),
                         name_of);

// Largest errors over [0, 4] in n equal steps: at the ends of the steps, and within them.
struct Errors {
  double solution = 0, dense = 0;
};
Errors errors_of(Stepper& stepper, int n) {
  Errors errors;
  const double h = 4.0 / n;
  const std::array<double, 2> y0 = circling_exact(0);
  EXPECT_TRUE(stepper.start(0, y0));
  const Tolerances tight = {.relative = 1e-12, .absolute = 1e-12};  // of inner iterations
  for (int step = 0; step < n; ++step) {
    EXPECT_TRUE(stepper.attempt(h, tight).finite);
    stepper.accept((step + 1) * h);
    const auto error_at = [&](double t, std::span<const double> y) {
      const auto exact = circling_exact(t);
      return std::max(std::abs(y[0] - exact[0]), std::abs(y[1] - exact[1]));
    };
    errors.solution = std::max(errors.solution, error_at(stepper.t(), stepper.y()));
    for (double theta : {0.2, 0.4, 0.6, 0.8}) {
      std::array<double, 2> y;
      EXPECT_TRUE(stepper.interpolate(theta, y));
      errors.dense = std::max(errors.dense, error_at((step + theta) * h, y));
    }
  }
  return errors;
}

// Slope of log error over log h, fitted over a range in which errors stay above rounding.
template <class ErrorAt>
double observed_order(ErrorAt error_at, std::vector<int> counts) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto m = static_cast<double>(counts.size());
  for (int n : counts) {
    const double x = -std::log(n), y = std::log(error_at(n));
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (m * sxy - sx * sy) / (m * sxx - sx * sx);
}

std::vector<int> step_counts(const MethodInfo& method) {
  if (method.order >= 8) return {20, 24, 28, 32, 40};
  if (method.name == "radau5") return {32, 40, 48, 64, 80};  // small errors: above rounding
  return {96, 128, 192, 256, 384};
}

TEST_P(SteppedByHand, SolutionConvergesWithItsOrder) {
  const auto owned_stepper = made(circling);
  Stepper& stepper = *owned_stepper;
  const double order = observed_order([&](int n) { return errors_of(stepper, n).solution; },
                                      step_counts(stepper.method()));
  EXPECT_NEAR(order, stepper.method().order, 0.2);
}

// The interpolant's own error goes with h^(dense_order + 1), seen over the solution's h^order.
TEST_P(SteppedByHand, DenseOutputConvergesWithItsOrder) {
  const auto owned_stepper = made(circling);
  Stepper& stepper = *owned_stepper;
  const double order = observed_order([&](int n) { return errors_of(stepper, n).dense; },
                                      step_counts(stepper.method()));
  EXPECT_NEAR(order, stepper.method().dense_order + 1, 0.2);
}

TEST_P(ErrorControlled, ErrorFollowsTheTolerance) {
  const auto owned_stepper = made(circling);
  Stepper& stepper = *owned_stepper;
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    std::array<double, 2> y = circling_exact(0);
    const AdaptiveResult result = integrate_adaptive(
        stepper, 0, 10, y, {.tolerances = {.relative = tolerance, .absolute = tolerance}});
    ASSERT_EQ(result.outcome, Outcome::done);
    EXPECT_EQ(result.t, 10);
    const auto exact = circling_exact(10);
    EXPECT_NEAR(y[0], exact[0], global_error_factor() * tolerance);
    EXPECT_NEAR(y[1], exact[1], global_error_factor() * tolerance);
  }
}

TEST_P(ErrorControlled, GoesBackToWhereItCameFrom) {
  const auto owned_stepper = made(oscillator);
  Stepper& stepper = *owned_stepper;
  const AdaptiveOptions options = {.tolerances = {.relative = 1e-10, .absolute = 1e-10}};
  std::array<double, 2> y = {1, 0};
  ASSERT_EQ(integrate_adaptive(stepper, 0, 2 * pi, y, options).outcome, Outcome::done);
  EXPECT_NEAR(y[0], 1, global_error_factor() * 1e-10);
  ASSERT_EQ(integrate_adaptive(stepper, 2 * pi, 0, y, options).outcome, Outcome::done);
  EXPECT_NEAR(y[0], 1, global_error_factor() * 1e-10);
  EXPECT_NEAR(y[1], 0, global_error_factor() * 1e-10);
}

TEST_P(AnyStepper, DenseOutputJoinsTheEndsOfItsStep) {
  const auto owned_stepper = made(oscillator);
  Stepper& stepper = *owned_stepper;
  std::array<double, 2> y = {1, 0};
  double largest = 0;
  const auto observer = [&](AcceptedStep& step) {
    std::array<double, 2> at;
    EXPECT_TRUE(step.interpolate(step.t_old, at));
    for (int i : {0, 1}) largest = std::max(largest, std::abs(at[i] - step.y_old[i]));
    EXPECT_TRUE(step.interpolate(step.t, at));
    for (int i : {0, 1}) largest = std::max(largest, std::abs(at[i] - step.y[i]));
    return ObserverAction::go_on;
  };
  integrate_adaptive(stepper, 0, 20, y, {}, observer);
  EXPECT_LT(largest, 1e3 * std::numeric_limits<double>::epsilon());
}

TEST_P(AnyStepper, DoesNotAllocateBetweenSteps) {
  const auto owned_stepper = made(circling);
  Stepper& stepper = *owned_stepper;
  std::array<double, 2> y = circling_exact(0);
  std::uint64_t at_first = 0, at_last = 0, steps = 0;
  const auto observer = [&](AcceptedStep& step) {
    std::array<double, 2> between;
    step.interpolate(0.5 * (step.t_old + step.t), between);
    at_last = allocation_count();
    if (steps++ == 0) at_first = at_last;
    return steps % 5 == 0 && steps < 50 ? ObserverAction::state_changed : ObserverAction::go_on;
  };
  integrate_adaptive(stepper, 0, 50, y, {.tolerances = {.relative = 1e-9, .absolute = 1e-9}},
                     observer);
  EXPECT_GT(steps, 20u);
  EXPECT_EQ(at_last, at_first);
}

// A rod of a hundred pieces, warm at one end: sparse, so that implicit methods factorise by KLU,
// and stiff enough for `auto` to change its method. What is made for the new method is made once.
struct Rod {
  static constexpr std::uint32_t n = 100;
  static constexpr double k = 25;
  std::vector<std::uint32_t> column_start = {0}, row;

  Rod() {
    for (std::uint32_t j = 0; j < n; ++j) {
      for (std::uint32_t i = j == 0 ? 0 : j - 1; i <= std::min(j + 1, n - 1); ++i) row.push_back(i);
      column_start.push_back(static_cast<std::uint32_t>(row.size()));
    }
  }
  static bool rhs(void*, double, const double* y, double* f) {
    for (std::uint32_t i = 0; i < n; ++i)
      f[i] = k * ((i == 0 ? 1 : y[i - 1]) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0));
    return true;
  }
  static bool jacobian(void*, double, const double*, double* entry, double* dfdt) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (j > 0) *entry++ = k;
      *entry++ = -2 * k;
      if (j + 1 < n) *entry++ = k;
    }
    std::fill_n(dfdt, n, 0.0);
    return true;
  }
  OdeSystem system() const {
    return {.n = n, .rhs = rhs, .jacobian = jacobian, .jacobian_pattern = {column_start, row}};
  }
};

TEST_P(AnyStepper, DoesNotAllocateOnASparseStiffSystemEither) {
  const Rod rod;
  const auto stepper = made(rod.system());
  std::vector<double> y(Rod::n, 0.0), between(Rod::n);
  std::uint64_t at_half = 0, at_last = 0, steps = 0;
  const auto observer = [&](AcceptedStep& step) {
    step.interpolate(0.5 * (step.t_old + step.t), between);
    at_last = allocation_count();
    if (step.t < 10) at_half = at_last;
    ++steps;
    return ObserverAction::go_on;
  };
  const auto result = integrate_adaptive(*stepper, 0, 20, y, {.first_step = 0.01}, observer);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_GT(steps, 20u);
  EXPECT_EQ(at_last, at_half);
  EXPECT_NEAR(y[0], 0.97, 0.03);
}

TEST_P(AnyStepper, SameRunGivesTheSameBits) {
  std::array<double, 2> first = circling_exact(0), second = first;
  const auto a = made(circling), b = made(circling);
  std::array<double, 2> other = {2, 3};
  integrate_adaptive(*b, 1, 2, other);  // what a stepper did before must not matter
  integrate_adaptive(*a, 0, 10, first);
  integrate_adaptive(*b, 0, 10, second);
  EXPECT_EQ(first, second);
}

TEST_P(AnyStepper, CountsItsWork) {
  struct Counter {
    std::uint64_t calls = 0;
  } counter;
  const OdeSystem counted = {.n = 1,
                             .rhs =
                                 [](void* context, double t, const double*, double* f) {
                                   ++static_cast<Counter*>(context)->calls;
                                   f[0] = std::cos(t);
                                   return true;
                                 },
                             .context = &counter};
  const auto owned_stepper = made(counted);
  Stepper& stepper = *owned_stepper;
  std::array<double, 1> y = {0};
  const Statistics statistics = integrate_adaptive(stepper, 0, 10, y).statistics;
  EXPECT_EQ(statistics.rhs_calls, counter.calls);
  EXPECT_GT(statistics.steps, 0u);
  EXPECT_NEAR(y[0], std::sin(10), GetParam()->order == 1 ? 0.02 : 1e-4);
}

TEST_P(AnyStepper, ObserverMayChangeTheState) {
  // y' = 1, thrown back by 1 whenever it passes 1: a saw-tooth that an unnoticed change would
  // spoil.
  const OdeSystem rising = {.n = 1, .rhs = [](void*, double, const double*, double* f) {
                              f[0] = 1;
                              return true;
                            }};
  const auto owned_stepper = made(rising);
  Stepper& stepper = *owned_stepper;
  std::array<double, 1> y = {0};
  double thrown_back = 0;
  const auto observer = [&](AcceptedStep& step) {
    if (step.y[0] < 1) return ObserverAction::go_on;
    step.y[0] -= 1;
    thrown_back += 1;
    return ObserverAction::state_changed;
  };
  const auto result = integrate_adaptive(stepper, 0, 10, y, {.max_step = 0.3}, observer);
  EXPECT_EQ(result.outcome, Outcome::done);
  EXPECT_GT(thrown_back, 5);
  EXPECT_NEAR(y[0] + thrown_back, 10, 1e-9);
}

TEST_P(ErrorControlled, TellsWhichStateLimitsTheStep) {
  // The second state moves a thousand times as fast as the first.
  const OdeSystem two_speeds = {.n = 2, .rhs = [](void*, double t, const double*, double* f) {
                                  f[0] = std::cos(t);
                                  f[1] = std::cos(1000 * t);
                                  return true;
                                }};
  const auto stepper = made(two_speeds);
  std::array<double, 2> y = {0, 0};
  const auto result = integrate_adaptive(*stepper, 0, 0.1, y);
  ASSERT_EQ(result.statistics.limited_by.size(), 2u);
  EXPECT_GT(result.statistics.limited_by[1], 10 * result.statistics.limited_by[0]);
}

TEST_P(AnyStepper, ObserverMayStop) {
  const auto owned_stepper = made(oscillator);
  Stepper& stepper = *owned_stepper;
  std::array<double, 2> y = {1, 0};
  const auto observer = [](AcceptedStep& step) {
    return step.t > 1 ? ObserverAction::stop : ObserverAction::go_on;
  };
  const auto result = integrate_adaptive(stepper, 0, 10, y, {.max_step = 0.1}, observer);
  EXPECT_EQ(result.outcome, Outcome::stopped);
  EXPECT_GT(result.t, 1);
  EXPECT_LE(result.t, 1.1 + 1e-12);
  EXPECT_NEAR(y[0], std::cos(result.t), 1e-5 + fixed_step_error(0.01));
}

TEST_P(ErrorControlled, ASingularityEndsWithStepTooSmall) {
  const OdeSystem blow_up = {.n = 1, .rhs = [](void*, double, const double* y, double* f) {
                               f[0] = y[0] * y[0];  // y = 1 / (1 - t)
                               return true;
                             }};
  const auto owned_stepper = made(blow_up);
  Stepper& stepper = *owned_stepper;
  std::array<double, 1> y = {1};
  const auto result = integrate_adaptive(stepper, 0, 2, y);
  EXPECT_TRUE(result.outcome == Outcome::step_too_small || result.outcome == Outcome::non_finite);
  EXPECT_NEAR(result.t, 1, 1e-3);
  EXPECT_TRUE(std::isfinite(y[0]));
}

// y' = -1 / (2 sqrt(y)), y = (1 - 1.5 t)^(2/3): no value beyond t = 2/3, whether said by false or
// by nan.
TEST_P(ErrorControlled, ADomainEndIsNonFiniteAndTheStateStaysGood) {
  for (bool says_false : {false, true}) {
    bool flag = says_false;
    const OdeSystem dying = {.n = 1,
                             .rhs =
                                 [](void* context, double, const double* y, double* f) {
                                   if (y[0] < 0 && *static_cast<bool*>(context)) return false;
                                   f[0] = -1 / std::sqrt(y[0]);
                                   return true;
                                 },
                             .context = &flag};
    const auto owned_stepper = made(dying);
    Stepper& stepper = *owned_stepper;
    std::array<double, 1> y = {1};
    const auto result = integrate_adaptive(stepper, 0, 1, y);
    EXPECT_NE(result.outcome, Outcome::done);
    EXPECT_NEAR(result.t, 2.0 / 3, 1e-3);
    // A multistep method has f at states near the end of its step, not at the end.
    EXPECT_GE(y[0], GetParam()->step_choice == StepChoice::own ? -1e-6 : 0);
    ASSERT_TRUE(result.statistics.first_non_finite.seen);
    EXPECT_EQ(result.statistics.first_non_finite.component, says_false ? no_component : 0);
    EXPECT_NEAR(result.statistics.first_non_finite.t, 2.0 / 3, 0.2);
  }
}

TEST_P(AnyStepper, ABadStartIsNonFiniteAtOnce) {
  const auto owned_stepper = made(oscillator);
  Stepper& stepper = *owned_stepper;
  std::array<double, 2> y = {std::numeric_limits<double>::quiet_NaN(), 0};
  const auto result = integrate_adaptive(stepper, 3, 4, y);
  EXPECT_EQ(result.outcome, Outcome::non_finite);
  EXPECT_EQ(result.t, 3);
  EXPECT_EQ(result.statistics.steps, 0u);
}

TEST_P(AnyStepper, StopsAtTheLimitOfSteps) {
  const auto owned_stepper = made(oscillator);
  Stepper& stepper = *owned_stepper;
  std::array<double, 2> y = {1, 0};
  const auto result = integrate_adaptive(stepper, 0, 1e6, y, {.max_steps = 10});
  EXPECT_EQ(result.outcome, Outcome::too_many_steps);
  EXPECT_LE(result.statistics.steps, 10u);
  // A method that chooses its own steps may make several attempts at one.
  EXPECT_GE(result.statistics.steps + result.statistics.rejected, 10u);
}

TEST_P(AnyStepper, AnEmptySystemAndAnEmptySpanAreDone) {
  const OdeSystem nothing = {.n = 0,
                             .rhs = [](void*, double, const double*, double*) { return true; }};
  const auto owned_stepper = made(nothing);
  Stepper& stepper = *owned_stepper;
  EXPECT_EQ(integrate_adaptive(stepper, 0, 1, {}).outcome, Outcome::done);
  const auto owned_other = made(oscillator);
  Stepper& other = *owned_other;
  std::array<double, 2> y = {1, 0};
  EXPECT_EQ(integrate_adaptive(other, 1, 1, y).outcome, Outcome::done);
  EXPECT_EQ(y[0], 1);
}

TEST(MakeStepper, KnowsItsNamesAndNoOthers) {
  static constexpr std::uint32_t velocity_of[] = {1, 2};
  OdeSystem system = oscillator;
  system.velocity_of = velocity_of;
  for (const MethodInfo* method : all_methods()) {
    const auto stepper = make_stepper(method->name, system);
    ASSERT_NE(stepper, nullptr);
    EXPECT_EQ(stepper->method().name, method->name == "auto" ? "dop853" : method->name);
    EXPECT_EQ(find_method(method->name), method);
  }
  EXPECT_EQ(make_stepper("Euler ", oscillator), nullptr);
  EXPECT_EQ(find_method(""), nullptr);
}

TEST(MakeStepper, SaysWhatDoesNotFit) {
  static constexpr double mass[] = {2, 0, 0, 1};
  OdeSystem heavy = oscillator;
  heavy.mass = mass;
  for (const MethodInfo* method : all_methods()) {
    if (!method->takes_mass) {
      EXPECT_THROW(make_stepper(method->name, heavy), Error) << method->name;
    }
    if (method->needs_velocities) {
      EXPECT_THROW(make_stepper(method->name, oscillator), Error) << method->name;
    }
  }
}

}  // namespace
}  // namespace alembert::integrate
