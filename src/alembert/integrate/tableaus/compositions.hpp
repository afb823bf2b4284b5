// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Symmetric compositions of a symmetric method of order 2: steps w_1 h, w_2 h,
// ..., w_1 h one after the other. The first half with the middle is given. Hairer, Lubich and
// Wanner, Geometric Numerical Integration, V.3.2.
#pragma once

#include <array>

namespace alembert::integrate::tableaus {

inline constexpr std::array<double, 1> verlet = {1};

// M. Suzuki, Phys. Lett. A 146 (1990) 319: 1 / (4 - 4^(1/3)) twice, and what is left in the middle.
inline constexpr std::array<double, 3> composition4 = {
    0.41449077179437573714, 0.41449077179437573714, -0.65796308717750294857};

// W. Kahan and R.-C. Li, Math. Comp. 66 (1997) 1089: 9 stages, order 6.
inline constexpr std::array<double, 5> composition6 = {
    0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.08221359629355080023,
    0.79854399093482996340};

// W. Kahan and R.-C. Li, Math. Comp. 66 (1997) 1089: 17 stages, order 8.
inline constexpr std::array<double, 9> composition8 = {
    0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
    0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
    0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};

}  // namespace alembert::integrate::tableaus
