// SPDX-License-Identifier: Apache-2.0
// RATTLE for the Cartesian pendulum and the double pendulum, a million steps: written by hand,
// beside the stepper generated from the model. Same steps; prints times, energy errors and ratios.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/model_point.hpp"

namespace {

using namespace alembert;

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

FlatSystem chain_model(int n) {
  Model m("Chain");
  std::vector<Expr> x, y, lambda;
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k + 1);
    x.push_back(m.unknown("x" + i, {.start = double(k + 1)}));
    y.push_back(m.unknown("y" + i, {.start = 0.0}));
    lambda.push_back(m.unknown("lambda" + i));
  }
  for (int k = 0; k < n; ++k) {
    const Expr dx = k > 0 ? x[k] - x[k - 1] : x[k], dy = k > 0 ? y[k] - y[k - 1] : y[k];
    Expr fx = -lambda[k] * dx, fy = -lambda[k] * dy - 1;
    if (k + 1 < n) {
      fx = fx + lambda[k + 1] * (x[k + 1] - x[k]);
      fy = fy + lambda[k + 1] * (y[k + 1] - y[k]);
    }
    m += der(der(x[k])) == fx;
    m += der(der(y[k])) == fy;
    m += dx * dx + dy * dy == 1;
  }
  return m.flatten();
}

double milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

template <int n>
void compare(const char* title) {
  Chain<n> hand;
  double begin = milliseconds();
  hand.run();
  const double hand_ms = milliseconds() - begin;

  const compile::CompiledModel model(chain_model(n));
  integrate::ModelPoint point(model, model.parameter_values());
  point.use(model.direct_chart());
  const auto stepper = integrate::make_model_stepper("rattle", model, point.constants(), 1e-10);
  const auto names = point.state_names();
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  std::vector<double> state(point.n_states(), 0.0);
  std::vector<std::size_t> rates, heights;
  for (int k = 1; k <= n; ++k) {
    state[place("x" + std::to_string(k))] = k;
    heights.push_back(place("y" + std::to_string(k)));
    rates.push_back(place("der(x" + std::to_string(k) + ")"));
    rates.push_back(place("der(y" + std::to_string(k) + ")"));
  }
  double error = 0;
  auto watch = [&](integrate::AcceptedStep& step) {
    double e = 0;
    for (const auto i : rates) e += 0.5 * step.y[i] * step.y[i];
    for (const auto i : heights) e += step.y[i];
    error = std::max(error, std::abs(e));  // at rest at height 0 it is 0
    return integrate::ObserverAction::go_on;
  };
  begin = milliseconds();
  integrate_adaptive(*stepper, 0, n_steps * h, state, {.first_step = h}, watch);
  const double ours_ms = milliseconds() - begin;
  std::printf("%s: by hand %.0f ms, energy error %.2e; generated %.0f ms, %.2e; ratio %.2f\n",
              title, hand_ms, hand.energy_error, ours_ms, error, ours_ms / hand_ms);
}

}  // namespace

int main() {
  compare<1>("pendulum, 1e6 steps");
  compare<2>("double pendulum, 1e6 steps");
}
