// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/block_ladder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace alembert::integrate {
namespace {

constexpr std::array<double, 4> ones = {1, 1, 1, 1};
constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr std::array<double, 4> lower = {-unbounded, -unbounded, -unbounded, -unbounded};
constexpr std::array<double, 4> upper = {unbounded, unbounded, unbounded, unbounded};

// Two capacitances side by side carry a current: i1 = C1 d1, i2 = C2 d2, d1 = d2, i1 + i2 = I. With
// femtofarads the slopes d are 1e11 V/s; counted in units of 1 V/s nothing would determine them.
TEST(BlockLadder, SolvesWhatIsSingularOnlyByItsUnits) {
  constexpr double c1 = 1e-14, c2 = 3e-14, current = 4e-3;
  const auto evaluate = [&](std::span<const double> x, std::span<double> residuals,
                            std::span<double> jacobian) {
    const double rows[4][4] = {{1, 0, -c1, 0}, {0, 1, 0, -c2}, {0, 0, 1, -1}, {1, 1, 0, 0}};
    const double right[4] = {0, 0, 0, current};
    for (std::size_t i = 0; i < 4; ++i) {
      residuals[i] = -right[i];
      for (std::size_t j = 0; j < 4; ++j) {
        residuals[i] += rows[i][j] * x[j];
        jacobian[j * 4 + i] = rows[i][j];
      }
    }
    return true;
  };
  std::array<double, 4> x = {};
  const LadderResult result = solve_block({.n_rows = 4,
                                           .n_unknowns = 4,
                                           .evaluate = evaluate,
                                           .scale = ones,
                                           .lower = lower,
                                           .upper = upper},
                                          x);
  EXPECT_TRUE(result.solved);
  EXPECT_EQ(result.rung, Rung::newton);
  EXPECT_NEAR(x[0], 1e-3, 1e-12);
  EXPECT_NEAR(x[1], 3e-3, 1e-12);
  EXPECT_NEAR(x[2], 1e11, 1e2);
  EXPECT_NEAR(x[3], 1e11, 1e2);
}

// What nothing determines stays as it was guessed: x0 + x1 = 2 twice.
TEST(BlockLadder, LeavesWhatIsNotDeterminedWhereItWas) {
  const auto evaluate = [&](std::span<const double> x, std::span<double> residuals,
                            std::span<double> jacobian) {
    for (std::size_t i = 0; i < 2; ++i) {
      residuals[i] = x[0] + x[1] - 2;
      jacobian[i] = jacobian[2 + i] = 1;
    }
    return true;
  };
  std::array<double, 2> x = {5, 1};
  const LadderResult result = solve_block({.n_rows = 2,
                                           .n_unknowns = 2,
                                           .evaluate = evaluate,
                                           .scale = std::span(ones).first(2),
                                           .lower = std::span(lower).first(2),
                                           .upper = std::span(upper).first(2)},
                                          x);
  EXPECT_TRUE(result.solved);
  EXPECT_NEAR(x[0], 3, 1e-12);
  EXPECT_NEAR(x[1], -1, 1e-12);
}

}  // namespace
}  // namespace alembert::integrate
