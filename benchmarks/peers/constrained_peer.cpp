// SPDX-License-Identifier: Apache-2.0
// Pendulum and double pendulum in Cartesian coordinates: by hand through SUNDIALS (IDA on the
// stabilised index-2 form, CVODE with projection; analytic Jacobians), beside formulations of the
// model, in one run. Prints the time at equal error, and the ratio to the better peer. The error is
// the largest of positions and velocities at the end, against Taylor series at 1e-15. `same` leaves
// that out, and compares the same methods at equal tolerances only.
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

#include "alembert/integrate/simulate.hpp"
#include "chain_frame.hpp"
#include "constrained_sundials.h"
#include "work_precision.hpp"

namespace {

using namespace alembert;
using namespace alembert::peers;
using integrate::Formulation;

using Job = std::function<std::vector<double>(double tolerance)>;  // empty where it failed

std::vector<double> ours(const compile::CompiledModel& model, int n, double t_end,
                         Formulation formulation, const std::string& method, double tolerance) {
  const integrate::SimulationResult run = integrate::simulate(model, {.stop = t_end,
                                                                      .tolerance = tolerance,
                                                                      .intervals = 1,
                                                                      .method = method,
                                                                      .formulation = formulation});
  std::vector<double> end;
  if (run.outcome != integrate::Outcome::done) return end;
  for (const char* form : {"%s%d", "der(%s%d)"})
    for (int k = 1; k <= n; ++k)
      for (const char* axis : {"x", "y"}) {
        char name[32];
        std::snprintf(name, sizeof name, form, axis, k);
        end.push_back(run.trajectory.column(name).back());
      }
  return end;
}

std::vector<Sample> sample(const Job& job, const std::vector<double>& reference) {
  std::vector<Sample> samples;
  for (double tolerance = 1e-3; tolerance > 0.9e-12; tolerance /= 10) {
    std::vector<double> end = job(tolerance);
    if (end.empty()) continue;
    double error = 1e-16;
    for (std::size_t i = 0; i < end.size(); ++i)
      error = std::max(error, std::abs(end[i] - reference[i]));
    samples.push_back({tolerance, error, 1e-3 * best_of(10, [&] { job(tolerance); })});
    if (error < 1e-9) break;
  }
  return samples;
}

void compare(int n, double t_end) {
  const compile::CompiledModel model(chain_model(n));
  const auto reference = ours(model, n, t_end, Formulation::automatic, "taylor", 1e-15);
  const auto by_hand = [&](int (*peer)(int, double, double, double*)) -> Job {
    return [=](double tolerance) {
      std::vector<double> end(static_cast<std::size_t>(4 * n));
      if (peer(n, t_end, tolerance, end.data()) != 0) end.clear();
      return end;
    };
  };
  const auto generated = [&](Formulation formulation, const char* method) -> Job {
    return [&model, n, t_end, formulation, method](double tolerance) {
      return ours(model, n, t_end, formulation, method, tolerance);
    };
  };
  const auto ida = sample(by_hand(ida_stabilised), reference);
  const auto cvode = sample(by_hand(cvode_projected), reference);
  const struct {
    const char* name;
    std::vector<Sample> samples;
  } routes[] = {
      {"dynamic, dop853", sample(generated(Formulation::dynamic, "auto"), reference)},
      {"projection, dop853", sample(generated(Formulation::projection, "auto"), reference)},
      {"dynamic, cvode", sample(generated(Formulation::dynamic, "cvode"), reference)},
      {"projection, cvode", sample(generated(Formulation::projection, "cvode"), reference)},
      {"ggl, ida", sample(generated(Formulation::ggl, "ida"), reference)},
      {"ggl, radau5", sample(generated(Formulation::ggl, "radau5"), reference)},
      {"taylor", sample(generated(Formulation::automatic, "taylor"), reference)},
  };
  for (const double error : {1e-4, 1e-6, 1e-8}) {
    const double peer = std::fmin(time_at(error, ida), time_at(error, cvode));
    std::printf("  error %.0e: by hand IDA with GGL %.3f ms, CVODE with projection %.3f ms\n",
                error, 1e3 * time_at(error, ida), 1e3 * time_at(error, cvode));
    for (const auto& route : routes) {
      const double time = time_at(error, route.samples);
      std::printf("    %-20s %9.3f ms, ratio %.3f\n", route.name, 1e3 * time, time / peer);
    }
  }
}

/// Ten times as long, so that the start of a model does not count.
void compare_same(int n, double t_end) {
  const compile::CompiledModel model(chain_model(n));
  const auto same = [&](Formulation formulation, const char* method,
                        int (*peer)(int, double, double, double*)) {
    return overhead_by_turns(
        [&](double tolerance) {
          return !ours(model, n, 10 * t_end, formulation, method, tolerance).empty();
        },
        [&](double tolerance) {
          double end[4 * most_links];
          return peer(n, 10 * t_end, tolerance, end) == 0;
        },
        2);
  };
  std::printf("  the same method at equal tolerances: ida %.2f, cvode %.2f\n",
              same(Formulation::ggl, "ida", ida_stabilised),
              same(Formulation::projection, "cvode", cvode_projected));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const bool only_same = argc > 1 && std::string_view(argv[1]) == "same";
  const struct {
    const char* title;
    int n;
    double t_end;
  } cases[] = {{"pendulum", 1, 10}, {"double pendulum", 2, 5}};
  for (const auto& [title, n, t_end] : cases) {
    std::printf("%s, t = %g\n", title, t_end);
    if (!only_same) compare(n, t_end);
    compare_same(n, t_end);
  }
}
