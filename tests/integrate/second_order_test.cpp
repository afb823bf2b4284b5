// SPDX-License-Identifier: Apache-2.0
// Methods for systems of positions and velocities. The discrete results of semi-implicit Euler and
// of Verlet's method are those of the validation problems SY01 to SY03, computed in quadruple
// precision.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/tableaus/compositions.hpp"
#include "integrate/allocation_count.hpp"

namespace alembert::integrate {
namespace {

// H = p^2 / 2 - cos q; states [q, p].
constexpr std::uint32_t pendulum_velocities[] = {1, 2};
constexpr OdeSystem pendulum = {.n = 2,
                                .rhs =
                                    [](void*, double, const double* y, double* f) {
                                      f[0] = y[1];
                                      f[1] = -std::sin(y[0]);
                                      return true;
                                    },
                                .velocity_of = pendulum_velocities};
double pendulum_energy(std::span<const double> y) { return 0.5 * y[1] * y[1] - std::cos(y[0]); }

// H = |p|^2 / 2 - 1 / |q|; states [p1, q1, p2, q2], in an order of no help.
constexpr std::uint32_t kepler_velocities[] = {4, 0, 4, 2};
constexpr OdeSystem kepler = {.n = 4,
                              .rhs =
                                  [](void*, double, const double* y, double* f) {
                                    const double r = std::hypot(y[1], y[3]);
                                    f[0] = -y[1] / (r * r * r);
                                    f[1] = y[0];
                                    f[2] = -y[3] / (r * r * r);
                                    f[3] = y[2];
                                    return true;
                                  },
                              .velocity_of = kepler_velocities};
constexpr std::array<double, 4> kepler_start = {0, 0.4, 2, 0};  // eccentricity 0.6, period 2 pi

class SecondOrder : public testing::TestWithParam<const MethodInfo*> {
 protected:
  std::unique_ptr<Stepper> made(const OdeSystem& system) const {
    return make_stepper(GetParam()->name, system);
  }
};
auto methods() {
  std::vector<const MethodInfo*> list;
  for (const MethodInfo* method : all_methods())
    if (method->needs_velocities) list.push_back(method);
  return testing::ValuesIn(list);
}
INSTANTIATE_TEST_SUITE_P(Methods, SecondOrder, methods(), [](const auto& info) {
  std::string name(info.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

struct Errors {
  double solution = 0, dense = 0;
};
/// Over a quarter of the orbit, of eccentricity 0.2: the exact motion by Kepler's equation.
std::array<double, 2> orbit(double t) {
  const double e = 0.2;
  double anomaly = t;
  for (int k = 0; k < 50; ++k)
    anomaly -= (anomaly - e * std::sin(anomaly) - t) / (1 - e * std::cos(anomaly));
  return {std::cos(anomaly) - e, std::sqrt(1 - e * e) * std::sin(anomaly)};
}
Errors errors_of(Stepper& stepper, int n) {
  Errors errors;
  const double h = 3.0 / n;
  const std::array<double, 4> y0 = {0, 0.8, std::sqrt(1.2 / 0.8), 0};
  EXPECT_TRUE(stepper.start(0, y0));
  const Tolerances tight = {.relative = 1e-12, .absolute = 1e-12};
  for (int step = 0; step < n; ++step) {
    EXPECT_TRUE(stepper.attempt(h, tight).finite);
    stepper.accept((step + 1) * h);
    const auto error_at = [](double t, std::span<const double> y) {
      const auto exact = orbit(t);
      return std::max(std::abs(y[1] - exact[0]), std::abs(y[3] - exact[1]));
    };
    errors.solution = std::max(errors.solution, error_at(stepper.t(), stepper.y()));
    std::array<double, 4> y;
    EXPECT_TRUE(stepper.interpolate(0.3, y));
    errors.dense = std::max(errors.dense, error_at((step + 0.3) * h, y));
  }
  return errors;
}

TEST_P(SecondOrder, ConvergesWithItsOrder) {
  const auto stepper = made(kepler);
  const int n = GetParam()->order >= 6 ? 12 : 128;
  EXPECT_NEAR(std::log2(errors_of(*stepper, n).solution / errors_of(*stepper, 2 * n).solution),
              GetParam()->order, 0.2);
}

TEST_P(SecondOrder, DenseOutputConvergesWithItsOrder) {
  const auto stepper = made(kepler);
  EXPECT_NEAR(std::log2(errors_of(*stepper, 64).dense / errors_of(*stepper, 128).dense),
              GetParam()->dense_order + 1, 0.25);
}

TEST_P(SecondOrder, EnergyDoesNotDrift) {
  const auto stepper = made(pendulum);
  std::array<double, 2> y = {2, 0};
  const double start = pendulum_energy(y);
  double early = 0, late = 0;
  const auto observer = [&](AcceptedStep& step) {
    double& largest = step.t < 50 ? early : late;
    largest = std::max(largest, std::abs(pendulum_energy(step.y) - start));
    return ObserverAction::go_on;
  };
  const auto result = integrate_adaptive(
      *stepper, 0, 2000, y, {.tolerances = {.relative = 1e-9, .absolute = 1e-9}, .first_step = 0.1},
      observer);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.steps, 20000u);
  // Rounding alone, over so many steps, is about 1e-13; Newmark keeps another energy, near to H.
  EXPECT_LT(late, 1.1 * early + 2e-12);
}

TEST_P(SecondOrder, DoesNotAllocateAndGoesBack) {
  const auto stepper = made(pendulum);
  std::array<double, 2> y = {1, 0.5};
  std::uint64_t at_first = 0, at_last = 0, steps = 0;
  const auto observer = [&](AcceptedStep& step) {
    std::array<double, 2> between;
    step.interpolate(0.5 * (step.t_old + step.t), between);
    at_last = allocation_count();
    if (steps++ == 0) at_first = at_last;
    return steps % 5 == 0 ? ObserverAction::state_changed : ObserverAction::go_on;
  };
  integrate_adaptive(*stepper, 0, 2, y, {.first_step = 0.01}, observer);
  EXPECT_GE(steps, 200u);
  EXPECT_EQ(at_last, at_first);
  integrate_adaptive(*stepper, 2, 0, y, {.first_step = 0.01});
  // All but the first are symmetric: back is the exact inverse.
  EXPECT_NEAR(y[0], 1, GetParam()->order == 1 ? 0.02 : 1e-9);
  EXPECT_NEAR(y[1], 0.5, GetParam()->order == 1 ? 0.02 : 1e-9);
}

TEST_P(SecondOrder, AMissingValueEndsTheRun) {
  const OdeSystem dying = {.n = 2,
                           .rhs =
                               [](void*, double, const double* y, double* f) {
                                 f[0] = y[1];
                                 f[1] = -1 - std::sqrt(y[0]);
                                 return true;
                               },
                           .velocity_of = pendulum_velocities};
  const auto stepper = made(dying);
  std::array<double, 2> y = {1, 0};
  const auto result = integrate_adaptive(*stepper, 0, 10, y);
  EXPECT_EQ(result.outcome, Outcome::non_finite);
  EXPECT_GE(y[0], 0);
  EXPECT_EQ(result.statistics.first_non_finite.component, 1u);
}

TEST_P(SecondOrder, RefusesAStateThatIsNeitherPositionNorVelocity) {
  static constexpr std::uint32_t velocity_of[] = {1, 3, 3};
  OdeSystem system = pendulum;
  system.n = 3;
  system.velocity_of = velocity_of;
  EXPECT_THROW(made(system), Error);
}

// Momenta of a body of mass 3, and a force and a drift that vary with time: q' = p/3 + cos t, p' =
// -12 q + sin 2t.
constexpr char oscillator_momenta[] = {0, 1};
constexpr OdeSystem driven = {.n = 2,
                              .rhs =
                                  [](void*, double t, const double* y, double* f) {
                                    f[0] = y[1] / 3 + std::cos(t);
                                    f[1] = -12 * y[0] + std::sin(2 * t);
                                    return true;
                                  },
                              .is_momentum = oscillator_momenta};

double driven_error(const char* method, int n) {
  std::array<double, 2> exact = {1, 0}, y = exact;
  const Tolerances tight = {.relative = 1e-14, .absolute = 1e-14};
  integrate_adaptive(*make_stepper("dop853", driven), 0, 2, exact, {.tolerances = tight});
  integrate_adaptive(*make_stepper(method, driven), 0, 2, y, {.first_step = 2.0 / n});
  return std::max(std::abs(y[0] - exact[0]), std::abs(y[1] - exact[1]));
}

TEST(Separable, CompositionsKeepTheirOrderWithMomentaAndTime) {
  const auto order = [](const char* method, int n) {
    return std::log2(driven_error(method, n) / driven_error(method, 2 * n));
  };
  EXPECT_NEAR(order("verlet", 100), 2, 0.2);
  EXPECT_NEAR(order("symplectic4", 40), 4, 0.2);
  EXPECT_NEAR(order("symplectic6", 10), 6, 0.2);
  EXPECT_NEAR(order("symplectic8", 8), 8, 0.2);
}

struct AutoRun {
  AdaptiveResult result;
  double drift_early = 0, drift_late = 0;  // of the energy
};
AutoRun auto_pendulum(double angle, double t_end, double tolerance, bool separable) {
  OdeSystem system = pendulum;
  if (separable) system.is_momentum = oscillator_momenta;
  std::array<double, 2> y = {angle, 0};
  const double start = pendulum_energy(y);
  AutoRun run;
  const auto observer = [&](AcceptedStep& step) {
    double& largest = step.t < 0.1 * t_end ? run.drift_early : run.drift_late;
    largest = std::max(largest, std::abs(pendulum_energy(step.y) - start));
    return ObserverAction::go_on;
  };
  run.result =
      integrate_adaptive(*make_stepper("auto", system), 0, t_end, y,
                         {.tolerances = {.relative = tolerance, .absolute = tolerance}}, observer);
  return run;
}

// At the tolerances of users, over a thousand swings: the energy stays where it was, where the
// explicit pair loses it little by little.
TEST(Separable, AutoTakesSymplecticStepsAndKeepsTheEnergy) {
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    const AutoRun symplectic = auto_pendulum(1, 7000, tolerance, true);
    const AutoRun plain = auto_pendulum(1, 7000, tolerance, false);
    EXPECT_EQ(symplectic.result.statistics.method, "symplectic8") << tolerance;
    // Once, when the explicit pair has shown that the system is not stiff.
    EXPECT_EQ(symplectic.result.statistics.method_changes, 1u) << tolerance;
    EXPECT_LT(symplectic.drift_late, 1.5 * symplectic.drift_early + 1e-12) << tolerance;
    EXPECT_LT(symplectic.drift_late, 0.1 * plain.drift_late) << tolerance;
  }
}

// A stiff spring that hardly moves is separable, too: symplectic steps would be as short as its
// period.
TEST(Separable, AutoTakesStiffSystemsForStiff) {
  const OdeSystem spring = {.n = 2,
                            .rhs =
                                [](void*, double t, const double* y, double* f) {
                                  f[0] = y[1];
                                  f[1] = -1e10 * (y[0] - std::sin(t));
                                  return true;
                                },
                            .is_momentum = oscillator_momenta};
  std::array<double, 2> y = {0, 1};
  const AdaptiveResult result =
      integrate_adaptive(*make_stepper("auto", spring), 0, 20, y,
                         {.tolerances = {.relative = 1e-6, .absolute = 1e-6}});
  EXPECT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method, "rodas5p");
  EXPECT_LT(result.statistics.steps, 10000u);
  EXPECT_NEAR(y[0], std::sin(20.0), 1e-5);
}

// An orbit of eccentricity 0.9 wants short steps at one end and long ones at the other.
TEST(Separable, AutoGoesOverToVariableStepsWhereEqualOnesDoNotFit) {
  OdeSystem system = kepler;
  constexpr char momenta[] = {1, 0, 1, 0};
  system.is_momentum = momenta;
  std::array<double, 4> y = {0, 0.1, std::sqrt(19.0), 0};
  const auto stepper = make_stepper("auto", system);
  const AdaptiveResult result =
      integrate_adaptive(*stepper, 0, 20 * 3.14159265358979324, y,
                         {.tolerances = {.relative = 1e-9, .absolute = 1e-9}});
  EXPECT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.statistics.method, "dop853");
  EXPECT_NEAR(y[1], 0.1, 1e-4);
  EXPECT_NEAR(y[3], 0, 1e-4);
}

// Values between steps are as good as those at their ends, also right after the start.
TEST(Separable, DenseOutputOfSymplecticStepsIsAsGoodAsTheSteps) {
  OdeSystem system = driven;
  const Tolerances tolerances = {.relative = 1e-8, .absolute = 1e-8};
  std::array<double, 2> y = {1, 0}, between{}, exact{};
  double at_ends = 0, inside = 0;
  std::uint64_t at_first = 0, at_last = 0;
  const auto error_at = [&](double t, std::span<const double> values) {
    exact = {1, 0};
    integrate_adaptive(*make_stepper("dop853", driven), 0, t, exact,
                       {.tolerances = {.relative = 1e-13, .absolute = 1e-13}});
    return std::max(std::abs(values[0] - exact[0]), std::abs(values[1] - exact[1]));
  };
  const auto observer = [&](AcceptedStep& step) {
    at_ends = std::max(at_ends, error_at(step.t, step.y));
    for (const double part : {0.1, 0.3, 0.8}) {
      const std::uint64_t before = allocation_count();
      step.interpolate(step.t_old + part * (step.t - step.t_old), between);
      at_last += allocation_count() - before;
      inside = std::max(inside, error_at(step.t_old + part * (step.t - step.t_old), between));
    }
    return ObserverAction::go_on;
  };
  integrate_adaptive(*make_stepper("auto", system), 0, 30, y, {.tolerances = tolerances}, observer);
  EXPECT_EQ(at_last, at_first);
  EXPECT_LT(at_ends, 1e-6);
  EXPECT_LT(inside, 10 * at_ends + 1e-9);
}

std::array<double, 2> pendulum_after_1000_steps(const char* method) {
  std::array<double, 2> y = {2, 0};
  const auto stepper = make_stepper(method, pendulum);
  EXPECT_TRUE(stepper->start(0, y));
  for (int k = 1; k <= 1000; ++k) {
    EXPECT_TRUE(stepper->attempt(0.1, {}).finite);
    stepper->accept(0.1 * k);
  }
  return {stepper->y()[0], stepper->y()[1]};
}

TEST(SecondOrderReference, SemiImplicitEulerGivesTheDigitsOfSY01) {
  const auto y = pendulum_after_1000_steps("semi-implicit-euler");
  EXPECT_NEAR(y[0], 1.98884388170300, 1e-10);
  EXPECT_NEAR(y[1], 0.195452692013784, 1e-10);
}

TEST(SecondOrderReference, VerletGivesTheDigitsOfSY02) {
  const auto y = pendulum_after_1000_steps("verlet");
  EXPECT_NEAR(y[0], 1.98578469807667, 1e-10);
  EXPECT_NEAR(y[1], 0.161125485749310, 1e-10);
}

TEST(SecondOrderReference, VerletGivesTheDigitsOfSY03) {
  std::array<double, 4> y = kepler_start;
  double energy_error = 0;
  const auto observer = [&](AcceptedStep& step) {
    const auto& s = step.y;
    const double energy = 0.5 * (s[0] * s[0] + s[2] * s[2]) - 1 / std::hypot(s[1], s[3]);
    energy_error = std::max(energy_error, std::abs(energy + 0.5));
    return ObserverAction::go_on;
  };
  integrate_adaptive(*make_stepper("verlet", kepler), 0, 100, y, {.first_step = 0.01}, observer);
  EXPECT_NEAR(y[1], -0.242394385013885, 1e-9);
  EXPECT_NEAR(y[3], -0.742460166217016, 1e-9);
  EXPECT_NEAR(y[0], 1.19584969672085, 1e-9);
  EXPECT_NEAR(y[2], 0.362511551548110, 1e-9);
  EXPECT_NEAR(energy_error, 0.000370680664312741, 1e-9);
}

// Sums of powers of the weights, which every symmetric composition of that order must have.
TEST(Compositions, WeightsMeetTheirSums) {
  const auto sum_of_powers = [](std::span<const double> half, int power) {
    double sum = std::pow(half.back(), power);
    for (std::size_t i = 0; i + 1 < half.size(); ++i) sum += 2 * std::pow(half[i], power);
    return sum;
  };
  const auto check = [&](std::span<const double> half, int order) {
    EXPECT_NEAR(sum_of_powers(half, 1), 1, 1e-15);
    for (int power = 3; power < order; power += 2)
      EXPECT_NEAR(sum_of_powers(half, power), 0, 1e-15) << order;
    EXPECT_GT(std::abs(sum_of_powers(half, order + 1)), 1e-6);
  };
  check(tableaus::verlet, 2);
  check(tableaus::composition4, 4);
  check(tableaus::composition6, 6);
  check(tableaus::composition8, 8);
}

}  // namespace
}  // namespace alembert::integrate
