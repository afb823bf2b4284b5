// SPDX-License-Identifier: Apache-2.0
// What implicit methods have in common: mass matrices, stiffness, sparse matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "integrate/ivp_system.hpp"

namespace alembert::integrate {
namespace {

std::string name_of(const testing::TestParamInfo<const MethodInfo*>& info) {
  return std::string(info.param->name);
}

class TakesMass : public testing::TestWithParam<const MethodInfo*> {};
class Stiff : public TakesMass {};  // implicit methods with error control, CVODE among them

auto methods_with(bool (*wanted)(const MethodInfo&)) {
  std::vector<const MethodInfo*> list;
  for (const MethodInfo* method : all_methods())
    if (method->step_choice != StepChoice::fixed && wanted(*method)) list.push_back(method);
  return testing::ValuesIn(list);
}
INSTANTIATE_TEST_SUITE_P(Methods, TakesMass,
                         methods_with([](const MethodInfo& method) { return method.takes_mass; }),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Methods, Stiff, methods_with([](const MethodInfo& method) {
                           return method.takes_mass || method.name == "cvode";
                         }),
                         name_of);

AdaptiveOptions to_tolerance(double relative, double absolute) {
  return {.tolerances = {.relative = relative, .absolute = absolute}};
}

// y = exp(-sin t), z = 1/y solves y' = -z y^2 cos(t), 0 = z - 1/y - y + exp(-sin t); both rows are
// mixed, so that M is neither diagonal nor regular: M = [1 0; 2 0].
bool mixed_rhs(void*, double t, const double* y, double* f) {
  const double slope = -y[1] * y[0] * y[0] * std::cos(t);
  f[0] = slope;
  f[1] = 2 * slope + y[1] - 1 / y[0] - y[0] + std::exp(-std::sin(t));
  return true;
}
constexpr double mixed_mass[] = {1, 2, 0, 0};

TEST_P(TakesMass, SolvesAnIndexOneSystemWithAMassMatrixThatIsNotDiagonal) {
  const auto stepper =
      make_stepper(GetParam()->name, {.n = 2, .rhs = mixed_rhs, .mass = mixed_mass});
  std::array<double, 2> y = {1, 1};
  const auto result = integrate_adaptive(*stepper, 0, 10, y, to_tolerance(1e-8, 1e-8));
  ASSERT_EQ(result.outcome, Outcome::done);
  const double exact = std::exp(-std::sin(10));
  EXPECT_NEAR(y[0], exact, 2e-6);
  EXPECT_NEAR(y[1], 1 / exact, 2e-6);
}

// With a fixed step: order 2 in both unknowns, and dense output through the mass matrix.
TEST(FixedStepMass, KeepsItsOrderOnAnIndexOneSystem) {
  for (const char* name : {"bdf2", "trapezoidal", "midpoint"}) {
    const auto error_with = [&](int n) {
      const auto stepper = make_stepper(name, {.n = 2, .rhs = mixed_rhs, .mass = mixed_mass});
      std::array<double, 2> y = {1, 1};
      double largest = 0;
      const auto observer = [&](AcceptedStep& step) {
        std::array<double, 2> at;
        const double t = 0.5 * (step.t_old + step.t);
        EXPECT_TRUE(step.interpolate(t, at));
        const double exact = std::exp(-std::sin(t));
        largest = std::max({largest, std::abs(at[0] - exact), std::abs(at[1] - 1 / exact)});
        return ObserverAction::go_on;
      };
      AdaptiveOptions options = to_tolerance(1e-10, 1e-10);
      options.first_step = 4.0 / n;
      EXPECT_EQ(integrate_adaptive(*stepper, 0, 4, y, options, observer).outcome, Outcome::done);
      return largest;
    };
    EXPECT_NEAR(std::log2(error_with(200) / error_with(400)), 2, 0.2) << name;
  }
}

// A fixed step cannot be shortened where the Jacobian of its start is far from those along it: with
// that one alone the iteration ends after three of these steps.
// What an iteration leaves open must not pass for error: IDA took 4368 steps of order 2 here.
TEST_P(TakesMass, StepsGrowWithTheToleranceOnly) {
  const auto akzo = std::ranges::find_if(ivp_problems, [](const ivp_problem& problem) {
    return std::string_view(problem.name) == "chemical akzo";
  });
  const auto steps_at = [&](double relative) {
    const auto stepper = make_stepper(GetParam()->name, system_of(*akzo));
    std::vector<double> y(akzo->start, akzo->start + akzo->n);
    const auto result = integrate_adaptive(*stepper, 0, akzo->t_end, y,
                                           to_tolerance(relative, relative * akzo->absolute));
    EXPECT_EQ(result.outcome, Outcome::done);
    return result.statistics.steps;
  };
  EXPECT_LT(steps_at(1e-7), 2 * steps_at(1e-6));
}

TEST(FixedStepStiff, GoesOnWhereTheJacobianOfTheStartIsTooFarOff) {
  const ivp_problem& hires = ivp_problems[0];
  for (const char* name : {"implicit-euler", "bdf2", "trapezoidal", "midpoint"}) {
    const auto stepper = make_stepper(name, system_of(hires));
    std::vector<double> y(hires.start, hires.start + hires.n);
    AdaptiveOptions options = to_tolerance(1e-6, 1e-9);
    options.first_step = 0.1;
    ASSERT_EQ(integrate_adaptive(*stepper, 0, 300, y, options).outcome, Outcome::done) << name;
    EXPECT_NEAR(y[6] + y[7], 0.0057, 1e-8) << name;  // an invariant of the equations
  }
}

TEST_P(TakesMass, ASingularPencilIsNoSolution) {
  static constexpr double no_mass[] = {0};
  const OdeSystem singular = {.n = 1,
                              .rhs =
                                  [](void*, double, const double*, double* f) {
                                    f[0] = 1;  // 0 = 1: no unknown in it
                                    return true;
                                  },
                              .mass = no_mass};
  const auto stepper = make_stepper(GetParam()->name, singular);
  std::array<double, 1> y = {0};
  EXPECT_NE(integrate_adaptive(*stepper, 0, 1, y).outcome, Outcome::done);
}

// A stiff linear problem must not be resolved on its fast scale once that has died out.
TEST_P(Stiff, TakesLargeStepsPastATransient) {
  const OdeSystem stiff = {.n = 1, .rhs = [](void*, double t, const double* y, double* f) {
                             f[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
                             return true;
                           }};
  const auto stepper = make_stepper(GetParam()->name, stiff);
  std::array<double, 1> y = {2};
  const auto result = integrate_adaptive(*stepper, 0, 10, y);
  ASSERT_EQ(result.outcome, Outcome::done);
  EXPECT_NEAR(y[0], std::cos(10), 1e-4);
  EXPECT_LT(result.statistics.steps, 300u);
}

// Heat in a rod with a source that depends on the temperature, 3 places a row. The mass is that of
// linear elements where it is asked for.
struct Rod {
  static constexpr std::uint32_t n = 100;
  std::vector<std::uint32_t> column_start = {0}, row;
  std::vector<double> mass_entries, mass_dense = std::vector<double>(n * n, 0.0);

  Rod() {
    for (std::uint32_t j = 0; j < n; ++j) {
      for (std::uint32_t i = j == 0 ? 0 : j - 1; i <= std::min(j + 1, n - 1); ++i) {
        row.push_back(i);
        mass_entries.push_back(i == j ? 2.0 / 3 : 1.0 / 6);
        mass_dense[j * n + i] = mass_entries.back();
      }
      column_start.push_back(static_cast<std::uint32_t>(row.size()));
    }
  }
  static bool rhs(void*, double t, const double* y, double* f) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double left = i == 0 ? std::sin(t) : y[i - 1], right = i + 1 == n ? 0 : y[i + 1];
      f[i] = 400 * (left - 2 * y[i] + right) + y[i] * (1 - y[i]);
    }
    return true;
  }
  static bool sparse_jacobian(void*, double t, const double* y, double* dfdy, double* dfdt) {
    std::size_t e = 0;
    for (std::uint32_t j = 0; j < n; ++j)
      for (std::uint32_t i = j == 0 ? 0 : j - 1; i <= std::min(j + 1, n - 1); ++i)
        dfdy[e++] = i == j ? -800 + 1 - 2 * y[i] : 400;
    std::fill_n(dfdt, n, 0.0);
    dfdt[0] = 400 * std::cos(t);
    return true;
  }

  OdeSystem system(bool sparse, bool exact, bool with_mass) const {
    OdeSystem s{.n = n, .rhs = rhs};
    if (sparse) s.jacobian_pattern = {column_start, row};
    if (exact) s.jacobian = sparse_jacobian;
    if (with_mass) s.mass = sparse ? mass_entries.data() : mass_dense.data();
    if (with_mass && sparse) s.mass_pattern = {column_start, row};
    return s;
  }
};

TEST_P(Stiff, SparseAndDenseMatricesGiveTheSameRun) {
  const Rod rod;
  for (const bool with_mass : {false, true}) {
    if (with_mass && !GetParam()->takes_mass) continue;
    std::vector<std::vector<double>> ends;
    std::vector<std::uint64_t> calls, jacobians;
    for (const auto& system :
         {rod.system(false, false, with_mass), rod.system(true, false, with_mass),
          rod.system(true, true, with_mass)}) {
      const auto stepper = make_stepper(GetParam()->name, system);
      std::vector<double> y(Rod::n, 0.5);
      const auto result = integrate_adaptive(*stepper, 0, 1, y, to_tolerance(1e-7, 1e-9));
      ASSERT_EQ(result.outcome, Outcome::done);
      calls.push_back(result.statistics.rhs_calls);
      jacobians.push_back(result.statistics.jacobian_calls);
      ends.push_back(y);
    }
    for (std::uint32_t i = 0; i < Rod::n; ++i) {
      EXPECT_NEAR(ends[1][i], ends[0][i], 2e-6);
      EXPECT_NEAR(ends[2][i], ends[0][i], 2e-6);
    }
    // Three groups of columns in place of a hundred columns; steps may differ a little.
    EXPECT_LT(calls[1] + 50 * jacobians[0], calls[0]);
    EXPECT_LT(calls[2], calls[1]);
  }
}

}  // namespace
}  // namespace alembert::integrate
