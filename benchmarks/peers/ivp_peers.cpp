// SPDX-License-Identifier: Apache-2.0
// Problems with reference digits: our methods beside SUNDIALS called from C, with the same
// right-hand sides and Jacobians, in one run. Every method goes through a row of tolerances; what
// counts is the time at equal accuracy, read off the line through (log error, log time). Prints a
// table: their time, our best method, the ratio; then what our CVODE or IDA costs above theirs at
// equal tolerances, run by turns, so that both meet the same hours of the machine.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "integrate/ivp_system.hpp"
#include "sundials_peer.h"
#include "work_precision.hpp"

namespace {

using namespace alembert::integrate;
using namespace alembert::peers;

/// A run that takes more seconds ends the row of tolerances.
constexpr double longest = 2;

bool run_ours(const ivp_problem& problem, std::string_view method, double relative,
              std::vector<double>& y) {
  const auto stepper = make_stepper(method, system_of(problem));
  y.assign(problem.start, problem.start + problem.n);
  const AdaptiveOptions options = {
      .tolerances = {.relative = relative, .absolute = relative * problem.absolute},
      .max_steps = 200000};
  return integrate_adaptive(*stepper, 0, problem.t_end, y, options).outcome == Outcome::done;
}

std::vector<Sample> sample(const ivp_problem& problem,
                           const std::function<bool(double, std::vector<double>&)>& run) {
  std::vector<Sample> samples;
  std::vector<double> y(static_cast<std::size_t>(problem.n));
  for (double relative = 1e-3; relative > 0.9e-11; relative /= std::sqrt(10.0)) {
    const double begin = cpu_seconds();
    if (!run(relative, y)) continue;
    if (cpu_seconds() - begin > longest) break;  // the circuits take minutes further down
    const double error = std::max(ivp_error(&problem, y.data()), 1e-16);
    if (error < 1e-9) break;
    samples.push_back({relative, error, seconds_of([&] { run(relative, y); })});
  }
  return samples;
}

void compare(const ivp_problem& problem, double error) {
  const auto theirs = sample(problem, [&](double relative, std::vector<double>& y) {
    return sundials_peer(&problem, relative, y.data()) == 0;
  });
  const double their_time = time_at(error, theirs);
  double best = std::nan("");
  std::string_view best_name = "none";
  for (const MethodInfo* method : all_methods()) {
    if (method->step_choice == StepChoice::fixed) continue;
    if (problem.mass != nullptr && !method->takes_mass) continue;
    if (problem.stiff && !method->uses_jacobian) continue;
    if (!problem.stiff && method->takes_mass && method->name != "auto") continue;
    const auto ours = sample(problem, [&](double relative, std::vector<double>& y) {
      return run_ours(problem, method->name, relative, y);
    });
    const double time = time_at(error, ours);
    std::printf("    %-10s %10.3f ms\n", std::string(method->name).c_str(), 1e3 * time);
    if (!(best <= time) && std::isfinite(time)) {
      best = time;
      best_name = method->name;
    }
  }
  std::printf("%-22s error %.0e: SUNDIALS %8.3f ms, ours %8.3f ms (%s), ratio %.2f\n", problem.name,
              error, 1e3 * their_time, 1e3 * best, std::string(best_name).c_str(),
              best / their_time);
}

/// The explicit problems are left out: there the peer runs Adams' method, ours BDF.
void compare_same_method(const ivp_problem& problem) {
  if (problem.stiff == 0) return;
  const std::string_view method = problem.mass != nullptr ? "ida" : "cvode";
  std::vector<double> y(static_cast<std::size_t>(problem.n));
  const double above = overhead_by_turns(
      [&](double relative) { return run_ours(problem, method, relative, y); },
      [&](double relative) { return sundials_peer(&problem, relative, y.data()) == 0; }, longest);
  std::printf("%-22s the same method (%s) over SUNDIALS': %.2f\n", problem.name,
              std::string(method).c_str(), above);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (const ivp_problem& problem : ivp_problems) {
    if (argc > 1 && std::strstr(problem.name, argv[1]) == nullptr) continue;
    for (const double error : {1e-4, 1e-6}) compare(problem, error);
    compare_same_method(problem);
  }
}
