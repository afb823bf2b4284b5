// SPDX-License-Identifier: Apache-2.0
// A map of double pendulums, one a pixel: both angles of the start, and the colour says how long
// the outer rod takes to turn over. Every pendulum is a lane with steps of its own; one that has
// turned over makes room for the next. A million of them: example_flip_map 1000 flips.png
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "alembert/alembert.hpp"
#include "alembert/ensemble/adaptive_batch.hpp"
#include "alembert/ensemble/model_tape.hpp"
#include "alembert/frontend/mechanics/lagrange.hpp"
#include "alembert/visual/sweep_figure.hpp"
#include "alembert/visual/write_figure.hpp"

using namespace alembert;
using namespace alembert::mechanics;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double longest = 15;  // seconds

/// Two rods of 1 m with 1 kg at their ends, p and q from straight down.
compile::CompiledModel pendulum() {
  Model model("Flip");
  const Expr p = model.unknown("p", {.start = 1, .fixed = true});
  const Expr q = model.unknown("q", {.start = 1, .fixed = true});
  model.start(der(p), 0, {.fixed = true});
  model.start(der(q), 0, {.fixed = true});
  const Expr T = der(p) * der(p) + der(q) * der(q) / 2 + der(p) * der(q) * cos(p - q);
  const Expr V = -2 * 9.81 * cos(p) - 9.81 * cos(q);
  add_lagrange(model, derive_lagrange({.lagrangian = T - V, .q = {p, q}}));
  return compile::CompiledModel(model.flatten());
}

std::size_t place(const ensemble::OdeTape& ode, const char* name) {
  std::size_t i = 0;
  while (ode.names.at(i) != name) ++i;
  return i;
}

/// pi^2 - q^2 falls through zero.
ensemble::BatchEvent turns_over(const ensemble::OdeTape& ode) {
  compile::TapeBuilder b(1 + ode.n_states, ode.tape.n_parameters);
  const auto q = b.input(1 + static_cast<std::uint32_t>(place(ode, "q")));
  b.output(b.apply(compile::TapeOp::fnma, q, q, b.constant(pi * pi)));
  return {.function = std::move(b).finish(), .direction = -1, .stops = true};
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 40;
  const compile::CompiledModel model = pendulum();
  const ensemble::OdeTape ode = ensemble::ode_tape(model, ensemble::Pivots::by_structure);
  const ensemble::OdeTape safe = ensemble::ode_tape(model);
  const ensemble::AdaptiveBatch batch(ode, &safe, {turns_over(ode)},
                                      {.relative = 1e-7, .absolute = 1e-7, .n_threads = 0});
  visual::HeatMap map{.title = "seconds until the outer rod turns over, as powers of ten",
                      .x_label = "inner angle at the start",
                      .y_label = "outer angle at the start"};
  for (std::size_t i = 0; i < n; ++i) {
    map.x.push_back(pi * (2 * (double(i) + 0.5) / double(n) - 1));
    map.y.push_back(map.x.back());
  }
  std::vector<double> states(ode.n_states * n * n, 0.0);
  for (std::size_t s = 0; s < n * n; ++s) {
    states[place(ode, "p") * n * n + s] = map.x[s % n];
    states[place(ode, "q") * n * n + s] = map.y[s / n];
  }
  const auto result = batch.run(states, n * n, model.parameter_values(), 0, longest);

  // With less energy than at p = 0, q = pi none can turn over.
  std::size_t n_turned = 0, n_forbidden = 0, n_failed = 0;
  std::uint64_t n_steps = 0;
  for (std::size_t s = 0; s < n * n; ++s) {
    const bool turned = result.outcomes[s] == integrate::Outcome::terminated;
    n_failed += !turned && result.outcomes[s] != integrate::Outcome::done;
    n_turned += turned;
    n_forbidden += turned && 2 * std::cos(map.x[s % n]) + std::cos(map.y[s / n]) > 1;
    n_steps += result.n_steps[s];
    map.values.push_back(turned ? std::log10(result.end_times[s])
                                : std::numeric_limits<double>::quiet_NaN());
  }
  std::printf("%zu pendulums, %llu steps: %zu turned over within %g s, %zu against their energy\n",
              n * n, static_cast<unsigned long long>(n_steps), n_turned, longest, n_forbidden);
  const char* const picture = argc > 2 ? argv[2] : "flips.png";
  visual::write_figure({.panels = visual::heat_map_panels(map), .width = 560, .height = 440},
                       picture);
  std::printf("%s\n", picture);
  return n_forbidden == 0 && n_failed == 0 && n_turned > n * n / 4 ? 0 : 1;
}
