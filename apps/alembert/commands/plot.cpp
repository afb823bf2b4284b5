// SPDX-License-Identifier: Apache-2.0
// `alembert plot`: a picture of a result.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/result/files.hpp"
#include "alembert/visual/terminal_sketch.hpp"
#include "alembert/visual/trajectory_figure.hpp"
#include "alembert/visual/write_figure.hpp"
#include "command.hpp"
#include "names.hpp"

namespace alembert::commands {

namespace {

constexpr std::size_t most_by_default = 6;  // variables, when none is named

struct PlotOptions {
  std::string result;
  std::vector<std::string> names;
  std::vector<std::string> path;    // x, y
  std::vector<std::string> panels;  // "a,b": each its own panel
  std::string output;
  std::string title;
  bool terminal = false;
};

bool varies(const result::Trajectory& trajectory, std::size_t column) {
  for (std::size_t i = 1; i < trajectory.n_rows(); ++i)
    if (trajectory.value(i, column) != trajectory.value(0, column)) return true;
  return false;
}

std::vector<std::string> first_that_vary(const result::Trajectory& trajectory) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < trajectory.n_columns() && names.size() < most_by_default; ++c)
    if (varies(trajectory, c)) names.push_back(trajectory.names()[c]);
  if (names.empty() && trajectory.n_columns() > 0) names.push_back(trajectory.names()[0]);
  if (names.empty()) throw Error("R008", "the result has no variables to draw, only time.");
  std::fprintf(stderr, "no variables named: drawing");
  for (const std::string& name : names) std::fprintf(stderr, " %s", name.c_str());
  std::fprintf(stderr, "\n");
  return names;
}

visual::Figure make_figure(const PlotOptions& options, const result::Trajectory& trajectory) {
  visual::Figure figure;
  if (!options.path.empty()) {
    figure = visual::figure_of_path(trajectory, options.path[0], options.path[1]);
  } else if (!options.panels.empty()) {
    figure.arrangement = visual::Arrangement::column;
    for (const std::string& panel : options.panels) {
      const auto names = split_names(panel);
      visual::Figure one = visual::figure_over_time(trajectory, names);
      for (auto& part : one.panels) figure.panels.push_back(std::move(part));
    }
  } else {
    const auto names = options.names.empty() ? first_that_vary(trajectory) : options.names;
    figure = visual::figure_over_time(trajectory, names);
  }
  if (!options.title.empty()) figure.title = options.title;
  return figure;
}

void sketch(const visual::Figure& figure) {
  const bool colour = ::isatty(1) != 0;
  for (visual::Panel panel : figure.panels) {
    if (panel.lines.size() == 1 && panel.lines[0].label.empty()) panel.title = panel.y_label;
    std::fputs(visual::terminal_sketch(panel, {.colour = colour}).c_str(), stdout);
  }
}

int run(const PlotOptions& options) {
  if (!options.path.empty() && options.path.size() != 2)
    throw Error("U002", "--xy takes two names, as in --xy x,y.");
  const result::Trajectory trajectory = result::read_result(options.result);
  if (trajectory.n_rows() == 0)
    throw Error("R008", "'" + options.result + "' has no rows: there is nothing to draw.");
  const visual::Figure figure = make_figure(options, trajectory);
  if (options.terminal) {
    sketch(figure);
    return 0;
  }
  const std::filesystem::path output =
      options.output.empty() ? std::filesystem::path(options.result).replace_extension(".svg")
                             : std::filesystem::path(options.output);
  visual::write_figure(figure, output);
  std::printf("%s\n", output.c_str());
  return 0;
}

}  // namespace

Command add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotOptions>();
  auto path = std::make_shared<std::string>();
  CLI::App* parser = app.add_subcommand(
      "plot",
      "Draw variables of a result.\n\n"
      "  alembert plot pendulum.csv x y              over time, into pendulum.svg\n"
      "  alembert plot pendulum.csv --xy x,y         a path in the plane, with equal axes\n"
      "  alembert plot r.mat --panel a,b --panel c   panels under each other\n"
      "  alembert plot r.h5 x --output x.png         svg, png or pdf by the ending\n"
      "  alembert plot r.csv x --terminal            a sketch in the terminal\n");
  parser->add_option("RESULT", options->result, "a result: .csv, .mat or .h5")->required();
  parser->add_option("VAR", options->names, "variables, by their names in the model");
  parser->add_option("--xy", *path, "one variable over another: X,Y");
  parser->add_option("--panel", options->panels, "variables of one panel, with commas; repeatable")
      ->take_all();
  parser->add_option("--output", options->output, "the picture; default: beside the result, .svg");
  parser->add_option("--title", options->title, "above the picture");
  parser->add_flag("--terminal", options->terminal, "draw in the terminal");
  return {parser, [options, path] {
            if (!path->empty()) options->path = split_names(*path);
            return run(*options);
          }};
}

}  // namespace alembert::commands
