// SPDX-License-Identifier: Apache-2.0
// Whole models in lanes, each lane with its own steps, against the scalar run of each system:
// Robertson's stiff reaction with Rodas5P, the snakeboard and a pendulum that turns over with
// Tsit5. Prints processor time a system, and how far the ends are apart. Usage: peer_model_batch
// [systems]
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "alembert/ensemble/adaptive_batch.hpp"
#include "alembert/ensemble/model_tape.hpp"
#include "alembert/ensemble/taylor_step.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "mechanisms/snakeboard.hpp"

namespace {

using namespace alembert;

double processor_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct Job {
  const char* name;
  ensemble::AdaptiveMethod lanes;
  const char* scalar;
  std::string parameter;
  double low, high;  // of the parameter
  double stop, tolerance;
};

/// Steps in lanes by the job's method.
ensemble::AdaptiveBatch lanes_of(const compile::CompiledModel& model, const Job& job) {
  const ensemble::AdaptiveOptions options{.method = job.lanes,
                                          .relative = job.tolerance,
                                          .absolute = job.tolerance,
                                          .parameters_per_system = true};
  if (job.scalar == std::string("taylor"))
    return {ensemble::make_taylor_steps(model, job.tolerance, job.tolerance), {}, options};
  const ensemble::OdeTape safe = ensemble::ode_tape(model);
  return {ensemble::ode_tape(model, ensemble::Pivots::by_structure), &safe, {}, options};
}

void compare(builder::Model& source, const Job& job, std::uint64_t n) {
  const compile::CompiledModel model(source.flatten());
  const ensemble::AdaptiveBatch batch = lanes_of(model, job);
  const std::size_t n_states = batch.names().size(), n_parameters = model.parameter_values().size();
  integrate::SimulateOptions options{
      .stop = job.stop, .tolerance = job.tolerance, .intervals = 1, .method = job.scalar};
  std::vector<double> states(n_states * n), parameters(n_parameters * n), ends(n_states * n);
  double scalar = 0;
  for (std::uint64_t s = 0; s < n; ++s) {
    options.parameters[job.parameter] = job.low + (job.high - job.low) * double(s) / double(n);
    const double begin = processor_seconds();
    const auto run = integrate::simulate(model, options);
    scalar += processor_seconds() - begin;
    for (std::size_t i = 0; i < n_states; ++i) {
      const auto column = run.trajectory.column(batch.names()[i]);
      states[i * n + s] = column.front();
      ends[i * n + s] = column.back();
    }
    const auto values = model.parameter_values(options.parameters);
    for (std::size_t i = 0; i < n_parameters; ++i) parameters[i * n + s] = values[i];
  }
  double best = 1e300;
  ensemble::AdaptiveBatchResult result;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double begin = processor_seconds();
    result = batch.run(states, n, parameters, 0, job.stop);
    best = std::min(best, processor_seconds() - begin);
  }
  double apart = 0;
  for (std::size_t i = 0; i < ends.size(); ++i)
    apart =
        std::max(apart, std::abs(ends[i] - result.states[i]) / std::max(1.0, std::abs(ends[i])));
  std::printf(
      "%-12s %-8s %u lanes %8.2f us a system   scalar %8.2f us   %5.1fx   ends apart %.1e\n",
      job.name, job.scalar, batch.lanes(), 1e6 * best / double(n), 1e6 * scalar / double(n),
      scalar / best, apart);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
  builder::Model reaction("Robertson");
  const auto fast = reaction.parameter("fast", 3e7);
  const auto x = reaction.unknown("x", {.start = 1, .fixed = true});
  const auto y = reaction.unknown("y", {.start = 0, .fixed = true});
  const auto z = reaction.unknown("z", {.start = 0, .fixed = true});
  reaction += der(x) == -0.04 * x + 1e4 * y * z;
  reaction += der(y) == 0.04 * x - 1e4 * y * z - fast * y * y;
  reaction += der(z) == fast * y * y;
  compare(reaction,
          {.name = "Robertson",
           .lanes = ensemble::AdaptiveMethod::rodas5p,
           .scalar = "rodas5p",
           .parameter = "fast",
           .low = 2e7,
           .high = 4e7,
           .stop = 1e4,
           .tolerance = 1e-8},
          n);

  mechanics::Snakeboard board;
  mechanics::add_kane(board.model, mechanics::derive_kane(board.model, board.system()));
  compare(board.model,
          {.name = "snakeboard",
           .lanes = ensemble::AdaptiveMethod::tsit5,
           .scalar = "tsit5",
           .parameter = "I",
           .low = 0.08,
           .high = 0.12,
           .stop = 8,
           .tolerance = 1e-8},
          n);

  builder::Model turning("Pendulum");
  const auto l = turning.parameter("l", 1);
  const auto px = turning.unknown("x", {.start = 0, .fixed = true});
  const auto py = turning.unknown("y", {.start = -1});
  const auto vx = turning.unknown("vx", {.start = 9, .fixed = true});
  const auto vy = turning.unknown("vy"), force = turning.unknown("force");
  turning += der(px) == vx;
  turning += der(py) == vy;
  turning += der(vx) == -force * px;
  turning += der(vy) == -force * py - 9.81;
  turning += px * px + py * py == l * l;
  for (const char* method : {"tsit5", "taylor"})
    compare(turning,
            {.name = "pendulum",
             .lanes = ensemble::AdaptiveMethod::tsit5,
             .scalar = method,
             .parameter = "l",
             .low = 0.8,
             .high = 1.2,
             .stop = 10,
             .tolerance = 1e-11},
            n);
  return 0;
}
