// SPDX-License-Identifier: Apache-2.0
// A thousand double pendulums, a thousand steps: ns a system and step of our generated kernel and
// of the same job by other means, in one run; then what the method costs in accuracy, and better
// ones beside it. Usage: peer_batch [systems steps]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <time.h>

#include "alembert/ensemble/batch.hpp"
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

/// Constraint and energy after two seconds, medians over the systems. The start of the text is off
/// the constraint by up to 20 %; `on` puts the systems on it first.
void accuracy(const OdeTape& fast, const OdeTape& safe, FixedMethod method, double h, bool on) {
  const Batch batch(fast, &safe, method, h);
  std::vector<double> states = seed::start_states(n_systems);
  if (on)
    for (std::uint64_t s = 0; s < n_systems; ++s) {
      states[s] = seed::l1;
      const double angle = 3 * (states[2 * n_systems + s] - 2);
      states[2 * n_systems + s] = seed::l1 + seed::l2 * std::cos(angle);
      states[3 * n_systems + s] = seed::l2 * std::sin(angle);
    }
  const auto at = [&](std::uint64_t s) {
    seed::State y;
    for (std::size_t i = 0; i < 8; ++i) y[i] = states[i * n_systems + s];
    return y;
  };
  std::vector<double> before, constraint, energy;
  for (std::uint64_t s = 0; s < n_systems; ++s) before.push_back(seed::energy(at(s)));
  const auto n = static_cast<std::uint64_t>(std::lround(2 / h));
  std::vector<double> copy = states;
  const double ns = nanoseconds(
      [&] {
        states = copy;
        batch.run(states, n_systems, {}, 0, n);
      },
      n, 3);
  for (std::uint64_t s = 0; s < n_systems; ++s) {
    constraint.push_back(seed::constraint_error(at(s)));
    energy.push_back(std::abs(seed::energy(at(s)) - before[s]));
  }
  std::printf(
      "  %-22s h = 1/%-5.0f %8.1f ns a system and second   constraint %8.2e   energy %8.2e J\n",
      std::string(to_string(method)).c_str(), 1 / h, ns / h, median(constraint), median(energy));
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

  std::printf("after 2 s, from the start of the text (off the constraint):\n");
  accuracy(fast, safe, FixedMethod::semi_implicit_euler, seed::dt, false);
  std::printf("after 2 s, from starts on the constraint:\n");
  for (const auto& [method, inverse] : {std::pair{FixedMethod::semi_implicit_euler, 50.},
                                        {FixedMethod::semi_implicit_euler, 200.},
                                        {FixedMethod::rk4, 50.},
                                        {FixedMethod::rk4, 100.},
                                        {FixedMethod::rk4, 200.}})
    accuracy(fast, safe, method, 1 / inverse, true);
  return 0;
}
