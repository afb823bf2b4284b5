// SPDX-License-Identifier: Apache-2.0
// `alembert simulate`: from a model's text to a result file and a summary.
#include "alembert/integrate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/start_changes.hpp"
#include "alembert/result/files.hpp"
#include "alembert/visual/page_of_run.hpp"
#include "alembert/visual/write_figure.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "names.hpp"
#include "report_options.hpp"
#include "run_model.hpp"
#include "run_options.hpp"
#include "run_output.hpp"
#include "terminal.hpp"

namespace alembert::commands {

namespace {

using integrate::SimulationResult;

struct SimulateCommand {
  ModelOptions model;
  ReportOptions report;
  RunOptions run;
  std::string output;
  std::string variables;
  std::string plot;
  std::string plot_file;
  std::string checkpoint;
  std::optional<double> checkpoint_every;
  std::string resume;
  std::string html;
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

/// Of a constraint that was differentiated twice, as those of positions are.
std::string level_name(std::uint32_t below_highest) {
  constexpr const char* names[] = {"acceleration", "velocity", "position"};
  return below_highest < 3 ? names[below_highest] : fmt::format("{} below", below_highest);
}

/// The same with residuals, in words. Of a constraint that was differentiated more often than
/// twice, the levels are no positions and velocities.
std::string levels_text(const std::vector<integrate::ConstraintLevel>& levels) {
  std::uint32_t deepest = 0;
  for (const auto& level : levels) deepest = std::max<std::uint32_t>(deepest, level.below_highest);
  std::string text =
      deepest < 3 ? "" : "from the constraints as written to their highest derivatives: ";
  for (const auto& level : levels)
    text += fmt::format("{}{}{:.1e}", &level == &levels.front() ? "" : ", ",
                        deepest < 3 ? level_name(level.below_highest) + " " : "",
                        level.largest_residual);
  return text;
}

/// What the command wrote.
struct Written {
  std::string output;
  std::string plot;              // empty: none
  std::string page;              // likewise
  std::size_t n_rows = 0;        // that were drawn
  bool is_default_stop = false;  // neither the command nor the model says when it ends
};

std::string report_json(const std::string& model, const Written& written,
                        const SimulationResult& result, const Clock& clock) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["model"] = model;
  json["outcome"] = to_string(result.outcome);
  json["end_time"] = result.end_time;
  if (!result.message.empty()) json["message"] = result.message;
  json["output"] = written.output;
  if (!written.plot.empty()) json["plot"] = written.plot;
  if (!written.page.empty()) json["page"] = written.page;
  json["steps"] = result.statistics.steps;
  json["rejected"] = result.statistics.rejected;
  json["rhs_calls"] = result.statistics.rhs_calls;
  json["jacobian_calls"] = result.statistics.jacobian_calls;
  json["method"] = result.statistics.method;
  json["limited_by"] = Json::array();
  for (const auto& limit : result.step_limits)
    json["limited_by"].push_back({{"state", limit.name}, {"attempts", limit.attempts}});
  if (!result.missing_values.empty()) {
    const integrate::MissingValue& missing = result.missing_values.front();
    json["first_non_finite"] = {{"time", missing.time},
                                {"unknown", missing.variable},
                                {"equation", missing.equation},
                                {"origin", to_string(missing.origin)}};
  }
  json["events"] = {{"state", result.n_state_events}, {"time", result.n_time_events}};
  json["formulation"] = integrate::is_model_method(result.statistics.method)
                            ? "as written"
                            : to_string(result.formulation);
  if (result.baumgarte_omega > 0) json["baumgarte_omega"] = result.baumgarte_omega;
  json["switches"] = Json::array();
  for (const auto& change : result.switches)
    json["switches"].push_back({{"time", change.time},
                                {"block", change.block},
                                {"from", change.from},
                                {"to", change.to},
                                {"condition_before", change.condition_before()},
                                {"condition_after", change.condition_after()},
                                {"quality_before", change.quality_before},
                                {"quality_after", change.quality_after}});
  json["singular_passages"] = result.n_passages;
  json["largest_constraint_residual"] = result.largest_constraint_residual;
  json["constraint_residuals"] = Json::array();
  for (const auto& level : result.constraint_levels)
    json["constraint_residuals"].push_back({{"level", level_name(level.below_highest)},
                                            {"constraints", level.n_constraints},
                                            {"largest", level.largest_residual}});
  json["conserved"] = Json::array();
  for (const auto& quantity : result.conserved)
    json["conserved"].push_back({{"name", quantity.name},
                                 {"start", quantity.start},
                                 {"largest_change", quantity.largest_change}});
  json["filled_starts"] = result.filled_starts;
  json["warnings"] = result.warnings;
  json["stages"] = Json::array();
  for (const StageTime& stage : clock.stages())
    json["stages"].push_back({{"name", stage.name}, {"ms", stage.milliseconds}});
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Starts that hold because nothing else determined them: what a model says nothing of should be
/// seen.
std::string filled_starts_text(const std::vector<std::string>& names, const RunOutput& rows) {
  constexpr std::size_t most_named = 6;
  if (names.empty()) return {};
  std::string text = "Guesses used as start conditions, as nothing else determined them: ";
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
    if (const auto value = rows.first_value(names[i])) text += " = " + rounded_text(*value);
  }
  if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
  return text + ".\n";
}

/// Of --set v=3 where equations determine v at the start.
std::vector<std::string> unused_starts(const ModelOptions& files, const flat::FlatSystem& system,
                                       const RunOutput& rows, bool is_resumed) {
  std::vector<std::string> warnings;
  for (const std::string& setting : files.overrides) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const std::string written = setting.substr(equals + 1);
    const bool is_unknown = std::ranges::any_of(system.unknowns, [&](const flat::Unknown& unknown) {
      return system.pool->symbol_text(unknown.symbol) == name;
    });
    char* end = nullptr;
    const double wanted = std::strtod(written.c_str(), &end);
    const std::optional<double> value = rows.first_value(name);
    if (!is_unknown || !value || written.empty() || *end != '\0') continue;
    std::string warning =
        integrate::warn_of_unused_start(name, *value, wanted, rounded_text(wanted) + " of --set",
                                        is_resumed ? integrate::StartsFrom::checkpoint
                                                   : integrate::StartsFrom::equations);
    if (!warning.empty()) warnings.push_back(std::move(warning));
  }
  return warnings;
}

/// A picture with far fewer points than there were steps may show what never was, such as slow
/// waves in place of quick ones.
std::string plot_text(const Written& written, std::uint64_t n_steps) {
  constexpr std::size_t most_steps_a_row = 4;
  std::string text = "Plot: " + written.plot;
  if (written.n_rows > 0 && n_steps > most_steps_a_row * written.n_rows)
    text += fmt::format(" (one point for {} steps; --intervals {} shows what lies between)",
                        n_steps / written.n_rows, n_steps);
  return text + "\n";
}

std::string summary(const std::string& model, const Written& written,
                    const SimulationResult& result, const Clock& clock, const RunOutput& rows) {
  const auto n_steps = result.statistics.steps;
  std::string text = fmt::format("{}: {} step{}", model, n_steps, n_steps == 1 ? "" : "s");
  if (n_steps > 0) text += fmt::format(" of {}", result.statistics.method);
  if (written.is_default_stop && result.outcome == integrate::Outcome::done)
    text += fmt::format(" to {} s (the model gives no StopTime; --stop sets it)",
                        rounded_text(result.end_time));
  text += fmt::format(", {} rejected", result.statistics.rejected);
  const auto n_events = result.n_state_events + result.n_time_events;
  if (n_events > 0) text += fmt::format(", {} event{}", n_events, n_events == 1 ? "" : "s");
  if (result.n_switches > 0)
    text +=
        fmt::format(", {} state switch{}", result.n_switches, result.n_switches == 1 ? "" : "es");
  if (result.n_passages > 0)
    text += fmt::format(", {} passage{} through a singular configuration", result.n_passages,
                        result.n_passages == 1 ? "" : "s");
  text += ".\n";
  text += filled_starts_text(result.filled_starts, rows);
  if (!result.step_limits.empty())
    text +=
        fmt::format("Step limited most often by: {} ({:.0f} % of {} attempts).\n",
                    result.step_limits.front().name,
                    100.0 * static_cast<double>(result.step_limits.front().attempts) /
                        static_cast<double>(result.statistics.steps + result.statistics.rejected),
                    result.statistics.steps + result.statistics.rejected);
  // Of a run that stopped, the message that follows says it.
  if (!result.missing_values.empty() &&
      result.message.find(result.missing_values.front().equation) == std::string::npos)
    text += fmt::format("{}: {}.\n",
                        result.outcome == integrate::Outcome::done
                            ? "A step that was tried and repeated shorter, which does no harm"
                            : "First value that was missing",
                        to_string(result.missing_values.front()));
  if (!result.constraint_levels.empty()) {
    text += integrate::is_model_method(result.statistics.method)
                ? "No index reduction: the method works on the equations as they are"
                : fmt::format("Formulation {}", to_string(result.formulation));
    if (result.baumgarte_omega > 0) text += fmt::format(" (omega {:.3g})", result.baumgarte_omega);
    text += fmt::format(". Largest constraint residual: {:.1e} ({}).\n",
                        result.largest_constraint_residual, levels_text(result.constraint_levels));
  }
  for (const auto& quantity : result.conserved)
    text += fmt::format("{}: {:.10g}, largest change {:.1e}.\n", quantity.name, quantity.start,
                        quantity.largest_change);
  text += "Time:";
  for (const StageTime& stage : clock.stages())
    text += fmt::format(" {} {:.1f} ms,", stage.name, stage.milliseconds);
  text.back() = '.';
  text += fmt::format("\nResult: {}\n", written.output);
  if (!written.plot.empty()) text += plot_text(written, result.statistics.steps);
  if (!written.page.empty()) text += fmt::format("Page: {}\n", written.page);
  return text;
}

/// Rows stand beside the checkpoint.
std::string journal_of(const std::string& checkpoint) { return checkpoint + ".rows"; }

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto place = [](const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), unknown);
  };
  return !b.empty() && place(a) == place(b);
}

/// A checkpoint takes the place of nothing but an earlier one.
void require_place(const SimulateCommand& command, const std::string& output,
                   const std::string& checkpoint) {
  for (const std::string& file : command.model.files)
    if (is_same_file(checkpoint, file))
      throw Error("U004", "'" + checkpoint +
                              "' is the model, which the checkpoint would be written over. Choose "
                              "another name for it.");
  for (const std::string& file : {output, command.plot_file, command.html})
    if (is_same_file(checkpoint, file))
      throw Error("U004", "'" + checkpoint +
                              "' is to be both a checkpoint and a result. Choose another name for "
                              "one of them.");
  integrate::require_place_for_checkpoint(checkpoint);
}

void follow_checkpoints(const SimulateCommand& command, const std::string& output,
                        integrate::SimulateOptions& options, RunOutput& rows,
                        std::optional<integrate::Checkpoint>& resumed) {
  if (!command.resume.empty()) {
    resumed = integrate::read_checkpoint(command.resume);
    options.resume = &*resumed;
    rows.note_in(journal_of(command.resume), {resumed->n_rows, resumed->rows_checksum});
  }
  const std::string file = command.checkpoint.empty() ? command.resume : command.checkpoint;
  if (file.empty() && command.checkpoint_every)
    throw Error("U004", "--checkpoint-every says how often; say with --checkpoint in which file.");
  if (file.empty()) return;
  require_place(command, output, file);
  if (!command.resume.empty() && file != command.resume)
    throw Error("U004",
                "a run that is taken up again goes on with its own checkpoint: leave "
                "--checkpoint away, or give it the file of --resume.");
  options.checkpoint_every = command.checkpoint_every.value_or((options.stop - options.start) / 10);
  if (!(options.checkpoint_every > 0))
    throw Error("U004", "--checkpoint-every must be a positive time.");
  if (command.resume.empty()) rows.note_in(journal_of(file));
  options.on_checkpoint = [file, &rows](integrate::Checkpoint checkpoint) {
    checkpoint.rows_checksum = rows.flush_journal();
    integrate::write_checkpoint(checkpoint, file);
    return true;
  };
}

/// What no run came of, though the model and the command are as they should be.
bool tells_of_start(const Error& error) {
  constexpr std::array codes = {"I001", "I002", "I005", "I006", "I008"};
  return std::ranges::find(codes, error.code()) != codes.end();
}

/// Of a run that has no result, or only a part. end_time: up to which there are rows.
std::string failure_json(const std::string& model, const char* outcome, double end_time,
                         const Error& error) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["model"] = model;
  json["outcome"] = outcome;
  json["end_time"] = end_time;
  json["code"] = error.code();
  json["message"] = error.diagnostics().front().text;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The error with what is left. Where the disk is full, hours of work are not thrown away.
Error with_kept_part(const Error& error, const std::string& output, std::optional<double> until) {
  const Diagnostic& first = error.diagnostics().front();
  const bool by_rows = output.ends_with(".csv") || output.ends_with(".mat");
  const std::string left =
      until     ? "'" + output + "' has the rows up to time " + rounded_text(*until) + "."
      : by_rows ? "No row of '" + output + "' could be kept."
                : "No row of '" + output +
                      "' could be kept: HDF5 is readable only when it is "
                      "finished. As .csv or .mat, the rows up to then are "
                      "kept.";
  return {first.code, first.text + " " + left};
}

/// `--plot x y`: the second name is taken for a file.
void require_files_before_plot(const SimulateCommand& command) {
  for (const std::string& file : command.model.files)
    if (file.find_first_of("./") == std::string::npos && !std::filesystem::exists(file))
      throw Error("U005", fmt::format("there is no file or folder '{}'. If it is a variable to be "
                                      "drawn: names are one word, with commas: --plot {},{}",
                                      file, command.plot, file));
}

/// How to take up an interrupted run, and what that gives.
std::string how_to_go_on(const std::string& checkpoint, std::string_view method) {
  if (checkpoint.empty()) return {};
  std::string text = "; --resume " + checkpoint + " goes on from here";
  if (const integrate::MethodInfo* info = integrate::find_method(method);
      info != nullptr && info->starts_anew)
    text += fmt::format(
        ", where {} starts anew: what follows agrees with a run without a stop to the tolerance, "
        "not bit for bit",
        method);
  return text;
}

/// What happened, in words or JSON; the exit code.
int tell(const SimulateCommand& command, const std::string& name, const Written& written,
         const SimulationResult& result, const Clock& clock, const RunOutput& rows) {
  if (!command.report.quiet)
    for (const std::string& warning : result.warnings) say("warning: " + warning);
  if (command.report.json)
    std::fputs(report_json(name, written, result, clock).c_str(), stdout);
  else if (!command.report.quiet)
    std::fputs(summary(name, written, result, clock, rows).c_str(), stdout);
  if (result.outcome == integrate::Outcome::done) return 0;
  if (result.outcome == integrate::Outcome::terminated) {
    if (!command.report.quiet)
      std::fprintf(stderr, "%s ended the run: %s\n", name.c_str(), result.message.c_str());
    return 0;
  }
  tell_unfinished(name, result);
  if (result.outcome == integrate::Outcome::interrupted)
    say("  note: '" + written.output + "' has all that was computed up to then" +
        how_to_go_on(command.checkpoint.empty() ? command.resume : command.checkpoint,
                     result.statistics.method));
  return 3;
}

int run(const SimulateCommand& command) {
  if (!command.output.empty()) result::require_known_ending(command.output);
  if (command.plot.empty() && !command.plot_file.empty())
    throw Error("U004",
                "--plot-file is where the picture goes; say with --plot what it shows, as in "
                "--plot x,y.");
  if (!command.plot.empty()) require_files_before_plot(command);
  Clock clock;
  UnitsByName display_units;
  flat::FlatSystem flat = read_model(command.model, command.report.quiet, &display_units);
  clock.finish("flatten");
  const std::string name = flat.name;
  integrate::SimulateOptions options = command.run.with(flat.experiment);
  const bool is_default_stop = !command.run.stop && !flat.experiment.stop;
  const std::string output = command.output.empty() ? last_name(name) + ".csv" : command.output;
  result::ColumnNotes notes = visual::column_notes(flat);
  note_display_units(display_units, notes);
  RunOutput output_rows(output, command.variables, command.plot, !command.html.empty(),
                        std::move(notes));
  const flat::FlatSystem as_read = command.html.empty() ? flat::FlatSystem{} : flat;
  const compile::CompiledModel model(std::move(flat));
  clock.finish("compile");
  std::optional<integrate::Checkpoint> resumed;
  follow_checkpoints(command, output, options, output_rows, resumed);
  options.rows = &output_rows;
  options.parameter_columns = true;
  const std::filesystem::path beside(output);
  // The equations of a start that failed; they are not written out of themselves.
  if (!name.ends_with("_start"))
    options.replay_path = (beside.parent_path() / beside.stem()).string() + "_start.mo";
  options.interrupt = &interrupt_by_signal();
  RunBar bar(options.start, options.stop, !command.report.quiet && !command.report.json);
  output_rows.on_row = [&bar](double time) { bar.show(time); };
  SimulationResult result;
  try {
    result = integrate::simulate(model, options);
    bar.clear();
    clock.finish("simulate");
    output_rows.commit();
  } catch (const Error& error) {
    bar.clear();
    const bool has_start = !tells_of_start(error);
    if (has_start && error.code() != "R001") throw;
    const std::optional<double> until = has_start ? output_rows.keep_part() : std::nullopt;
    const Error told = has_start ? with_kept_part(error, output, until) : error;
    if (command.report.json)
      std::fputs(failure_json(name, has_start ? "not written" : "no start",
                              until.value_or(options.start), told)
                     .c_str(),
                 stdout);
    throw told;
  }
  clock.finish("write");
  for (std::string& warning :
       unused_starts(command.model, model.flat(), output_rows, !command.resume.empty()))
    result.warnings.push_back(std::move(warning));
  Written written{.output = output,
                  .plot = {},
                  .page = command.html,
                  .n_rows = 0,
                  .is_default_stop = is_default_stop};
  try {
    if (!command.plot.empty()) {
      const auto names = split_names(command.plot);
      written.plot = command.plot_file.empty() ? last_name(name) + ".svg" : command.plot_file;
      visual::PlotOptions known = visual::plot_options(model, options);
      known.display_units = std::move(display_units);
      written.n_rows = output_rows.drawn().n_rows();
      visual::write_figure(visual::plot(output_rows.drawn(), names, known), written.plot);
      clock.finish("plot");
    }
    if (!command.html.empty()) {
      visual::Page page = visual::page_of_run(model, result, options, output_rows.drawn());
      page.structure = structure::explain(as_read);
      if (!command.plot.empty()) page.panels = {split_names(command.plot)};
      visual::write_page(std::move(page), command.html);
      clock.finish("page");
    }
  } catch (const Error& error) {
    if (command.report.json && error.code() == "R001")
      std::fputs(failure_json(name, "not written", result.end_time, error).c_str(), stdout);
    throw;
  }
  return tell(command, name, written, result, clock, output_rows);
}

}  // namespace

Command add_simulate(CLI::App& app) {
  auto command = std::make_shared<SimulateCommand>();
  CLI::App* parser =
      app.add_subcommand("simulate",
                         "Run a model and write its result.\n\n"
                         "  alembert simulate pendulum.mo --stop 500\n"
                         "  alembert simulate circuit.mo --set R1.R=47 --output circuit.mat\n"
                         "  alembert simulate ball.mo --plot h,v --plot-file ball.png\n"
                         "  alembert simulate pendulum.mo --html pendulum.html\n"
                         "  alembert simulate MyLibrary --model MyLibrary.Examples.First --json\n");
  add_model_options(*parser, command->model);
  add_run_options(*parser, command->run);
  parser->add_option(
      "--output", command->output,
      "file for the result, " + result::known_endings() + " (default: the model's name, .csv)");
  parser->add_option("--variables", command->variables,
                     "variables to write, by names and patterns: 'body.*,x,r[*,1]' (default: all)");
  parser->add_option("--plot", command->plot, "draw these variables over time: x,y");
  parser->add_option("--plot-file", command->plot_file,
                     "file for the picture (default: the model's name, .svg)");
  parser->add_option("--html", command->html,
                     "write a page for the browser, with plots, animation, structure and report");
  parser->add_option("--checkpoint", command->checkpoint,
                     "save the simulation in this file as it runs, and its rows in FILE.rows");
  parser->add_option("--checkpoint-every", command->checkpoint_every,
                     "simulated time between checkpoints (default: a tenth of the run)");
  parser->add_option(
      "--resume", command->resume,
      "go on from a checkpoint; the result is the same as without a stop, bit for bit (with cvode, "
      "ida and taylor, which start anew at each checkpoint, only if the run was not interrupted "
      "there)");
  add_report_options(*parser, command->report);
  return {parser, [command] { return run(*command); }};
}

}  // namespace alembert::commands
