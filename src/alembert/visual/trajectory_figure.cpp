// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/trajectory_figure.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/base/unit.hpp"

namespace alembert::visual {
namespace {

// Lines whose values differ in size by more than this do not share an axis: the smaller would lie
// flat.
constexpr double like_size = 20;
constexpr std::size_t most_lines = 7;  // in a panel: as many as there are colours
constexpr std::size_t most_event_marks = 40;

double size_of(const std::vector<double>& values) {
  double size = 0;
  for (double value : values)
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  return size;
}

bool varies(const result::Trajectory& trajectory, std::size_t column) {
  for (std::size_t i = 1; i < trajectory.n_rows(); ++i)
    if (trajectory.value(i, column) != trajectory.value(0, column)) return true;
  return false;
}

/// What the values of a line are in; empty where that is not known.
std::string shown_unit(const std::string& name, const PlotOptions& options) {
  for (const auto* units : {&options.display_units, &options.units})
    if (const auto unit = units->find(name); unit != units->end()) return unit->second;
  return {};
}

/// The values of a variable or an expression as they are drawn.
std::vector<double> shown_values(const std::string& name, const result::Trajectory& trajectory,
                                 const PlotOptions& options) {
  std::vector<double> values = result::evaluate_formula(name, trajectory, options.constants);
  const auto wanted = options.display_units.find(name);
  const auto given = options.units.find(name);
  if (wanted == options.display_units.end() || given == options.units.end()) return values;
  const std::optional<Unit> to = parse_unit(wanted->second);
  const std::optional<Unit> from = parse_unit(given->second);
  if (!to || !from) return values;
  for (double& value : values) value = converted(value, *from, *to);
  return values;
}

std::string with_unit(const std::string& name, const PlotOptions& options) {
  const std::string unit = shown_unit(name, options);
  return unit.empty() || unit == "1" ? name : name + " [" + unit + "]";
}

/// The unit that all lines have; empty where they differ.
std::string common_unit(std::span<const std::string> names, const PlotOptions& options) {
  std::string common;
  for (const std::string& name : names) {
    const std::string unit = shown_unit(name, options);
    if (unit.empty()) return {};
    if (!common.empty() && common != unit) return {};
    common = unit;
  }
  return common == "1" ? std::string() : common;
}

void mark_events(Panel& panel, const std::vector<double>& times) {
  if (times.size() > most_event_marks) return;
  for (const double time : times)
    panel.guides.push_back({.along = Guide::Along::y, .at = time, .stroke = Stroke::dotted});
}

Panel panel_over_time(const result::Trajectory& trajectory, std::span<const std::string> names,
                      const PlotOptions& options) {
  Panel panel{.x_label = "time [s]"};
  const std::string unit = common_unit(names, options);
  for (const std::string& name : names)
    panel.lines.push_back({.x = trajectory.times(),
                           .y = shown_values(name, trajectory, options),
                           .label = unit.empty() ? with_unit(name, options) : name});
  // One line needs no legend: its name stands at the axis.
  if (names.size() == 1) {
    panel.lines[0].label.clear();
    panel.y_label = with_unit(names[0], options);
  } else if (!unit.empty()) {
    panel.y_label = "[" + unit + "]";
  }
  return panel;
}

}  // namespace

std::vector<std::string> names_that_vary(const result::Trajectory& trajectory, std::size_t most) {
  std::vector<std::string> names;
  for (const bool derivatives : {false, true}) {
    if (!names.empty()) break;
    for (std::size_t c = 0; c < trajectory.n_columns() && names.size() < most; ++c)
      if (const std::string& name = trajectory.names()[c];
          name.starts_with("der(") == derivatives && varies(trajectory, c))
        names.push_back(name);
  }
  if (names.empty() && trajectory.n_columns() > 0) names.push_back(trajectory.names()[0]);
  return names;
}

std::vector<std::vector<std::string>> group_by_size(const result::Trajectory& trajectory,
                                                    std::span<const std::string> names,
                                                    const PlotOptions& options) {
  std::vector<std::vector<std::string>> groups;
  std::vector<double> sizes;
  for (const std::string& name : names) {
    const double size = size_of(shown_values(name, trajectory, options));
    std::size_t fits = 0;
    for (; fits < groups.size(); ++fits) {
      const double ratio = size / sizes[fits];
      if (groups[fits].size() < most_lines &&
          (size == 0 || sizes[fits] == 0 || (ratio < like_size && ratio > 1 / like_size)))
        break;
    }
    if (fits == groups.size()) {
      groups.emplace_back();
      sizes.push_back(size);
    }
    groups[fits].push_back(name);
    sizes[fits] = std::max(sizes[fits], size);
  }
  return groups;
}

std::vector<double> event_times(const result::Trajectory& trajectory) {
  std::vector<double> times;
  const auto& all = trajectory.times();
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] == all[i - 1] && (times.empty() || times.back() != all[i])) times.push_back(all[i]);
  return times;
}

Figure plot(const result::Trajectory& trajectory, const std::vector<std::string>& names,
            const PlotOptions& options) {
  return plot_panels(trajectory, group_by_size(trajectory, names, options), options);
}

Figure plot_panels(const result::Trajectory& trajectory,
                   const std::vector<std::vector<std::string>>& panels,
                   const PlotOptions& options) {
  Figure figure{.arrangement = Arrangement::column};
  const auto events = options.event_marks ? event_times(trajectory) : std::vector<double>();
  for (const auto& names : panels) {
    figure.panels.push_back(panel_over_time(trajectory, names, options));
    mark_events(figure.panels.back(), events);
  }
  if (figure.panels.size() == 1) figure.arrangement = Arrangement::row;
  return figure;
}

Figure plot_path(const result::Trajectory& trajectory, const std::string& x, const std::string& y,
                 const PlotOptions& options) {
  Panel panel{
      .x_label = with_unit(x, options), .y_label = with_unit(y, options), .equal_axes = true};
  panel.lines.push_back(
      {.x = shown_values(x, trajectory, options), .y = shown_values(y, trajectory, options)});
  return {.panels = {std::move(panel)}, .width = 360, .height = 340};
}

Figure overlay(std::vector<RunFigure> runs) {
  ensure(!runs.empty(), "there is a run to draw");
  // Each line has a colour of its own, and later runs are broken, so that where they agree the
  // first one shows through.
  constexpr Stroke strokes[] = {Stroke::solid, Stroke::dashed, Stroke::dotted};
  Figure figure = runs[0].figure;
  for (std::size_t k = 0; k < figure.panels.size(); ++k) {
    Panel& panel = figure.panels[k];
    panel.lines.clear();
    for (std::size_t r = 0; r < runs.size(); ++r) {
      ensure(runs[r].figure.panels.size() == figure.panels.size(), "the same panels of each run");
      std::vector<Line>& lines = runs[r].figure.panels[k].lines;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].colour = palette::series[(i + r * lines.size()) % palette::series.size()];
        if (r > 0 && runs.size() <= std::size(strokes)) lines[i].stroke = strokes[r];
        lines[i].label =
            lines[i].label.empty() ? runs[r].name : lines[i].label + " (" + runs[r].name + ")";
        panel.lines.push_back(std::move(lines[i]));
      }
    }
  }
  return figure;
}

}  // namespace alembert::visual
