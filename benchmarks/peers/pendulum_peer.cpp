// SPDX-License-Identifier: Apache-2.0
// The pendulum by its angle, 500 s at a relative tolerance of 1e-6 with Tsit5: the whole integrator
// written by hand for two unknowns, beside the stepper with a plain function, and beside a model
// that went through every stage. Prints times and ratios.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/stepper.hpp"
#include "alembert/integrate/tableaus/tsit5.hpp"
#include "work_precision.hpp"

namespace {

using namespace alembert;
using integrate::integrate_adaptive;

constexpr double t_end = 500, tolerance = 1e-6;
using State = std::array<double, 2>;

void rhs(const State& y, State& f) {
  f[0] = y[1];
  f[1] = -std::cos(y[0]);
}

/// The same control as ours, so that both take the same steps.
State by_hand() {
  using T = integrate::tableaus::Tsit5;
  State y = {0, 0}, next;
  std::array<State, 7> k;
  rhs(y, k[0]);
  double t = 0, h = 0.01, last_error = 1e-4;
  bool rejected = false;
  while (t < t_end) {
    h = std::min(h, t_end - t);
    for (std::size_t i = 1; i < 7; ++i) {
      for (std::size_t c = 0; c < 2; ++c) {
        double sum = 0;
        for (std::size_t j = 0; j < i; ++j) sum += T::a[i][j] * k[j][c];
        next[c] = y[c] + h * sum;
      }
      rhs(next, k[i]);
    }
    double error = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < 7; ++j) sum += T::error[j] * k[j][c];
      const double e =
          h * sum / (tolerance + tolerance * std::max(std::abs(y[c]), std::abs(next[c])));
      error += e * e;
    }
    error = std::max(std::sqrt(error / 2), 1e-10);
    if (error > 1) {
      h *= std::clamp(0.9 * std::pow(error, -0.2), 0.2, 0.9);
      rejected = true;
      continue;
    }
    t += h;
    y = next;
    k[0] = k[6];
    h *= std::clamp(0.9 * std::pow(error, -0.14) * std::pow(last_error, 0.08), 0.2,
                    rejected ? 1.0 : 10.0);
    last_error = std::max(error, 1e-4);
    rejected = false;
  }
  return y;
}

State by_stepper(const integrate::OdeSystem& system) {
  State y = {0, 0};
  const auto stepper = integrate::make_stepper("tsit5", system);
  integrate_adaptive(*stepper, 0, t_end, y,
                     {.tolerances = {.relative = tolerance, .absolute = tolerance}});
  return y;
}

}  // namespace

int main() {
  const integrate::OdeSystem plain = {.n = 2, .rhs = [](void*, double, const double* y, double* f) {
                                        f[0] = y[1];
                                        f[1] = -std::cos(y[0]);
                                        return true;
                                      }};
  Model m("Pendulum");
  const Expr theta = m.unknown("theta", {.start = 0});
  m += der(der(theta)) == -cos(theta);
  const compile::CompiledModel model(m.flatten());
  integrate::ModelPoint point(model, model.parameter_values());
  point.use(model.static_chart());
  const integrate::OdeSystem compiled = {
      .n = 2,
      .rhs = [](void* p, double t, const double* y,
                double* f) { return static_cast<integrate::ModelPoint*>(p)->derivatives(t, y, f); },
      .context = &point};
  // By turns, so that all meet the same hours of the machine.
  constexpr int n_turns = 100;
  const struct {
    const char* name;
    std::function<State()> run;
  } ways[] = {{"by hand", by_hand},
              {"stepper, function", [&] { return by_stepper(plain); }},
              {"stepper, model", [&] { return by_stepper(compiled); }}};
  double best[] = {1e9, 1e9, 1e9};
  State y[3];
  for (int turn = 0; turn < n_turns; ++turn)
    for (std::size_t k = 0; k < 3; ++k) {
      const double begin = peers::cpu_seconds();
      y[k] = ways[k].run();
      best[k] = std::min(best[k], peers::cpu_seconds() - begin);
    }
  for (std::size_t k = 0; k < 3; ++k)
    std::printf("%-18s %8.3f ms   theta %.9f   ratio %.2f\n", ways[k].name, 1e3 * best[k], y[k][0],
                best[k] / best[0]);
}
