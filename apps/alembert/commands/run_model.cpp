// SPDX-License-Identifier: Apache-2.0
#include "run_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::commands {
namespace {

std::uint32_t interval_count(const RunTimes& times, const flat::Experiment& experiment,
                             double span) {
  constexpr double most = 100'000'000;
  if (times.intervals) {
    if (*times.intervals == 0) throw Error("U004", "--intervals must be at least 1.");
    return *times.intervals;
  }
  const std::optional<double> step = times.step ? times.step : experiment.interval;
  if (!step || span == 0) return 500;
  const double n = std::round(std::abs(span / *step));
  if (!(*step > 0) || n > most)
    throw Error("U004", "an output step of " + number_text(*step) + " over " + number_text(span) +
                            " s cannot be: give --step or --intervals.");
  return static_cast<std::uint32_t>(std::max(1.0, n));
}

}  // namespace

void add_run_times(CLI::App& parser, RunTimes& times) {
  parser.add_option("--start", times.start, "time at the start; default: of the model, or 0");
  parser.add_option("--stop", times.stop, "time at the end; default: of the model, or 1");
  parser.add_option("--tolerance", times.tolerance, "relative; default: of the model, or 1e-6");
  auto* intervals = parser.add_option("--intervals", times.intervals, "of the output; default 500");
  parser.add_option("--step", times.step, "of the output, in place of --intervals")
      ->excludes(intervals);
}

integrate::SimulateOptions options_of(const RunTimes& times, const flat::Experiment& experiment) {
  integrate::SimulateOptions options;
  options.start = times.start.value_or(experiment.start.value_or(0));
  options.stop = times.stop.value_or(experiment.stop.value_or(options.start + 1));
  options.tolerance = times.tolerance.value_or(experiment.tolerance.value_or(1e-6));
  if (!(options.stop >= options.start) || !std::isfinite(options.stop - options.start))
    throw Error("U004", "the run would go from " + number_text(options.start) + " to " +
                            number_text(options.stop) + ": --stop must not be before --start.");
  if (!(options.tolerance > 0) || options.tolerance > 1)
    throw Error("U004", "the tolerance must lie between 0 and 1; it is " +
                            number_text(options.tolerance) + ".");
  options.intervals = interval_count(times, experiment, options.stop - options.start);
  return options;
}

ModelRun run_model(const ModelOptions& files, const RunTimes& times, bool quiet) {
  ModelRun run;
  run.as_read = read_model(files, quiet);
  run.options = options_of(times, run.as_read.experiment);
  run.model = std::make_unique<compile::CompiledModel>(run.as_read);
  run.result = integrate::simulate(*run.model, run.options);
  if (!quiet)
    for (const std::string& warning : run.result.warnings)
      std::fprintf(stderr, "warning: %s\n", warning.c_str());
  return run;
}

int exit_code_of(const ModelRun& run) {
  if (run.result.outcome == integrate::Outcome::done ||
      run.result.outcome == integrate::Outcome::terminated)
    return 0;
  std::fprintf(stderr, "%s: error[I010]: %s\n", run.as_read.name.c_str(),
               run.result.message.c_str());
  return 3;
}

}  // namespace alembert::commands
