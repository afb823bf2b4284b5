// SPDX-License-Identifier: Apache-2.0
// `alembert check`: are the files right?
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/flat/check.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/start_check.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "report_options.hpp"
#include "terminal.hpp"

namespace alembert::commands {

namespace {

using modelica::ClassNode;

struct CheckOptions {
  ModelOptions models;
  ReportOptions report;
  bool parse_only = false;
};

struct Findings {
  std::size_t n_classes = 0;
  std::vector<Diagnostic> mistakes;
};

/// Reads every file of a package; a mistake in one does not hide those in others.
void read_all(ClassNode& node, Findings& findings) {
  try {
    node.definition();
    ++findings.n_classes;
    for (ClassNode* child : node.children()) read_all(*child, findings);
  } catch (const Error& error) {
    findings.mistakes.insert(findings.mistakes.end(), error.diagnostics().begin(),
                             error.diagnostics().end());
  }
}

/// The model that would be run, if the files have one.
std::optional<std::string> model_of(const CheckOptions& options) {
  if (options.parse_only) return std::nullopt;
  if (!options.models.model.empty()) return options.models.model;
  try {
    return modelica::default_model(options.models.source());
  } catch (const Error&) {
    return std::nullopt;  // a package, to be looked at as text
  }
}

int run(const CheckOptions& options) {
  modelica::ClassLibrary library;
  Findings findings;
  for (ClassNode* node : load_classes(library, options.models)) read_all(*node, findings);
  if (!findings.mistakes.empty()) throw Error(std::move(findings.mistakes));
  std::string more;
  nlohmann::ordered_json report = {{"classes", findings.n_classes},
                                   {"files", library.files_read()}};
  if (const auto model = model_of(options)) {
    ModelOptions chosen = options.models;
    chosen.model = *model;
    const flat::FlatSystem flat = read_model(chosen, options.report.quiet);
    flat::check(flat);
    const structure::StructuralPhase phase = structure::run_passes(flat);  // as explain, simulate
    const std::vector<Diagnostic> doubts = structure::check_start(flat, phase);
    if (!options.report.quiet) {
      for (const structure::DroppedConstraint& dropped : phase.dropped)
        say("warning: " + structure::describe(phase.simplified.flat, dropped));
      say_warnings(doubts);
    }
    more = fmt::format(
        "; {}: {} for {}, no mistakes", *model,
        flat::counted(flat.equations.size() + flat.discrete_equations.size(), "equation"),
        flat::counted(flat.unknowns.size() + flat.discrete_variables.size(), "unknown"));
    report["model"] = *model;
    report["equations"] = flat.equations.size() + flat.discrete_equations.size();
  }
  if (options.report.json)
    std::printf("%s\n", report.dump(1).c_str());
  else if (!options.report.quiet)
    std::printf("%zu %s in %zu %s: no mistakes in the text%s\n", findings.n_classes,
                findings.n_classes == 1 ? "class" : "classes", library.files_read(),
                library.files_read() == 1 ? "file" : "files", more.c_str());
  return 0;
}

}  // namespace

Command add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* parser = app.add_subcommand(
      "check",
      "Check Modelica files for mistakes, without running them.\n\n"
      "  alembert check pendulum.mo                a file, and the model in it\n"
      "  alembert check Robots/ --model Robots.Arm the text of a package, and one model\n"
      "  alembert check Robots/ --parse-only       every file of a package, its text only\n");
  add_model_options(*parser, options->models);
  add_report_options(*parser, options->report);
  parser->add_flag("--parse-only", options->parse_only, "stop after reading the text");
  return {parser, [options] { return run(*options); }};
}

}  // namespace alembert::commands
