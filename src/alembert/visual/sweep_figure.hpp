// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Pictures of many runs. In: the values of one variable in all cases. Out: a fan
// chart over time, with bands that hold half and nine tenths of the cases, or a map of a quantity
// over two parameters.
#pragma once

#include <string>
#include <vector>

#include "alembert/visual/figure.hpp"

namespace alembert::visual {

struct FanChart {
  std::string name = {};            // with its unit: "h [m]"
  std::vector<double> times = {};   // [n_times], ascending
  std::vector<double> values = {};  // [n_cases][n_times]; NaN where a case has no value
};

Panel fan_panel(const FanChart& chart);

/// The same cases as lines, each with its label; for as few as can be told apart. labels:
/// [n_cases].
Panel lines_panel(const FanChart& chart, const std::vector<std::string>& labels);

struct HeatMap {
  std::string title = {}, x_label = {}, y_label = {};
  std::vector<double> x = {};       // [n_x], ascending: middles of columns
  std::vector<double> y = {};       // [n_y], ascending: middles of rows
  std::vector<double> values = {};  // [n_y][n_x]; NaN: left grey
};

/// The map, and beside it the scale of its colours.
std::vector<Panel> heat_map_panels(const HeatMap& map);

}  // namespace alembert::visual
