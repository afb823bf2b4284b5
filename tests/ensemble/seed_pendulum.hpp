// SPDX-License-Identifier: Apache-2.0
// The double pendulum that is run a thousand at once: masses 1 and 2 on rods of 0.8 and 1.2, y
// upwards, Baumgarte's omega 4; its start values; and the step as one would write it first, with a
// dense elimination of the 6 by 6 system. For tests and benchmarks.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "alembert/ensemble/ode_tape.hpp"
#include "alembert/ensemble/point_sets.hpp"
#include "alembert/frontend/mechanics/constrained_system.hpp"

namespace seed {

inline constexpr double m1 = 1, m2 = 2, l1 = 0.8, l2 = 1.2, g = 9.81, dt = 1.0 / 50;

struct Pendulum {
  alembert::builder::Model model{"DoublePendulum"};
  alembert::mechanics::ConstrainedMotion motion;

  explicit Pendulum(double omega = 4) {
    using alembert::symbolic::Expr;
    for (const char* name : {"x1", "y1", "x2", "y2"}) motion.q.push_back(model.unknown(name));
    for (const char* name : {"vx1", "vy1", "vx2", "vy2"}) motion.v.push_back(model.unknown(name));
    const Expr a = m1, b = m2;
    motion.mass = alembert::symbolic::Matrix::diagonal({a, a, b, b});
    motion.h = {0, m1 * Expr(g), 0, m2 * Expr(g)};
    const auto& [x1, y1, x2, y2] = std::tie(motion.q[0], motion.q[1], motion.q[2], motion.q[3]);
    motion.phi = {x1 * x1 + y1 * y1 - l1 * l1,
                  (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) - l2 * l2};
    motion.omega = omega;
  }

  alembert::ensemble::ConstrainedSystem system() {
    const alembert::mechanics::KktSystem kkt = alembert::mechanics::assemble_kkt(motion);
    return alembert::ensemble::constrained_system(model.pool(), motion.q, motion.v, {}, kkt.matrix,
                                                  kkt.right);
  }
};

/// [8][n]: x1 within 10 % of the first rod's length, x2 - x1 of the second's, all at rest on a
/// level.
inline std::vector<double> start_states(std::uint64_t n) {
  std::vector<double> y(8 * n, 0.0);
  for (std::uint64_t s = 0; s < n; ++s) {
    y[s] = l1 * (0.9 + 0.2 * alembert::ensemble::uniform_number(0, 0, s));
    y[2 * n + s] = y[s] + l2 * (0.9 + 0.2 * alembert::ensemble::uniform_number(0, 1, s));
  }
  return y;
}

using State = std::array<double, 8>;  // q, v

/// a x = b by elimination with partial pivoting; x is left in b.
template <std::size_t n>
void solve_dense(std::array<std::array<double, n>, n>& a, std::array<double, n>& b) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
    std::swap(a[k], a[p]);
    std::swap(b[k], b[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double l = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= l * a[k][j];
      b[i] -= l * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

/// Accelerations as in the text: the whole system, formed and solved.
inline std::array<double, 4> accelerations(const State& y, double omega) {
  const double x1 = y[0], y1 = y[1], dx = y[2] - y[0], dy = y[3] - y[1];
  const double dvx = y[6] - y[4], dvy = y[7] - y[5];
  const double j[2][4] = {{2 * x1, 2 * y1, 0, 0}, {-2 * dx, -2 * dy, 2 * dx, 2 * dy}};
  const double mass[4] = {m1, m1, m2, m2};
  std::array<std::array<double, 6>, 6> a{};
  std::array<double, 6> b{};
  for (std::size_t i = 0; i < 4; ++i) a[i][i] = mass[i];
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 2; ++k) a[i][4 + k] = a[4 + k][i] = j[k][i];
  b[1] = -m1 * g;
  b[3] = -m2 * g;
  const double phi[2] = {x1 * x1 + y1 * y1 - l1 * l1, dx * dx + dy * dy - l2 * l2};
  const double bias[2] = {2 * (y[4] * y[4] + y[5] * y[5]), 2 * (dvx * dvx + dvy * dvy)};
  for (std::size_t k = 0; k < 2; ++k) {
    double rate = 0;
    for (std::size_t i = 0; i < 4; ++i) rate += j[k][i] * y[4 + i];
    b[4 + k] = -bias[k] - omega * omega * phi[k] - 2 * omega * rate;
  }
  solve_dense(a, b);
  return {b[0], b[1], b[2], b[3]};
}

inline void plain_step(State& y, double h, double omega) {
  const auto acceleration = accelerations(y, omega);
  for (std::size_t i = 0; i < 4; ++i) y[4 + i] += h * acceleration[i];
  for (std::size_t i = 0; i < 4; ++i) y[i] += h * y[4 + i];
}

inline double energy(const State& y) {
  return 0.5 * m1 * (y[4] * y[4] + y[5] * y[5]) + 0.5 * m2 * (y[6] * y[6] + y[7] * y[7]) +
         m1 * g * y[1] + m2 * g * y[3];
}

/// How far the rods are from their lengths, the larger of the two: of phi.
inline double constraint_error(const State& y) {
  const double dx = y[2] - y[0], dy = y[3] - y[1];
  return std::max(std::abs(y[0] * y[0] + y[1] * y[1] - l1 * l1),
                  std::abs(dx * dx + dy * dy - l2 * l2));
}

}  // namespace seed
