// SPDX-License-Identifier: Apache-2.0
// `alembert sweep`: many runs of one model, on all cores, over ranks under mpirun.
#include "alembert/ensemble/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/ensemble/model_case.hpp"
#include "alembert/ensemble/sweep_files.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/visual/write_figure.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "names.hpp"
#include "report_options.hpp"
#include "run_options.hpp"
#include "sweep_model.hpp"
#include "sweep_report.hpp"

namespace alembert::commands {

namespace {

namespace fs = std::filesystem;
using ensemble::CaseStatus;
using ensemble::JournalReader;
using ensemble::SweepShape;

constexpr std::size_t most_in_table = 20;    // variables
constexpr std::size_t most_failures = 5;     // told by their messages
constexpr double seconds_without_bar = 0.5;  // a shorter sweep shows no progress

struct SweepCommand {
  ModelOptions model;
  RunOptions run;
  ReportOptions report;
  std::vector<std::string> vary;
  std::string table;
  std::string design = "auto";
  std::uint64_t samples = 0;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  double time_limit = 0;
  bool fresh = false;
  std::string output;
  std::string variables;
  std::string plot;
  std::string plot_file;
  bool no_plot = false;
};

ensemble::Design design_named(const std::string& name) {
  using ensemble::Design;
  if (name == "factorial") return Design::factorial;
  if (name == "random") return Design::random;
  if (name == "lhs") return Design::latin_hypercube;
  if (name == "sobol") return Design::sobol;
  return Design::automatic;
}

ensemble::CaseTable cases_of(const SweepCommand& command) {
  ensemble::CaseTable table;
  if (!command.table.empty())
    table = ensemble::parse_case_table(result::read_file(command.table), command.table);
  std::vector<ensemble::Variation> variations;
  for (const std::string& text : command.vary)
    variations.push_back(ensemble::parse_variation(text));
  return ensemble::make_cases(
      table, variations,
      {.design = design_named(command.design), .n_samples = command.samples, .seed = command.seed});
}

/// Everything that the results depend on. Libraries count by their names only.
std::uint64_t fingerprint_of(const SweepCommand& command, const SweepShape& shape,
                             const integrate::SimulateOptions& options) {
  std::string all = ALEMBERT_VERSION;
  const auto add = [&](const std::string& text) { all += '\n' + text; };
  for (const std::string& file : command.model.files) {
    add(file);
    std::error_code unknown;
    if (fs::is_regular_file(file, unknown)) add(result::read_file(file));
  }
  add(command.model.model);
  for (const auto* list : {&command.model.libraries, &command.model.overrides})
    for (const std::string& text : *list) add(text);
  for (const double number :
       {options.start, options.stop, options.tolerance, options.step, double(options.intervals),
        options.baumgarte_omega, options.baumgarte_zeta, command.time_limit})
    add(number_text(number));
  add(options.method);
  add(command.run.formulation);
  add(command.run.metric);
  add(command.run.chattering);
  for (const std::string& name : shape.variables) add(name);
  for (std::size_t j = 0; j < shape.cases.names.size(); ++j) {
    add(shape.cases.names[j]);
    for (const std::string& label : shape.cases.labels[j]) add(label);
  }
  all.append(reinterpret_cast<const char*>(shape.cases.values.data()),
             shape.cases.values.size() * sizeof(double));
  return ensemble::fingerprint(all);
}

fs::path beside(const fs::path& output, const std::string& ending) {
  fs::path path = output;
  return path.replace_extension(ending);
}

struct Failures {
  std::uint64_t n = 0;
  std::vector<std::pair<std::uint64_t, std::string>> first;  // number, message
};

Failures failures_of(const JournalReader& journal) {
  Failures failures;
  for (const auto& entry : journal.entries()) {
    if (entry.status == CaseStatus::done || entry.status == CaseStatus::terminated) continue;
    ++failures.n;
    if (failures.first.size() < most_failures)
      failures.first.emplace_back(entry.number, journal.read(entry).message);
  }
  return failures;
}

struct Written {
  std::string output, summary, plot;
};

void print_json(const std::string& model, const ensemble::SweepOutcome& outcome,
                const SweepShape& shape, const JournalReader& journal, const Failures& failures,
                const Written& written) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["model"] = model;
  json["cases"] = shape.cases.n_cases();
  json["resumed"] = outcome.progress.n_resumed;
  json["failed"] = failures.n;
  json["ranks"] = outcome.n_ranks;
  json["seconds"] = outcome.progress.seconds;
  json["varied"] = shape.cases.names;
  json["output"] = written.output;
  json["summary"] = written.summary;
  if (!written.plot.empty()) json["plot"] = written.plot;
  json["failures"] = Json::array();
  for (const auto& [number, message] : failures.first)
    json["failures"].push_back({{"case", number + 1}, {"message", message}});
  json["statistics"] = Json::array();
  for (const auto& one : final_statistics(shape, journal, shape.variables.size()))
    json["statistics"].push_back({{"name", one.name},
                                  {"n", one.n},
                                  {"mean", one.mean},
                                  {"deviation", one.deviation},
                                  {"min", one.min},
                                  {"q05", one.low},
                                  {"median", one.median},
                                  {"q95", one.high},
                                  {"max", one.max}});
  std::fputs((json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n").c_str(), stdout);
}

void print_summary(const std::string& model, const ensemble::SweepOutcome& outcome,
                   const SweepShape& shape, const JournalReader& journal, const Failures& failures,
                   const Written& written) {
  const auto& progress = outcome.progress;
  const std::uint64_t n_run = progress.n_finished - progress.n_resumed;
  std::string text = fmt::format("{}: {}", model, flat::counted(progress.n_cases, "case"));
  if (progress.n_resumed > 0) text += fmt::format(" ({} of an earlier run)", progress.n_resumed);
  text += fmt::format(", {} failed, {:.1f} s", failures.n, progress.seconds);
  if (n_run > 0) text += fmt::format(", {:.3g} ms a case", 1e3 * progress.seconds / double(n_run));
  if (outcome.n_ranks > 1) text += fmt::format(", {} ranks", outcome.n_ranks);
  text += ".\n" + statistics_table(final_statistics(shape, journal, most_in_table));
  if (shape.variables.size() > most_in_table)
    text += fmt::format("and {} more variables, see {}.\n", shape.variables.size() - most_in_table,
                        written.summary);
  text += fmt::format("Result: {}\nSummary: {}\n", written.output, written.summary);
  if (!written.plot.empty()) text += fmt::format("Plot: {}\n", written.plot);
  std::fputs(text.c_str(), stdout);
}

void tell_failures(const Failures& failures, const SweepShape& shape) {
  for (const auto& [number, message] : failures.first) {
    std::string values;
    for (std::size_t j = 0; j < shape.cases.names.size(); ++j)
      values += fmt::format("{}{} = {}", j == 0 ? "" : ", ", shape.cases.names[j],
                            shape.cases.text(number, j));
    std::fprintf(stderr, "case %llu (%s): %s\n", static_cast<unsigned long long>(number + 1),
                 values.c_str(), message.c_str());
  }
  if (failures.n > failures.first.size())
    std::fprintf(stderr, "and %llu more cases that failed.\n",
                 static_cast<unsigned long long>(failures.n - failures.first.size()));
}

/// Rank 0, when all cases are there: results, table, picture; then the journals have done their
/// duty.
int finish(const SweepCommand& command, const std::string& model,
           const ensemble::SweepOutcome& outcome, const SweepShape& shape, const fs::path& output,
           std::uint64_t fingerprint, const std::map<std::string, std::string>& units) {
  const auto journals = ensemble::journals_of(output);
  Failures failures;
  {
    const JournalReader journal(journals, fingerprint);
    ensure(journal.entries().size() == shape.cases.n_cases(), "a finished sweep has every case");
    Written written{output.string(), beside(output, ".summary.csv").string(), ""};
    ensemble::write_sweep(shape, journal, output);
    ensemble::write_case_summary(shape, journal, written.summary);
    if (!command.no_plot && !shape.variables.empty()) {
      written.plot =
          command.plot_file.empty() ? beside(output, ".svg").string() : command.plot_file;
      visual::write_figure(
          sweep_figure(
              shape, journal,
              command.plot.empty() ? std::vector<std::string>{} : split_names(command.plot), units),
          written.plot);
    }
    failures = failures_of(journal);
    if (command.report.json)
      print_json(model, outcome, shape, journal, failures, written);
    else if (!command.report.quiet)
      print_summary(model, outcome, shape, journal, failures, written);
  }
  for (const fs::path& path : journals) fs::remove(path);
  if (!command.report.quiet) tell_failures(failures, shape);
  return failures.n == shape.cases.n_cases() ? 3 : 0;
}

int run(const SweepCommand& command) {
  const bool quiet = command.report.quiet || ensemble::announced_rank() != 0;
  SweepShape shape;
  shape.cases = cases_of(command);
  if (!command.output.empty()) ensemble::require_sweep_ending(command.output);
  if (!command.plot_file.empty()) visual::format_by_ending(command.plot_file);
  SweepModel model(command.model, shape.cases, quiet);
  const integrate::SimulateOptions options = command.run.with(model.experiment());
  shape.times = ensemble::output_times(options);
  shape.variables = matching_names(ensemble::trajectory_names(model.first()), command.variables);
  const fs::path output =
      command.output.empty() ? last_name(model.name()) + "-sweep.csv" : command.output;
  if (!command.plot.empty()) matching_names(shape.variables, command.plot);

  ensemble::SweepOptions sweep;
  sweep.output = output;
  sweep.fingerprint = fingerprint_of(command, shape, options);
  sweep.n_workers = command.threads > 0
                        ? command.threads
                        : std::max(1u, std::thread::hardware_concurrency() /
                                           static_cast<unsigned>(ensemble::announced_size()));
  sweep.time_limit = command.time_limit;
  sweep.fresh = command.fresh;
  bool bar_shown = false;
  if (!quiet && !command.report.json && ::isatty(2) != 0)
    sweep.progress = [&](const ensemble::SweepProgress& progress) {
      if (progress.seconds < seconds_without_bar) return;
      bar_shown = true;
      std::fprintf(stderr, "\r\033[K%s", progress_line(progress).c_str());
    };
  const auto outcome = ensemble::run_sweep(
      shape.cases.n_cases(),
      [&](std::uint64_t number) {
        return ensemble::simulate_case(model.variant(number), model.options_for(number, options),
                                       shape.variables);
      },
      sweep);
  if (bar_shown) std::fprintf(stderr, "\r\033[K");
  if (outcome.rank != 0) return 0;
  return finish(command, model.name(), outcome, shape, output, sweep.fingerprint, model.units());
}

}  // namespace

Command add_sweep(CLI::App& app) {
  auto command = std::make_shared<SweepCommand>();
  CLI::App* parser = app.add_subcommand(
      "sweep",
      "Run a model many times, each time with other values.\n\n"
      "  alembert sweep pendulum.mo --vary \"g=linspace(9,10,50)\"\n"
      "  alembert sweep pendulum.mo --vary \"g=normal(9.8,0.1)\" --samples 1000 --seed 7\n"
      "  alembert sweep p.mo --vary m=1,2,5 --vary \"k=logspace(-2,2,9)\" --plot x\n"
      "  alembert sweep p.mo --table cases.csv --output cases.h5\n"
      "  mpirun -n 8 alembert sweep p.mo --vary \"x=uniform(0,1)\" --design sobol --samples 4096\n"
      "\nA sweep that was killed goes on where it stopped when it is started again.\n");
  add_model_options(*parser, command->model);
  parser
      ->add_option("--vary", command->vary,
                   "a parameter or start value, and its values: a list a,b,c, linspace(a,b,n), "
                   "logspace(a,b,n) (10^a to 10^b), geomspace(a,b,n), range(a,b,step), "
                   "uniform(a,b), normal(mean,sd), lognormal(mean,sd); repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
  parser->add_option(
      "--table", command->table,
      "read the cases from a CSV file: names in the first line, then one line per case");
  parser
      ->add_option("--design", command->design,
                   "how cases are chosen: auto (every combination of lists, random samples of "
                   "distributions), factorial, random, lhs (Latin hypercube) or sobol")
      ->check(CLI::IsMember({"auto", "factorial", "random", "lhs", "sobol"}))
      ->capture_default_str();
  parser->add_option("--samples", command->samples, "number of samples to draw");
  parser->add_option("--seed", command->seed, "seed of the random numbers")->capture_default_str();
  parser->add_option("--threads,-j", command->threads,
                     "number of cases that run at the same time (default: all cores)");
  parser
      ->add_option("--time-limit", command->time_limit,
                   "give up a case after this many seconds (default: never)")
      ->check(CLI::NonNegativeNumber);
  parser->add_flag("--fresh", command->fresh,
                   "run all cases anew, even those that an earlier sweep has finished");
  add_run_options(*parser, command->run);
  parser->add_option(
      "--output", command->output,
      "file for all trajectories, .csv or .h5 (default: the model's name, -sweep.csv)");
  parser->add_option("--variables", command->variables,
                     "variables to write, by names and patterns: 'body.*,x' (default: all)");
  parser->add_option("--plot", command->plot,
                     "variables to draw: x,y (default: the first three that vary)");
  parser->add_option("--plot-file", command->plot_file,
                     "file for the picture (default: beside the result, .svg)");
  parser->add_flag("--no-plot", command->no_plot, "draw no picture");
  add_report_options(*parser, command->report);
  return {parser, [command] { return run(*command); }};
}

}  // namespace alembert::commands
