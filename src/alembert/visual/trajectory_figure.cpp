// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/trajectory_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alembert::visual {
namespace {

// Lines whose values differ in size by more than this do not share an axis: the smaller would lie
// flat.
constexpr double like_size = 20;
constexpr std::size_t most_lines = 7;  // in a panel: as many as there are colours

double size_of(const std::vector<double>& values) {
  double size = 0;
  for (double value : values)
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  return size;
}

}  // namespace

Figure figure_over_time(const result::Trajectory& trajectory, std::span<const std::string> names) {
  Figure figure{.arrangement = Arrangement::column};
  std::vector<double> panel_sizes;
  for (const std::string& name : names) {
    Line line{.x = trajectory.times(), .y = trajectory.column(name), .label = name};
    const double size = size_of(line.y);
    std::size_t fits = 0;
    for (; fits < figure.panels.size(); ++fits) {
      const double ratio = size / panel_sizes[fits];
      if (figure.panels[fits].lines.size() < most_lines &&
          (size == 0 || panel_sizes[fits] == 0 || (ratio < like_size && ratio > 1 / like_size)))
        break;
    }
    if (fits == figure.panels.size()) {
      figure.panels.emplace_back();
      panel_sizes.push_back(size);
    }
    figure.panels[fits].lines.push_back(std::move(line));
    panel_sizes[fits] = std::max(panel_sizes[fits], size);
  }
  for (Panel& panel : figure.panels) {
    panel.x_label = "time [s]";
    // One line needs no legend: its name stands at the axis.
    if (panel.lines.size() == 1) panel.y_label = std::exchange(panel.lines[0].label, {});
  }
  if (figure.panels.size() == 1) figure.arrangement = Arrangement::row;
  return figure;
}

Figure figure_of_path(const result::Trajectory& trajectory, const std::string& x,
                      const std::string& y) {
  Panel panel{.x_label = x, .y_label = y, .equal_axes = true};
  panel.lines.push_back({.x = trajectory.column(x), .y = trajectory.column(y)});
  return {.panels = {std::move(panel)}, .width = 360, .height = 340};
}

}  // namespace alembert::visual
