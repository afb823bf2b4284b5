// SPDX-License-Identifier: Apache-2.0
// `alembert explain`: the structure of a model, and why it is so.
#include "alembert/structure/explain.hpp"

#include <cstdio>
#include <memory>

#include "alembert/visual/structure_figure.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "report_options.hpp"
#include "terminal.hpp"

namespace alembert::commands {

namespace {

struct ExplainOptions {
  ModelOptions model;
  ReportOptions report;
  std::string picture;
};

/// What can be drawn of a model that is wrong shows where.
structure::Explanation explain_or_draw(const flat::FlatSystem& flat, const std::string& picture) {
  try {
    return structure::explain(flat);
  } catch (const Error&) {
    if (!picture.empty() && !flat.equations.empty()) {
      visual::write_matrix_figure(visual::singular_figure(flat), picture);
      say("Picture: " + picture);
    }
    throw;
  }
}

int run(const ExplainOptions& options) {
  const structure::Explanation explanation =
      explain_or_draw(read_model(options.model, options.report.quiet), options.picture);
  if (!options.picture.empty())
    visual::write_matrix_figure(visual::structure_figure(explanation), options.picture);
  const std::string report =
      options.report.json ? structure::to_json(explanation) : structure::to_text(explanation);
  std::fputs(report.c_str(), stdout);
  if (!options.picture.empty() && !options.report.json && !options.report.quiet)
    std::printf("Picture: %s\n", options.picture.c_str());
  return 0;
}

}  // namespace

Command add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* parser = app.add_subcommand(
      "explain",
      "Show the structure of a model: index, states, blocks, what was differentiated and why.\n\n"
      "  alembert explain pendulum.mo\n"
      "  alembert explain pendulum.mo --picture pendulum.svg   the incidence, before and after\n"
      "  alembert explain pendulum.mo --json                   for scripts\n");
  add_model_options(*parser, options->model);
  add_report_options(*parser, options->report);
  parser->add_option(
      "--picture", options->picture,
      "draw which equation has which unknown, as written and in solve order, or the part that is "
      "wrong: .svg, .png or .pdf");
  return {parser, [options] { return run(*options); }};
}

}  // namespace alembert::commands
