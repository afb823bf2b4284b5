// SPDX-License-Identifier: Apache-2.0
// What a step costs above its arithmetic: Tsit5 through the Stepper interface, beside the same
// stages written out by hand for the same two-dimensional pendulum. The ratio of the two times is
// the figure to read.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>

#include "alembert/integrate/explicit_runge_kutta.hpp"

namespace alembert::integrate {
namespace {

using State = std::array<double, 2>;
constexpr double h = 0.01;

// The sine is left out on purpose: a costly right-hand side would hide the stepper.
bool rhs(void*, double, const double* y, double* f) {
  f[0] = y[1];
  f[1] = -y[0] + 0.1 * y[0] * y[0] * y[0];
  return true;
}

void by_hand(benchmark::State& state) {
  using T = tableaus::Tsit5;
  State y = {1, 0};
  std::array<State, 7> k;
  rhs(nullptr, 0, y.data(), k[0].data());
  for (auto _ : state) {
    State next;
    for (std::size_t i = 1; i < 7; ++i) {
      for (std::size_t c = 0; c < 2; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < i; ++j) sum += T::a[i][j] * k[j][c];
        next[c] = y[c] + h * sum;
      }
      rhs(nullptr, 0, next.data(), k[i].data());
    }
    double error = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < 7; ++j) sum += T::error[j] * k[j][c];
      const double scaled = sum / (1e-6 + 1e-6 * std::max(std::abs(y[c]), std::abs(next[c])));
      error += scaled * scaled;
    }
    benchmark::DoNotOptimize(error = h * std::sqrt(error / 2));
    y = next;
    k[0] = k[6];
  }
  benchmark::DoNotOptimize(y);
}

void by_stepper(benchmark::State& state) {
  Tsit5 stepper({.n = 2, .rhs = rhs});
  const State y0 = {1, 0};
  stepper.start(0, y0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(stepper.attempt(h, {}).error);
    stepper.accept(stepper.t() + h);
  }
}

BENCHMARK(by_hand);
BENCHMARK(by_stepper);

}  // namespace
}  // namespace alembert::integrate
