// SPDX-License-Identifier: Apache-2.0
#include "run_options.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::commands {

namespace {

std::uint32_t interval_count(const RunOptions& given, const flat::Experiment& experiment,
                             double span) {
  constexpr double most = 100'000'000;
  if (given.intervals) {
    if (*given.intervals == 0) throw Error("U004", "--intervals must be at least 1.");
    return *given.intervals;
  }
  const std::optional<double> step = given.step ? given.step : experiment.interval;
  if (!step || span == 0) return 500;
  const double n = std::round(std::abs(span / *step));
  if (!(*step > 0) || n > most)
    throw Error("U004", "an output step of " + number_text(*step) + " over " + number_text(span) +
                            " s cannot be: give --step or --intervals.");
  return static_cast<std::uint32_t>(std::max(1.0, n));
}

/// Each number by itself: what is said of two of them would be wrong of one that is none.
void require_finite(std::string_view option, const std::optional<double>& value) {
  if (value && !std::isfinite(*value))
    throw Error("U004", std::string(option) + " must be a finite number, and it is " +
                            number_text(*value) + ".");
}

void require_positive(std::string_view option, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value > 0))
    throw Error("U004", std::string(option) + " must be a positive number, and it is " +
                            number_text(*value) + ".");
}

/// A row after each step and one at the end; empty where equidistant rows are the same.
std::vector<double> times_of_rows(double start, double stop, double step) {
  constexpr double rounding = 1e-9;
  const double n = (stop - start) / step;
  if (stop == start || std::abs(n - std::round(n)) <= rounding * std::max(1.0, n)) return {};
  std::vector<double> times;
  for (double k = 0; k < n; ++k) times.push_back(start + k * step);
  times.push_back(stop);
  return times;
}

std::string method_names() {
  std::string names = "integration method: ";
  for (const auto methods : {integrate::all_methods(), integrate::model_methods()})
    for (const integrate::MethodInfo* method : methods) names += std::string(method->name) + ", ";
  return names + "fixed (symplectic6 where accelerations depend on positions alone, else rk4)";
}

}  // namespace

integrate::SimulateOptions RunOptions::with(const flat::Experiment& experiment) const {
  require_finite("--start", start);
  require_finite("--stop", stop);
  require_finite("--tolerance", tolerance);
  require_finite("--step", step);
  require_positive("--step", step);
  require_positive("--baumgarte-omega", baumgarte_omega);
  require_positive("--baumgarte-zeta", baumgarte_zeta);
  integrate::SimulateOptions options;
  options.start = start.value_or(experiment.start.value_or(0));
  options.stop = stop.value_or(experiment.stop.value_or(options.start + 1));
  options.tolerance = tolerance.value_or(experiment.tolerance.value_or(1e-6));
  if (!(options.stop >= options.start) || !std::isfinite(options.stop - options.start))
    throw Error("U004",
                "the run would go from " + number_text(options.start) + " to " +
                    number_text(options.stop) +
                    (options.stop > options.start ? ", which is longer than the largest number."
                                                  : ": --stop must not be before --start."));
  if (!(options.tolerance > 0) || options.tolerance > 1)
    throw Error("U004", "the tolerance must lie between 0 and 1; it is " +
                            number_text(options.tolerance) + ".");
  options.intervals = interval_count(*this, experiment, options.stop - options.start);
  if (step) {
    options.step = *step;
    if (!intervals) options.save_at = times_of_rows(options.start, options.stop, *step);
  }
  options.method = method;
  options.formulation = integrate::formulation_named(formulation);
  if (metric == "mass") {
    if (options.formulation != integrate::Formulation::projection)
      throw Error("U004",
                  "--metric mass says how --formulation projection moves states onto "
                  "constraints: give both.");
    options.metric = integrate::Metric::mass;
  }
  if (chattering == "slide") options.chattering = integrate::Chattering::slide;
  options.baumgarte_omega = baumgarte_omega.value_or(options.baumgarte_omega);
  options.baumgarte_zeta = baumgarte_zeta.value_or(options.baumgarte_zeta);
  return options;
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("--start", options.start,
                     "time at which the run starts (default: the model's, or 0)");
  command.add_option("--stop", options.stop, "time at which it stops (default: the model's, or 1)");
  command.add_option("--tolerance", options.tolerance,
                     "relative tolerance of the error (default: the model's, or 1e-6)");
  command.add_option(
      "--intervals", options.intervals,
      "number of intervals between the rows of the result (default: the model's, or 500)");
  command.add_option(
      "--step", options.step,
      "time between the rows of the result, instead of --intervals; methods with a fixed step take "
      "it as their step; where both are given, --intervals sets the rows");
  command.add_option("--method", options.method, method_names())->capture_default_str();
  command
      .add_option(
          "--formulation", options.formulation,
          "how constraints are kept: auto, dynamic (states selected anew during the run), dummy or "
          "static (states chosen once), projection, baumgarte (damping), ggl (stabilised index 2)")
      ->check(
          CLI::IsMember({"auto", "dynamic", "dummy", "static", "projection", "baumgarte", "ggl"}))
      ->capture_default_str();
  command
      .add_option("--metric", options.metric,
                  "how --formulation projection measures the distance to the constraints: "
                  "euclidean, or mass "
                  "(by kinetic energy, for mechanics)")
      ->check(CLI::IsMember({"euclidean", "mass"}))
      ->capture_default_str();
  command
      .add_option("--chattering", options.chattering,
                  "what to do when a comparison switches back and forth without end, because both "
                  "sides lead "
                  "back to it: stop, or slide (follow the boundary, after Filippov)")
      ->check(CLI::IsMember({"stop", "slide"}))
      ->capture_default_str();
  command.add_option("--baumgarte-omega", options.baumgarte_omega,
                     "frequency of Baumgarte's damping (default: ten times that of the motion)");
  command.add_option("--baumgarte-zeta", options.baumgarte_zeta,
                     "damping ratio of Baumgarte's damping (default: 1)");
}

}  // namespace alembert::commands
