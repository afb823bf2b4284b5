// SPDX-License-Identifier: Apache-2.0
// `alembert simulate`: from a model's text to a result file and a summary.
#include "alembert/integrate/simulate.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/result/files.hpp"
#include "alembert/visual/trajectory_figure.hpp"
#include "alembert/visual/write_figure.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "names.hpp"
#include "report_options.hpp"

namespace alembert::commands {

namespace {

using integrate::SimulationResult;

struct SimulateCommand {
  ModelOptions model;
  ReportOptions report;
  std::optional<double> start, stop, tolerance, step;
  std::optional<std::uint32_t> intervals;
  std::string method = "auto";
  std::string formulation = "auto";
  std::string output;
  std::string variables;
  std::string plot;
  std::string plot_file;
};

struct StageTime {
  const char* name;
  double milliseconds;
};

/// Times one stage after the other.
class Clock {
 public:
  void finish(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    stages_.push_back({stage, std::chrono::duration<double, std::milli>(now - begin_).count()});
    begin_ = now;
  }
  const std::vector<StageTime>& stages() const { return stages_; }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<StageTime> stages_;
};

/// "Resistor" of "Modelica.Electrical.Analog.Basic.Resistor".
std::string last_name(const std::string& full_name) {
  const auto dot = full_name.rfind('.');
  return dot == std::string::npos ? full_name : full_name.substr(dot + 1);
}

std::uint32_t interval_count(const SimulateCommand& command, const flat::Experiment& experiment,
                             double span) {
  constexpr double most = 100'000'000;
  if (command.intervals) {
    if (*command.intervals == 0) throw Error("U004", "--intervals must be at least 1.");
    return *command.intervals;
  }
  const std::optional<double> step = command.step ? command.step : experiment.interval;
  if (!step || span == 0) return 500;
  const double n = std::round(std::abs(span / *step));
  if (!(*step > 0) || n > most)
    throw Error("U004", "an output step of " + number_text(*step) + " over " + number_text(span) +
                            " s cannot be: give --step or --intervals.");
  return static_cast<std::uint32_t>(std::max(1.0, n));
}

integrate::SimulateOptions options_of(const SimulateCommand& command,
                                      const flat::Experiment& experiment) {
  integrate::SimulateOptions options;
  options.start = command.start.value_or(experiment.start.value_or(0));
  options.stop = command.stop.value_or(experiment.stop.value_or(options.start + 1));
  options.tolerance = command.tolerance.value_or(experiment.tolerance.value_or(1e-6));
  if (!(options.stop >= options.start) || !std::isfinite(options.stop - options.start))
    throw Error("U004", "the run would go from " + number_text(options.start) + " to " +
                            number_text(options.stop) + ": --stop must not be before --start.");
  if (!(options.tolerance > 0) || options.tolerance > 1)
    throw Error("U004", "the tolerance must lie between 0 and 1; it is " +
                            number_text(options.tolerance) + ".");
  options.intervals = interval_count(command, experiment, options.stop - options.start);
  options.method = command.method;
  options.formulation = command.formulation == "dummy" ? integrate::Formulation::dummy
                                                       : integrate::Formulation::dynamic;
  return options;
}

/// The columns whose names match one of the patterns; all of them if there are none.
result::Trajectory selected(result::Trajectory trajectory, const std::string& patterns) {
  if (patterns.empty()) return trajectory;
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  for (const std::string& pattern : split_names(patterns)) {
    bool matches = false;
    for (std::size_t c = 0; c < trajectory.n_columns(); ++c) {
      const std::string& name = trajectory.names()[c];
      // A name may hold brackets, which a pattern would read as a set of letters.
      if (name != pattern && ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) != 0) continue;
      matches = true;
      if (std::find(columns.begin(), columns.end(), c) == columns.end()) columns.push_back(c);
    }
    if (!matches) trajectory.column(pattern);  // tells of the nearest names
  }
  std::sort(columns.begin(), columns.end());
  for (const std::size_t c : columns) names.push_back(trajectory.names()[c]);
  result::Trajectory part(std::move(names));
  part.reserve(trajectory.n_rows());
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < trajectory.n_rows(); ++i) {
    for (std::size_t k = 0; k < columns.size(); ++k) row[k] = trajectory.value(i, columns[k]);
    part.append(trajectory.times()[i], row);
  }
  return part;
}

std::string report_json(const std::string& model, const std::string& output,
                        const SimulationResult& result, const Clock& clock) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["model"] = model;
  json["outcome"] = to_string(result.outcome);
  json["end_time"] = result.end_time;
  if (!result.message.empty()) json["message"] = result.message;
  json["output"] = output;
  json["steps"] = result.statistics.steps;
  json["rejected"] = result.statistics.rejected;
  json["rhs_calls"] = result.statistics.rhs_calls;
  json["jacobian_calls"] = result.statistics.jacobian_calls;
  json["events"] = {{"state", result.n_state_events}, {"time", result.n_time_events}};
  json["switches"] = Json::array();
  for (const auto& change : result.switches)
    json["switches"].push_back({{"time", change.time},
                                {"from", change.from},
                                {"to", change.to},
                                {"quality_before", change.quality_before},
                                {"quality_after", change.quality_after}});
  json["largest_constraint_residual"] = result.largest_constraint_residual;
  json["warnings"] = result.warnings;
  json["stages"] = Json::array();
  for (const StageTime& stage : clock.stages())
    json["stages"].push_back({{"name", stage.name}, {"ms", stage.milliseconds}});
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string summary(const std::string& model, const std::string& output,
                    const SimulationResult& result, const Clock& clock) {
  std::string text = fmt::format("{}: {} steps, {} rejected", model, result.statistics.steps,
                                 result.statistics.rejected);
  const auto n_events = result.n_state_events + result.n_time_events;
  if (n_events > 0) text += fmt::format(", {} event{}", n_events, n_events == 1 ? "" : "s");
  if (!result.switches.empty())
    text += fmt::format(", {} state switch{}", result.switches.size(),
                        result.switches.size() == 1 ? "" : "es");
  text += ".\n";
  if (result.largest_constraint_residual > 0)
    text +=
        fmt::format("Largest constraint residual: {:.1e}.\n", result.largest_constraint_residual);
  text += "Time:";
  for (const StageTime& stage : clock.stages())
    text += fmt::format(" {} {:.1f} ms,", stage.name, stage.milliseconds);
  text.back() = '.';
  return text + fmt::format("\nResult: {}\n", output);
}

int run(const SimulateCommand& command) {
  if (!command.output.empty()) result::require_known_ending(command.output);
  Clock clock;
  flat::FlatSystem flat = read_model(command.model, command.report.quiet);
  clock.finish("flatten");
  const std::string name = flat.name;
  const integrate::SimulateOptions options = options_of(command, flat.experiment);
  const compile::CompiledModel model(std::move(flat));
  clock.finish("compile");
  SimulationResult result = integrate::simulate(model, options);
  clock.finish("simulate");

  const std::string output = command.output.empty() ? last_name(name) + ".csv" : command.output;
  const result::Trajectory trajectory = selected(std::move(result.trajectory), command.variables);
  result::write_result(trajectory, output);
  clock.finish("write");
  if (!command.plot.empty()) {
    const auto names = split_names(command.plot);
    const std::string file =
        command.plot_file.empty() ? last_name(name) + ".svg" : command.plot_file;
    visual::write_figure(visual::figure_over_time(trajectory, names), file);
    clock.finish("plot");
  }
  if (!command.report.quiet)
    for (const std::string& warning : result.warnings)
      std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (command.report.json)
    std::fputs(report_json(name, output, result, clock).c_str(), stdout);
  else if (!command.report.quiet)
    std::fputs(summary(name, output, result, clock).c_str(), stdout);
  if (result.outcome == integrate::Outcome::done) return 0;
  if (result.outcome == integrate::Outcome::terminated) {
    if (!command.report.quiet)
      std::fprintf(stderr, "%s ended the run: %s\n", name.c_str(), result.message.c_str());
    return 0;
  }
  std::fprintf(stderr, "%s: error[I010]: %s\n", name.c_str(), result.message.c_str());
  return 3;
}

}  // namespace

Command add_simulate(CLI::App& app) {
  auto command = std::make_shared<SimulateCommand>();
  CLI::App* parser =
      app.add_subcommand("simulate",
                         "Compile a model, integrate it, write the result.\n\n"
                         "  alembert simulate pendulum.mo --stop 500\n"
                         "  alembert simulate circuit.mo --set R1.R=47 --output circuit.mat\n"
                         "  alembert simulate ball.mo --plot h,v --plot-file ball.png\n"
                         "  alembert simulate MyLibrary --model MyLibrary.Examples.First --json\n");
  add_model_options(*parser, command->model);
  parser->add_option("--start", command->start, "time at the start; default: of the model, or 0");
  parser->add_option("--stop", command->stop, "time at the end; default: of the model, or 1");
  parser->add_option("--tolerance", command->tolerance, "relative; default: of the model, or 1e-6");
  auto* intervals =
      parser->add_option("--intervals", command->intervals, "of the output; default 500");
  parser->add_option("--step", command->step, "of the output, in place of --intervals")
      ->excludes(intervals);
  parser->add_option("--method", command->method, "auto, or one of tsit5, dop853, rodas5p")
      ->capture_default_str();
  parser
      ->add_option("--formulation", command->formulation,
                   "auto, dynamic (states re-selected while it runs) or dummy (chosen once)")
      ->check(CLI::IsMember({"auto", "dynamic", "dummy"}))
      ->capture_default_str();
  parser->add_option("--output", command->output,
                     "the result: .csv, .mat or .h5; default: the model's name, .csv");
  parser->add_option("--variables", command->variables,
                     "which variables to write: names or patterns with commas, as 'body.*,x'");
  parser->add_option("--plot", command->plot, "draw these variables over time: VAR,VAR");
  parser->add_option("--plot-file", command->plot_file,
                     "the picture; default: the model's name, .svg");
  add_report_options(*parser, command->report);
  return {parser, [command] { return run(*command); }};
}

}  // namespace alembert::commands
