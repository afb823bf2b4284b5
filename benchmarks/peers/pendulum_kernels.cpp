// SPDX-License-Identifier: Apache-2.0
#include "pendulum_kernels.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cstring>

namespace seed {

namespace {

constexpr double m1 = 1, m2 = 2, l1 = 0.8, l2 = 1.2, g = 9.81;
constexpr double w1 = 1 / m1, w2 = 1 / m2;

#if defined(__AVX512F__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));

/// One step of one group. The multipliers mu = -lambda / 2 of J / 2, by Cramer's rule:
/// S11 = (x1^2 + y1^2) / m1, S12 = -(x1 dx + y1 dy) / m1, S22 = (dx^2 + dy^2) (1 / m1 + 1 / m2).
template <class V>
inline __attribute__((always_inline)) void step(V* y, double h, double omega) {
  V x1 = y[0], y1 = y[1], x2 = y[2], y2 = y[3], u1 = y[4], v1 = y[5], u2 = y[6], v2 = y[7];
  const V dx = x2 - x1, dy = y2 - y1, du = u2 - u1, dv = v2 - v1;
  const V r1 = x1 * x1 + y1 * y1, r2 = dx * dx + dy * dy, c = x1 * dx + y1 * dy;
  // Half of the right sides, gravity's part brought over.
  const double o2 = 0.5 * omega * omega, o = 2 * omega;
  const V b1 = u1 * u1 + v1 * v1 + o2 * (r1 - l1 * l1) + o * (x1 * u1 + y1 * v1) - g * y1;
  const V b2 = du * du + dv * dv + o2 * (r2 - l2 * l2) + o * (dx * du + dy * dv);
  const V s11 = w1 * r1, s12 = -w1 * c, s22 = (w1 + w2) * r2;
  const V inverse = 1.0 / (s11 * s22 - s12 * s12);
  const V p1 = (b1 * s22 - b2 * s12) * inverse, p2 = (b2 * s11 - b1 * s12) * inverse;
  u1 += h * (w1 * (p2 * dx - p1 * x1));
  v1 += h * (w1 * (p2 * dy - p1 * y1) - g);
  u2 -= h * (w2 * (p2 * dx));
  v2 -= h * (w2 * (p2 * dy) + g);
  y[0] = x1 + h * u1;
  y[1] = y1 + h * v1;
  y[2] = x2 + h * u2;
  y[3] = y2 + h * v2;
  y[4] = u1;
  y[5] = v1;
  y[6] = u2;
  y[7] = v2;
}

}  // namespace

void soa_step(double* y, std::uint64_t n, double h, double omega) {
  double* __restrict a = y, * __restrict b = y + n, * __restrict c = y + 2 * n, * __restrict d = y + 3 * n, * __restrict e = y + 4 * n, * __restrict f = y + 5 * n, * __restrict p = y + 6 * n, * __restrict q = y + 7 * n;
#pragma GCC ivdep
  for (std::uint64_t s = 0; s < n; ++s) {
    double one[8] = {a[s], b[s], c[s], d[s], e[s], f[s], p[s], q[s]};
    step(one, h, omega);
    a[s] = one[0];
    b[s] = one[1];
    c[s] = one[2];
    d[s] = one[3];
    e[s] = one[4];
    f[s] = one[5];
    p[s] = one[6];
    q[s] = one[7];
  }
}

void tuned_steps(double* y, std::uint64_t n, double h, double omega, std::uint64_t n_steps,
                 double* trajectory) {
  // A block stays in the first cache; its groups are independent, so that one's divisions hide
  // behind the others.
  constexpr std::uint64_t most_groups = 32;
  std::uint64_t n_groups = most_groups;
  for (std::uint64_t s = 0; s < n; s += n_groups * lanes) {
    n_groups = std::min(most_groups, (n - s) / lanes);
    Vector state[most_groups][8];
    for (std::uint64_t k = 0; k < n_groups; ++k)
      for (std::uint64_t i = 0; i < 8; ++i)
        std::memcpy(&state[k][i], y + i * n + s + k * lanes, sizeof(Vector));
    for (std::uint64_t t = 0; t < n_steps; ++t) {
      for (std::uint64_t k = 0; k < n_groups; ++k) step(state[k], h, omega);
      if (trajectory != nullptr)
        for (std::uint64_t i = 0; i < 8; ++i)
          for (std::uint64_t k = 0; k < n_groups; ++k)
            std::memcpy(trajectory + (t * 8 + i) * n + s + k * lanes, &state[k][i], sizeof(Vector));
    }
    for (std::uint64_t k = 0; k < n_groups; ++k)
      for (std::uint64_t i = 0; i < 8; ++i)
        std::memcpy(y + i * n + s + k * lanes, &state[k][i], sizeof(Vector));
  }
}

void eigen_step(double* y, std::uint64_t n, double h, double omega) {
  for (std::uint64_t s = 0; s < n; ++s) {
    double q[8];
    for (std::uint64_t i = 0; i < 8; ++i) q[i] = y[i * n + s];
    const double dx = q[2] - q[0], dy = q[3] - q[1];
    Eigen::Matrix<double, 2, 4> j;
    j << 2 * q[0], 2 * q[1], 0, 0, -2 * dx, -2 * dy, 2 * dx, 2 * dy;
    Eigen::Matrix<double, 6, 6> a = Eigen::Matrix<double, 6, 6>::Zero();
    a.diagonal().head<4>() << m1, m1, m2, m2;
    a.topRightCorner<4, 2>() = j.transpose();
    a.bottomLeftCorner<2, 4>() = j;
    const Eigen::Map<const Eigen::Vector4d> v(q + 4);
    const double du = q[6] - q[4], dv = q[7] - q[5];
    Eigen::Vector2d phi(q[0] * q[0] + q[1] * q[1] - l1 * l1, dx * dx + dy * dy - l2 * l2);
    Eigen::Vector2d bias(2 * (q[4] * q[4] + q[5] * q[5]), 2 * (du * du + dv * dv));
    Eigen::Matrix<double, 6, 1> b;
    b << 0, -m1 * g, 0, -m2 * g, -bias - omega * omega * phi - 2 * omega * (j * v);
    const Eigen::Matrix<double, 6, 1> x = a.partialPivLu().solve(b);
    for (std::uint64_t i = 0; i < 4; ++i) {
      q[4 + i] += h * x[static_cast<Eigen::Index>(i)];
      q[i] += h * q[4 + i];
    }
    for (std::uint64_t i = 0; i < 8; ++i) y[i * n + s] = q[i];
  }
}

}  // namespace seed
