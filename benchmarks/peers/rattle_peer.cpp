// SPDX-License-Identifier: Apache-2.0
// RATTLE for the Cartesian pendulum and the double pendulum, a million steps: written by hand,
// beside the stepper generated from the model. Same steps; prints times, energy errors and ratios.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "chain_frame.hpp"

namespace {

using alembert::peers::milliseconds;

constexpr double h = 0.01;
constexpr int n_steps = 1'000'000;

/// n rods of length 1 and masses 1 in a chain, g = 1; [x1, y1, x2, y2, ...].
template <int n>
struct Chain {
  std::array<double, 2 * n> q{}, v{};
  double energy_error = 0;

  static void gradient(const std::array<double, 2 * n>& q, int k, double& gx, double& gy) {
    gx = 2 * (q[2 * k] - (k > 0 ? q[2 * k - 2] : 0));
    gy = 2 * (q[2 * k + 1] - (k > 0 ? q[2 * k - 1] : 0));
  }
  static double gap(const std::array<double, 2 * n>& q, int k) {
    double gx, gy;
    gradient(q, k, gx, gy);
    return 0.25 * (gx * gx + gy * gy) - 1;
  }
  /// scale G(a) G(b)^T x = r, tridiagonal.
  static void solve(const std::array<double, 2 * n>& a, const std::array<double, 2 * n>& b,
                    double scale, std::array<double, n>& r) {
    std::array<double, n> lower{}, diagonal{}, upper{};
    for (int k = 0; k < n; ++k) {
      double ax, ay, bx, by;
      gradient(a, k, ax, ay);
      gradient(b, k, bx, by);
      diagonal[k] = scale * (k > 0 ? 2 : 1) * (ax * bx + ay * by);
      if (k > 0) {
        double cx, cy;
        gradient(b, k - 1, cx, cy);
        lower[k] = -scale * (ax * cx + ay * cy);
      }
      if (k + 1 < n) {
        double cx, cy;
        gradient(b, k + 1, cx, cy);
        upper[k] = -scale * (ax * cx + ay * cy);
      }
    }
    for (int k = 1; k < n; ++k) {
      const double factor = lower[k] / diagonal[k - 1];
      diagonal[k] -= factor * upper[k - 1];
      r[k] -= factor * r[k - 1];
    }
    for (int k = n - 1; k >= 0; --k) {
      if (k + 1 < n) r[k] -= upper[k] * r[k + 1];
      r[k] /= diagonal[k];
    }
  }
  /// v -= G(q)^T x
  static void kick(const std::array<double, 2 * n>& q, const std::array<double, n>& x,
                   std::array<double, 2 * n>& v) {
    for (int k = 0; k < n; ++k) {
      double gx, gy;
      gradient(q, k, gx, gy);
      v[2 * k] -= gx * x[k];
      v[2 * k + 1] -= gy * x[k];
      if (k > 0) {
        v[2 * k - 2] += gx * x[k];
        v[2 * k - 1] += gy * x[k];
      }
    }
  }
  double energy() const {
    double e = 0;
    for (int k = 0; k < n; ++k)
      e += 0.5 * (v[2 * k] * v[2 * k] + v[2 * k + 1] * v[2 * k + 1]) + q[2 * k + 1];
    return e;
  }
  void run() {
    for (int k = 0; k < n; ++k) q[2 * k] = k + 1;
    const double e0 = energy();
    for (int step = 0; step < n_steps; ++step) {
      for (int k = 0; k < n; ++k) v[2 * k + 1] -= 0.5 * h;
      std::array<double, 2 * n> next;
      for (int i = 0; i < 2 * n; ++i) next[i] = q[i] + h * v[i];
      for (int pass = 0; pass < 20; ++pass) {
        std::array<double, n> x;
        double largest = 0;
        for (int k = 0; k < n; ++k) largest = std::max(largest, std::abs(x[k] = gap(next, k)));
        solve(next, q, h, x);
        kick(q, x, v);
        for (int i = 0; i < 2 * n; ++i) next[i] = q[i] + h * v[i];
        if (largest < 1e-15 * n) break;
      }
      q = next;
      for (int k = 0; k < n; ++k) v[2 * k + 1] -= 0.5 * h;
      std::array<double, n> x;
      for (int k = 0; k < n; ++k) {
        double gx, gy;
        gradient(q, k, gx, gy);
        x[k] = gx * (v[2 * k] - (k > 0 ? v[2 * k - 2] : 0)) +
               gy * (v[2 * k + 1] - (k > 0 ? v[2 * k - 1] : 0));
      }
      solve(q, q, 1, x);
      kick(q, x, v);
      energy_error = std::max(energy_error, std::abs(energy() - e0));
    }
  }
};

template <int n>
void compare(const char* title) {
  Chain<n> hand;
  double begin = milliseconds();
  hand.run();
  const double hand_ms = milliseconds() - begin;

  alembert::peers::GeneratedChain generated(n, "rattle", 1e-10);
  begin = milliseconds();
  const double error = generated.run(n_steps * h, {.first_step = h}).energy_error;
  const double ours_ms = milliseconds() - begin;
  std::printf("%s: by hand %.0f ms, energy error %.2e; generated %.0f ms, %.2e; ratio %.2f\n",
              title, hand_ms, hand.energy_error, ours_ms, error, ours_ms / hand_ms);
}

}  // namespace

int main() {
  compare<1>("pendulum, 1e6 steps");
  compare<2>("double pendulum, 1e6 steps");
}
