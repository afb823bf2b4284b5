// SPDX-License-Identifier: Apache-2.0
// A thousand double pendulums, a thousand steps: ns a system and step of our generated kernel and
// of the same job by other means, in one run; then what the method costs in accuracy, and better
// ones beside it. Usage: peer_batch [systems steps]
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <time.h>

#include "alembert/ensemble/batch.hpp"
#include "alembert/ensemble/model_tape.hpp"
#include "alembert/ensemble/rattle_step.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "ensemble/seed_pendulum.hpp"
#include "pendulum_kernels.hpp"

namespace {

using namespace alembert::ensemble;

std::uint64_t n_systems = 1024;
std::uint64_t n_steps = 1000;

/// Of this thread alone, so that a busy machine does not count.
double processor_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The best of several runs: what the machine does when nobody else is about.
double nanoseconds(const std::function<void()>& job, std::uint64_t steps, int repeats = 7,
                   double (*clock)() = processor_seconds) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const double begin = clock();
    job();
    const double seconds = clock() - begin;
    best = std::min(best, seconds);
  }
  return 1e9 * best / double(n_systems * steps);
}

double numpy(const char* script) {
  const std::string command = "/usr/bin/python3 " + std::string(script) + " " +
                              std::to_string(n_systems) + " 20 2>/dev/null";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  double value = NAN;
  if (pipe == nullptr || std::fscanf(pipe, "%lf", &value) != 1) value = NAN;
  if (pipe != nullptr) ::pclose(pipe);
  return value;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// The pendulum as a model: coordinates and constraints, nothing derived.
alembert::compile::CompiledModel natural_model() {
  using alembert::symbolic::Expr;
  alembert::builder::Model model("DoublePendulum");
  const Expr x1 = model.unknown("x1", {.start = seed::l1, .fixed = true}), y1 = model.unknown("y1"),
             x2 = model.unknown("x2", {.start = seed::l1 + 1, .fixed = true}),
             y2 = model.unknown("y2", {.start = 0.5});
  const Expr a = model.unknown("a"), b = model.unknown("b"), g = seed::g;
  model += seed::m1 * der(der(x1)) == -a * x1 - b * (x1 - x2);
  model += seed::m1 * der(der(y1)) == -a * y1 - b * (y1 - y2) - seed::m1 * g;
  model += seed::m2 * der(der(x2)) == b * (x1 - x2);
  model += seed::m2 * der(der(y2)) == b * (y1 - y2) - seed::m2 * g;
  model += x1 * x1 + y1 * y1 == seed::l1 * seed::l1;
  model += (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) == seed::l2 * seed::l2;
  return alembert::compile::CompiledModel(model.flatten());
}

/// Where the batch has x1, y1, x2, y2 and their velocities.
std::array<std::uint32_t, 8> places(const Batch& batch) {
  constexpr const char* names[8][2] = {{"x1", "x1"},       {"y1", "y1"},       {"x2", "x2"},
                                       {"y2", "y2"},       {"vx1", "der(x1)"}, {"vy1", "der(y1)"},
                                       {"vx2", "der(x2)"}, {"vy2", "der(y2)"}};
  std::array<std::uint32_t, 8> place{};
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t k = 0; k < 8; ++k)
      if (batch.names()[k] == names[i][0] || batch.names()[k] == names[i][1]) place[i] = k;
  return place;
}

/// The largest error of the constraint and change of the energy in 18 s, after a first 2 s in which
/// starts off the constraint may find it; medians over the systems. `on` puts all on it at once.
void accuracy(const char* name, const Batch& batch, std::span<const double> parameters, bool on) {
  const double h = batch.step_length();
  const std::array<std::uint32_t, 8> place = places(batch);
  std::vector<double> begin = seed::start_states(n_systems), states(begin.size());
  if (on)
    for (std::uint64_t s = 0; s < n_systems; ++s) {
      begin[s] = seed::l1;
      const double angle = 3 * (begin[2 * n_systems + s] - 2);
      begin[2 * n_systems + s] = seed::l1 + seed::l2 * std::cos(angle);
      begin[3 * n_systems + s] = seed::l2 * std::sin(angle);
    }
  const auto enter = [&] {
    for (std::size_t i = 0; i < 8; ++i)
      std::copy_n(begin.data() + i * n_systems, n_systems, states.data() + place[i] * n_systems);
  };
  const auto steps_of = [&](double seconds) {
    return static_cast<std::uint64_t>(std::lround(seconds / h));
  };
  const double ns = nanoseconds(
      [&] {
        enter();
        batch.run(states, n_systems, parameters, 0, steps_of(2));
      },
      steps_of(2), 3);
  std::vector<double> constraint(n_systems, 0.0), energy(n_systems, 0.0), before(n_systems);
  seed::State y;
  for (std::uint64_t s = 0; s < n_systems; ++s) {
    for (std::size_t i = 0; i < 8; ++i) y[i] = states[place[i] * n_systems + s];
    before[s] = seed::energy(y);
  }
  batch.run(states, n_systems, parameters, 0, steps_of(18), [&](const auto& view) {
    for (std::uint64_t k = 0; k < view.n_systems; ++k) {
      const std::uint64_t s = view.first + k;
      for (std::size_t i = 0; i < 8; ++i) y[i] = view.value(k, place[i]);
      constraint[s] = std::max(constraint[s], seed::constraint_error(y));
      energy[s] = std::max(energy[s], std::abs(seed::energy(y) - before[s]));
    }
  });
  std::printf("  %-34s h = 1/%-5g %8.0f ns a system and second   %8.2e   %8.2e J\n", name, 1 / h,
              ns / h, median(constraint), median(energy));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) n_systems = std::strtoull(argv[1], nullptr, 10) / 16 * 16;
  if (argc > 2) n_steps = std::strtoull(argv[2], nullptr, 10);
  seed::Pendulum pendulum;
  const ConstrainedSystem system = pendulum.system();
  const OdeTape fast = ode_tape(system, Pivots::by_structure);
  const OdeTape safe = ode_tape(system, Pivots::by_size);
  const Batch batch(fast, &safe, FixedMethod::semi_implicit_euler, seed::dt);
  const Batch unchecked(fast, nullptr, FixedMethod::semi_implicit_euler, seed::dt);
  const Batch two(fast, &safe, FixedMethod::semi_implicit_euler, seed::dt, {.n_threads = 2});
  const std::vector<double> start = seed::start_states(n_systems);
  std::vector<double> y = start, trajectory(n_steps * 8 * n_systems);

  std::printf("%llu systems, %llu steps, %u lanes, %zu operations a step\n",
              static_cast<unsigned long long>(n_systems), static_cast<unsigned long long>(n_steps),
              batch.lanes(), alembert::compile::operation_count(fast.tape));
  const double numpy_ns = numpy(ALEMBERT_NUMPY_PEER);
  const double eigen_ns = nanoseconds(
      [&] {
        y = start;
        for (int i = 0; i < 20; ++i) seed::eigen_step(y.data(), n_systems, seed::dt, 4);
      },
      20);
  const double soa_ns = nanoseconds(
      [&] {
        y = start;
        for (std::uint64_t i = 0; i < n_steps; ++i)
          seed::soa_step(y.data(), n_systems, seed::dt, 4);
      },
      n_steps);
  double tuned = 1e300, ours = 1e300, plain = 1e300, tuned_stored = 1e300, stored = 1e300,
         both = 1e300, one = 1e300;
  // In turns, so that a busy machine is busy for all of them.
  for (int round = 0; round < 5; ++round) {
    tuned =
        std::min(tuned, nanoseconds(
                            [&] {
                              y = start;
                              seed::tuned_steps(y.data(), n_systems, seed::dt, 4, n_steps, nullptr);
                            },
                            n_steps, 3));
    ours = std::min(ours, nanoseconds(
                              [&] {
                                y = start;
                                batch.run(y, n_systems, {}, 0, n_steps);
                              },
                              n_steps, 3));
    plain = std::min(plain, nanoseconds(
                                [&] {
                                  y = start;
                                  unchecked.run(y, n_systems, {}, 0, n_steps);
                                },
                                n_steps, 3));
    tuned_stored = std::min(tuned_stored, nanoseconds(
                                              [&] {
                                                y = start;
                                                seed::tuned_steps(y.data(), n_systems, seed::dt, 4,
                                                                  n_steps, trajectory.data());
                                              },
                                              n_steps, 3));
    stored = std::min(stored, nanoseconds(
                                  [&] {
                                    y = start;
                                    batch.run_stored(y, n_systems, {}, 0, n_steps, trajectory);
                                  },
                                  n_steps, 3));
    both = std::min(both, nanoseconds(
                              [&] {
                                y = start;
                                two.run(y, n_systems, {}, 0, n_steps);
                              },
                              n_steps, 3, wall_seconds));
    one = std::min(one, nanoseconds(
                            [&] {
                              y = start;
                              batch.run(y, n_systems, {}, 0, n_steps);
                            },
                            n_steps, 3, wall_seconds));
  }
  std::printf("ns a system and step\n");
  std::printf("  NumPy, batched solve        %9.2f\n", numpy_ns);
  std::printf("  Eigen, 6 by 6 LU            %9.2f\n", eigen_ns);
  std::printf("  arrays, compiler's lanes    %9.2f\n", soa_ns);
  std::printf("  tuned by hand, Schur        %9.2f   stored %6.2f\n", tuned, tuned_stored);
  std::printf("  generated, pivots checked   %9.2f   stored %6.2f   %.2fx and %.2fx of tuned\n",
              ours, stored, ours / tuned, stored / tuned_stored);
  std::printf("  generated, not checked      %9.2f   %.2fx\n", plain, plain / tuned);
  std::printf("  generated, two threads      %9.2f   %.2fx of one\n", both, one / both);

  std::printf("largest error of the constraint and change of the energy, from 2 s to 20 s\n");
  accuracy("published: semi_implicit_euler", batch, {}, false);
  accuracy("the same, begun on the constraint", batch, {}, true);
  const auto derived = [&](FixedMethod method, double inverse) {
    accuracy(std::string(to_string(method)).c_str(), Batch(fast, &safe, method, 1 / inverse), {},
             true);
  };
  for (const double inverse : {100., 200.}) derived(FixedMethod::semi_implicit_euler, inverse);
  for (const double inverse : {25., 50., 100., 200.}) derived(FixedMethod::rk4, inverse);
  const alembert::compile::CompiledModel model = natural_model();
  const std::vector<double> parameters = model.parameter_values();
  for (const double inverse : {25., 50., 200.})
    accuracy("rattle",
             Batch(make_rattle_step(model, Pivots::by_structure, 1 / inverse),
                   make_rattle_step(model, Pivots::by_size, 1 / inverse), 1 / inverse),
             parameters, true);
  const OdeTape projected = ode_tape(model, Pivots::by_structure), by_size = ode_tape(model);
  for (const double inverse : {50., 100.})
    accuracy("rk4, projected", Batch(projected, &by_size, FixedMethod::rk4, 1 / inverse),
             parameters, true);
  return 0;
}
