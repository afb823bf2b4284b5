// SPDX-License-Identifier: Apache-2.0
// `alembert plot`: a picture of a result.
#include <unistd.h>

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
#include "display_units.hpp"
#include "names.hpp"
#include "report_options.hpp"
#include "result_page.hpp"

namespace alembert::commands {

namespace {

constexpr std::size_t most_by_default = 6;  // variables, when none is named

struct PlotCommand {
  std::string result;
  std::vector<std::string> names;
  std::vector<std::string> path;    // x, y
  std::vector<std::string> panels;  // "a,b": each its own panel
  std::string output;
  std::string title;
  std::vector<std::string> compare;  // further results
  std::string units;                 // "deg,bar": what to show values in
  bool terminal = false;
  bool dark = false;
  bool quiet = false;
};

/// x y and x,y alike; but a name of the result may hold a comma.
std::vector<std::string> names_of_word(const std::string& word,
                                       const result::Trajectory& trajectory) {
  return trajectory.find(word) ? std::vector<std::string>{word} : split_names(word);
}

/// What the command asks for, or a choice where it names nothing.
std::vector<std::vector<std::string>> asked_panels(const PlotCommand& command,
                                                   const result::Trajectory& trajectory,
                                                   const visual::PlotOptions& known = {}) {
  std::vector<std::vector<std::string>> panels;
  for (const std::string& panel : command.panels)
    panels.push_back(names_of_word(panel, trajectory));
  if (!panels.empty() || !command.path.empty()) return panels;
  if (!command.names.empty()) {
    std::vector<std::string> named;
    for (const std::string& word : command.names)
      for (std::string& name : names_of_word(word, trajectory)) named.push_back(std::move(name));
    return visual::group_by_size(trajectory, named, known);
  }
  const auto names = visual::names_that_vary(trajectory, most_by_default);
  if (names.empty()) throw Error("R008", "the result has no variables to draw, only time.");
  std::fprintf(stderr, "no variables named: drawing");
  for (const std::string& name : names) std::fprintf(stderr, " %s", name.c_str());
  std::fprintf(stderr, "\n");
  return visual::group_by_size(trajectory, names, known);
}

/// A result, and in which units it is shown.
struct ShownResult {
  std::string file;
  result::Trajectory trajectory;
  visual::PlotOptions known;
};

ShownResult read_shown(const std::string& file, const std::string& units) {
  ShownResult shown{.file = file, .trajectory = result::read_result(file), .known = {}};
  if (shown.trajectory.n_rows() == 0)
    throw Error("R008", "'" + file + "' has no rows: there is nothing to draw.");
  for (const auto& [name, note] : result::read_notes(file)) {
    if (!note.unit.empty()) shown.known.units.emplace(name, note.unit);
    if (!note.display_unit.empty()) shown.known.display_units.emplace(name, note.display_unit);
  }
  for (auto& [name, unit] : asked_display_units(units, shown.known.units))
    shown.known.display_units.insert_or_assign(name, unit);
  return shown;
}

std::vector<ShownResult> read_all(const PlotCommand& command) {
  std::vector<ShownResult> all;
  all.push_back(read_shown(command.result, command.units));
  for (const std::string& file : command.compare) {
    // All on one axis: as the first, also where a file does not know its units.
    ShownResult other = read_shown(file, "");
    const visual::PlotOptions& first = all.front().known;
    other.known.units.insert(first.units.begin(), first.units.end());
    other.known.display_units = first.display_units;
    all.push_back(std::move(other));
  }
  return all;
}

visual::Figure make_figure(const PlotCommand& command, const std::vector<ShownResult>& results) {
  const auto panels = asked_panels(command, results.front().trajectory, results.front().known);
  std::vector<visual::RunFigure> runs;
  for (const auto& [file, trajectory, known] : results)
    runs.push_back({std::filesystem::path(file).filename().string(),
                    command.path.empty()
                        ? visual::plot_panels(trajectory, panels, known)
                        : visual::plot_path(trajectory, command.path[0], command.path[1], known)});
  visual::Figure figure =
      runs.size() == 1 ? std::move(runs.front().figure) : visual::overlay(std::move(runs));
  figure.title = command.title;
  figure.dark = command.dark;
  return figure;
}

void write_page(const PlotCommand& command, const std::filesystem::path& output) {
  std::vector<std::string> files = {command.result};
  files.insert(files.end(), command.compare.begin(), command.compare.end());
  visual::Page page = page_of_results(files);
  page.panels = asked_panels(command, page.runs.front().trajectory);
  if (!command.path.empty()) page.paths = {{command.path[0], command.path[1]}};
  if (!command.title.empty()) page.title = command.title;
  visual::write_page(std::move(page), output);
}

void sketch(const visual::Figure& figure) {
  const bool colour = ::isatty(1) != 0;
  for (visual::Panel panel : figure.panels) {
    if (panel.lines.size() == 1 && panel.lines[0].label.empty()) panel.title = panel.y_label;
    std::fputs(visual::terminal_sketch(panel, {.colour = colour}).c_str(), stdout);
  }
}

void require_result(const PlotCommand& options) {
  if (!options.result.ends_with(".mo")) return;
  std::string names;
  for (const std::string& name : options.names) names += (names.empty() ? "" : ",") + name;
  throw Error("R006", "'" + options.result +
                          "' is a model, and plot draws results. Run it first: alembert simulate " +
                          options.result + " --plot " + (names.empty() ? "x" : names));
}

int run(const PlotCommand& options) {
  require_result(options);
  if (!options.path.empty() && options.path.size() != 2)
    throw Error("U002", "--xy takes two names, as in --xy x,y.");
  if (options.terminal) {
    sketch(make_figure(options, read_all(options)));
    return 0;
  }
  const std::filesystem::path output =
      options.output.empty() ? std::filesystem::path(options.result).replace_extension(".svg")
                             : std::filesystem::path(options.output);
  const bool page = output.extension() == ".html";
  if (page && !options.units.empty())
    throw Error("U004", "--units is for pictures; a page shows the numbers of the result.");
  if (page)
    write_page(options, output);
  else
    visual::write_figure(make_figure(options, read_all(options)), output);
  if (!options.quiet) std::printf("%s\n", output.c_str());
  return 0;
}

}  // namespace

Command add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotCommand>();
  auto path = std::make_shared<std::string>();
  CLI::App* parser = app.add_subcommand(
      "plot",
      "Draw variables of a result, as a picture or in the terminal.\n\n"
      "  alembert plot pendulum.csv x y              over time, into pendulum.svg\n"
      "  alembert plot pendulum.csv --xy x,y         a path in the plane, with equal axes\n"
      "  alembert plot r.mat --panel a,b --panel c   panels under each other\n"
      "  alembert plot r.csv 'E - E(0)'              an expression; v(t) is v at time t\n"
      "  alembert plot r.h5 x --output x.png         svg, png or pdf by the ending\n"
      "  alembert plot a.csv x --compare b.csv       two results over each other\n"
      "  alembert plot a.csv --compare b.csv --output ab.html   a page for a browser\n"
      "  alembert plot r.h5 phi --units deg          in degrees, where the result has rad\n"
      "  alembert plot r.csv x --terminal            a sketch in the terminal\n");
  parser->add_option("RESULT", options->result, "a result, " + result::known_endings())->required();
  parser->add_option("VAR", options->names, "variables of the model, or expressions of them");
  parser->add_option("--xy", *path, "draw one variable over another: x,y");
  parser
      ->add_option("--panel", options->panels,
                   "draw these variables in a panel of their own: a,b; repeatable")
      ->take_all();
  parser->add_option(
      "--output", options->output,
      "file for the picture (.svg, .png, .pdf) or page (.html); default: beside the result, .svg");
  parser->add_option(
      "--units", options->units,
      "show values in these units: deg,bar,degC,km/h; each is used for the variables "
      "that measure the same quantity (default: the displayUnit of the model). "
      "Needs a result that stores units, .mat or .h5");
  parser->add_option("--title", options->title, "title above the picture");
  parser
      ->add_option("--compare", options->compare,
                   "draw another result over the first one; repeatable")
      ->take_all();
  parser->add_flag("--dark", options->dark, "light text on a dark background");
  parser->add_flag("--terminal", options->terminal, "draw a sketch in the terminal");
  add_message_options(*parser, options->quiet, "do not print the name of the picture");
  return {parser, [options, path] {
            if (!path->empty()) options->path = split_names(*path);
            return run(*options);
          }};
}

}  // namespace alembert::commands
