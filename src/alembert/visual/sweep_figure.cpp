// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/sweep_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "alembert/base/constants.hpp"

namespace alembert::visual {

namespace {

/// From dark to light in steps that look equal (viridis; S. van der Walt and N. Smith, 2015).
constexpr std::array<Colour, 10> scale_colours = {
    palette::rgb(68, 1, 84),    palette::rgb(72, 40, 120),  palette::rgb(62, 73, 137),
    palette::rgb(49, 104, 142), palette::rgb(38, 130, 142), palette::rgb(31, 158, 137),
    palette::rgb(53, 183, 121), palette::rgb(110, 206, 88), palette::rgb(181, 222, 43),
    palette::rgb(253, 231, 37)};

Colour colour_at(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * double(scale_colours.size() - 1);
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(place), scale_colours.size() - 2);
  return mix(scale_colours[i], scale_colours[i + 1], place - double(i));
}

/// Borders halfway between neighbours, and as far beyond the first and the last.
std::vector<double> borders(const std::vector<double>& middles) {
  const std::size_t n = middles.size();
  if (n == 1) {
    const double half = middles[0] == 0 ? 0.5 : 0.05 * std::abs(middles[0]);
    return {middles[0] - half, middles[0] + half};
  }
  std::vector<double> result{middles[0] - 0.5 * (middles[1] - middles[0])};
  for (std::size_t i = 1; i < n; ++i) result.push_back(0.5 * (middles[i - 1] + middles[i]));
  result.push_back(middles[n - 1] + 0.5 * (middles[n - 1] - middles[n - 2]));
  return result;
}

Line legend_swatch(const std::string& label, const Colour& colour) {
  return {.label = label, .colour = colour, .width = 6};
}

/// Where the share p of the values lies below; those that are not finite do not count. NaN if none
/// is. Sorts the values.
double quantile(std::vector<double>& values, double p) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double place = p * double(values.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(place), values.size() - 1);
  const auto next = std::min(i + 1, values.size() - 1);
  return values[i] + (place - double(i)) * (values[next] - values[i]);
}

}  // namespace

Panel fan_panel(const FanChart& chart) {
  const std::size_t n_times = chart.times.size();
  const Colour wide = palette::blue.with_alpha(0.18), narrow = palette::blue.with_alpha(0.32);
  std::array<std::vector<double>, 5> levels;
  constexpr std::array<double, 5> shares = {0.05, 0.25, 0.5, 0.75, 0.95};
  std::vector<double> column;
  for (std::size_t t = 0; t < n_times; ++t) {
    column.clear();
    for (std::size_t at = t; at < chart.values.size(); at += n_times)
      column.push_back(chart.values[at]);
    for (std::size_t k = 0; k < shares.size(); ++k)
      levels[k].push_back(quantile(column, shares[k]));
  }
  Panel panel;
  panel.x_label = "time [s]";
  panel.y_label = chart.name;
  panel.bands = {{chart.times, levels[0], levels[4], wide},
                 {chart.times, levels[1], levels[3], narrow}};
  panel.lines.push_back(
      {.x = chart.times, .y = levels[2], .label = "median", .colour = palette::blue, .width = 1.6});
  panel.lines.push_back(legend_swatch("half of the cases", palette::blue.with_alpha(0.44)));
  panel.lines.push_back(legend_swatch("9 of 10", wide));
  return panel;
}

Panel lines_panel(const FanChart& chart, const std::vector<std::string>& labels) {
  const std::size_t n_times = chart.times.size();
  Panel panel;
  panel.x_label = "time [s]";
  panel.y_label = chart.name;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto first = chart.values.begin() + static_cast<std::ptrdiff_t>(i * n_times);
    panel.lines.push_back({.x = chart.times,
                           .y = {first, first + static_cast<std::ptrdiff_t>(n_times)},
                           .label = labels[i],
                           .colour = labels.size() == 1
                                         ? palette::blue
                                         : colour_at(0.9 * double(i) / double(labels.size() - 1))});
  }
  return panel;
}

std::vector<Panel> heat_map_panels(const HeatMap& map) {
  double low = infinity, high = -low;
  for (const double value : map.values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  if (low > high) low = 0, high = 1;
  if (high - low <= 1e-13 * std::max(std::abs(low), std::abs(high))) {
    const double room = low == 0 ? 1 : 0.1 * std::abs(low);
    low -= room;
    high += room;
  }
  Panel field;
  field.title = map.title;
  field.x_label = map.x_label;
  field.y_label = map.y_label;
  field.weight = 6;
  const auto x = borders(map.x), y = borders(map.y);
  for (std::size_t j = 0; j < map.y.size(); ++j)
    for (std::size_t i = 0; i < map.x.size(); ++i) {
      const double value = map.values[j * map.x.size() + i];
      field.tiles.push_back(
          {x[i], x[i + 1], y[j], y[j + 1],
           std::isfinite(value) ? colour_at((value - low) / (high - low)) : palette::grid});
    }
  Panel bar;
  bar.weight = 1;
  bar.x_range = Range{0, 1};
  bar.hide_x = true;
  constexpr int n_steps = 64;
  for (int k = 0; k < n_steps; ++k)
    bar.tiles.push_back({0, 1, low + (high - low) * k / n_steps,
                         low + (high - low) * (k + 1) / n_steps, colour_at((k + 0.5) / n_steps)});
  return {std::move(field), std::move(bar)};
}

}  // namespace alembert::visual
