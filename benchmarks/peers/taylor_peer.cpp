// SPDX-License-Identifier: Apache-2.0
// The Cartesian pendulum x'' = lambda x, y'' = lambda y - 1, x^2 + y^2 = 1 and the double pendulum
// for 500 s by Taylor series: written by hand, beside the stepper generated from the model. Both
// take the same number of coefficients and project each point onto the hidden constraints. Prints
// times, energy errors and ratios.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "chain_frame.hpp"

namespace {

using alembert::peers::best_of;
using alembert::peers::Run;

constexpr double t_end = 500, tolerance = 1e-15;
constexpr int n_stages = 21;  // as the generated stepper chooses for this tolerance

double energy(double y, double vx, double vy) { return 0.5 * (vx * vx + vy * vy) + y; }

Run by_hand() {
  constexpr int n = n_stages + 3;
  std::array<double, n> x{}, y{}, l{};
  x[0] = 1;
  double t = 0;
  const double e0 = energy(y[0], x[1], y[1]);
  Run run;
  while (t < t_end) {
    // Onto the constraints of position and velocity; accelerations and force.
    const double q = 0.5 * (x[0] * x[0] + y[0] * y[0] - 1) / (x[0] * x[0] + y[0] * y[0]);
    x[0] -= q * x[0];
    y[0] -= q * y[0];
    const double r2 = x[0] * x[0] + y[0] * y[0];
    const double v = (x[0] * x[1] + y[0] * y[1]) / r2;
    x[1] -= v * x[0];
    y[1] -= v * y[0];
    l[0] = -(x[1] * x[1] + y[1] * y[1] - y[0]) / r2;
    x[2] = 0.5 * l[0] * x[0];
    y[2] = 0.5 * (l[0] * y[0] - 1);
    for (int s = 1; s <= n_stages; ++s) {
      // lambda_s from coefficient s + 2 of the constraint.
      double fx = 0, fy = 0, g = 0;
      for (int j = 0; j < s; ++j) {
        fx += l[j] * x[s - j];
        fy += l[j] * y[s - j];
      }
      const int k = s + 2;
      for (int j = 1; 2 * j < k; ++j) g += x[j] * x[k - j] + y[j] * y[k - j];
      g *= 2;
      if (k % 2 == 0) g += x[k / 2] * x[k / 2] + y[k / 2] * y[k / 2];
      const double w = 1.0 / ((s + 1.0) * (s + 2.0));
      // 2 x0 x_k + 2 y0 y_k + g = 0 with x_k = w (fx + l_s x0).
      l[s] = -(x[0] * fx + y[0] * fy + 0.5 * g / w) / r2;
      x[k] = w * (fx + l[s] * x[0]);
      y[k] = w * (fy + l[s] * y[0]);
    }
    constexpr int last = n_stages + 2;
    double a = 0, b = 0, c = 0;
    const auto measure = [&](const std::array<double, n>& q) {
      const double position = 1 / (tolerance * (1 + std::abs(q[0])));
      const double velocity = 1 / (tolerance * (1 + std::abs(q[1])));
      a = std::max(a, std::abs(q[last]) * position);
      b = std::max({b, std::abs(q[last - 1]) * position, last * std::abs(q[last]) * velocity});
      c = std::max(c, (last - 1) * std::abs(q[last - 1]) * velocity);
    };
    measure(x);
    measure(y);
    double h = t_end - t;
    h = std::min({h, std::exp(-std::log(a) / last), std::exp(-std::log(b) / (last - 1)),
                  std::exp(-std::log(c) / (last - 2))});
    double px = 0, py = 0, vx = 0, vy = 0;
    for (int k = last; k >= 0; --k) {
      vx = vx * h + px;
      vy = vy * h + py;
      px = px * h + x[k];
      py = py * h + y[k];
    }
    x[0] = px;
    y[0] = py;
    x[1] = vx;
    y[1] = vy;
    t += h;
    ++run.steps;
    run.energy_error = std::max(run.energy_error, std::abs(energy(py, vx, vy) - e0));
  }
  return run;
}

/// Two masses 1 on two rods of length 1, from rest, stretched out to the right.
Run double_by_hand() {
  constexpr int n = n_stages + 3, last = n_stages + 2;
  // The first mass, the second from the first, and the forces in the rods.
  std::array<double, n> x{}, y{}, u{}, v{}, a{}, b{};
  x[0] = u[0] = 1;
  double t = 0;
  Run run;
  const auto solve = [&](double r1, double r2, double& p, double& q) {
    const double c11 = x[0] * x[0] + y[0] * y[0], c12 = -(x[0] * u[0] + y[0] * v[0]),
                 c22 = 2 * (u[0] * u[0] + v[0] * v[0]), det = 1 / (c11 * c22 - c12 * c12);
    p = (c22 * r1 - c12 * r2) * det;
    q = (c11 * r2 - c12 * r1) * det;
  };
  while (t < t_end) {
    double p, q;
    solve(0.5 * (x[0] * x[0] + y[0] * y[0] - 1), 0.5 * (u[0] * u[0] + v[0] * v[0] - 1), p, q);
    const double dx = p * x[0] - q * u[0], dy = p * y[0] - q * v[0];
    const double du = q * u[0] - dx, dv = q * v[0] - dy;
    x[0] -= dx;
    y[0] -= dy;
    u[0] -= du;
    v[0] -= dv;
    solve(x[0] * x[1] + y[0] * y[1], u[0] * u[1] + v[0] * v[1], p, q);
    const double ex = p * x[0] - q * u[0], ey = p * y[0] - q * v[0];
    u[1] -= q * u[0] - ex;
    v[1] -= q * v[0] - ey;
    x[1] -= ex;
    y[1] -= ey;
    for (int s = 0; s <= n_stages; ++s) {
      double ax = 0, ay = 0, bu = 0, bv = 0, g = 0, k2 = 0;
      for (int j = 0; j < s; ++j) {
        ax += a[j] * x[s - j];
        ay += a[j] * y[s - j];
        bu += b[j] * u[s - j];
        bv += b[j] * v[s - j];
      }
      const int k = s + 2;
      for (int j = 1; 2 * j < k; ++j) {
        g += x[j] * x[k - j] + y[j] * y[k - j];
        k2 += u[j] * u[k - j] + v[j] * v[k - j];
      }
      g *= 2;
      k2 *= 2;
      if (k % 2 == 0) {
        g += x[k / 2] * x[k / 2] + y[k / 2] * y[k / 2];
        k2 += u[k / 2] * u[k / 2] + v[k / 2] * v[k / 2];
      }
      const double w = 1.0 / ((s + 1.0) * (s + 2.0));
      const double fx = bu - ax, fy = bv - ay - (s == 0 ? 1 : 0);
      const double fu = ax - 2 * bu, fv = ay - 2 * bv;  // the weight is that of both
      solve(0.5 * g / w + x[0] * fx + y[0] * fy, 0.5 * k2 / w + u[0] * fu + v[0] * fv, a[s], b[s]);
      x[k] = w * (fx - a[s] * x[0] + b[s] * u[0]);
      y[k] = w * (fy - a[s] * y[0] + b[s] * v[0]);
      u[k] = w * (fu + a[s] * x[0] - 2 * b[s] * u[0]);
      v[k] = w * (fv + a[s] * y[0] - 2 * b[s] * v[0]);
    }
    double e0 = 0, e1 = 0, e2 = 0;
    const auto measure = [&](double first, double second, double position, double rate) {
      const double at = 1 / (tolerance * (1 + std::abs(position)));
      const double along = 1 / (tolerance * (1 + std::abs(rate)));
      e0 = std::max(e0, std::abs(first) * at);
      e1 = std::max({e1, std::abs(second) * at, last * std::abs(first) * along});
      e2 = std::max(e2, (last - 1) * std::abs(second) * along);
    };
    measure(x[last], x[last - 1], x[0], x[1]);
    measure(y[last], y[last - 1], y[0], y[1]);
    measure(x[last] + u[last], x[last - 1] + u[last - 1], x[0] + u[0], x[1] + u[1]);
    measure(y[last] + v[last], y[last - 1] + v[last - 1], y[0] + v[0], y[1] + v[1]);
    const double h =
        std::min({t_end - t, std::exp(-std::log(e0) / last), std::exp(-std::log(e1) / (last - 1)),
                  std::exp(-std::log(e2) / (last - 2))});
    std::array<double, 4> position{}, rate{};
    for (int k = last; k >= 0; --k) {
      const double c[] = {x[k], y[k], u[k], v[k]};
      for (int i = 0; i < 4; ++i) {
        rate[i] = rate[i] * h + position[i];
        position[i] = position[i] * h + c[i];
      }
    }
    x[0] = position[0], y[0] = position[1], u[0] = position[2], v[0] = position[3];
    x[1] = rate[0], y[1] = rate[1], u[1] = rate[2], v[1] = rate[3];
    t += h;
    ++run.steps;
    const double e = energy(y[0], x[1], y[1]) + energy(y[0] + v[0], x[1] + u[1], y[1] + v[1]);
    run.energy_error = std::max(run.energy_error, std::abs(e));
  }
  return run;
}

}  // namespace

int main() {
  const auto compare = [](const char* title, int n, Run (*hand_written)()) {
    alembert::peers::GeneratedChain generated(n, "taylor", tolerance);
    Run hand, ours;
    const double hand_ms = best_of(30, [&] { hand = hand_written(); });
    const double ours_ms = best_of(30, [&] {
      ours = generated.run(t_end, {.tolerances = {tolerance, tolerance}});
    });
    std::printf("%s, by hand:   %.3f ms, %d steps, energy error %.1e\n", title, hand_ms, hand.steps,
                hand.energy_error);
    std::printf("%s, generated: %.3f ms, %d steps, energy error %.1e\n", title, ours_ms, ours.steps,
                ours.energy_error);
    std::printf("%s, ratio: %.2f\n", title, ours_ms / hand_ms);
  };
  compare("pendulum", 1, by_hand);
  compare("double pendulum", 2, double_by_hand);
}
