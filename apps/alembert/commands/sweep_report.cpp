// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/result/trajectory.hpp"
#include "alembert/visual/sweep_figure.hpp"
#include "terminal.hpp"

namespace alembert::commands {

namespace {

using ensemble::CaseResult;
using ensemble::JournalReader;
using ensemble::SweepShape;

constexpr std::size_t most_panels = 3;      // when no variable is named
constexpr std::size_t most_lines = 8;       // cases that are drawn one by one
constexpr std::size_t most_in_fan = 5'000;  // cases; more would not show

std::string duration(double seconds) {
  if (seconds < 0) return "";
  if (seconds < 90) return fmt::format(", {:.0f} s left", std::ceil(seconds));
  if (seconds < 5400) return fmt::format(", {:.0f} min left", seconds / 60);
  return fmt::format(", {:.1f} h left", seconds / 3600);
}

/// Where two parameters take every combination of their values.
struct Grid {
  std::vector<double> x, y;
};

std::optional<Grid> grid_of(const ensemble::CaseTable& cases) {
  if (cases.names.size() != 2 || !cases.labels[0].empty() || !cases.labels[1].empty())
    return std::nullopt;
  Grid grid;
  for (std::uint64_t i = 0; i < cases.n_cases(); ++i) {
    grid.x.push_back(cases.value(i, 0));
    grid.y.push_back(cases.value(i, 1));
  }
  for (std::vector<double>* axis : {&grid.x, &grid.y}) {
    std::sort(axis->begin(), axis->end());
    axis->erase(std::unique(axis->begin(), axis->end()), axis->end());
  }
  if (grid.x.size() < 2 || grid.y.size() < 2 || grid.x.size() * grid.y.size() != cases.n_cases())
    return std::nullopt;
  return grid;
}

std::size_t place_in(const std::vector<double>& sorted, double value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                  sorted.begin());
}

/// The last values of one variable that a case has.
double last_value(const SweepShape& shape, const CaseResult& result, std::size_t variable) {
  const std::size_t n = shape.variables.size();
  for (std::size_t i = result.values.size() / n; i-- > 0;)
    if (std::isfinite(result.values[i * n + variable])) return result.values[i * n + variable];
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::size_t> chosen(const SweepShape& shape, const JournalReader& journal,
                                const std::vector<std::string>& names) {
  std::vector<std::size_t> columns;
  const result::Trajectory all(shape.variables);
  for (const std::string& name : names) {
    if (!all.find(name)) all.column(name);  // tells of the nearest names
    columns.push_back(*all.find(name));
  }
  if (!columns.empty()) return columns;
  const std::size_t n = shape.variables.size();
  for (const auto& entry : journal.entries()) {
    const CaseResult result = journal.read(entry);
    if (!result.good() || result.values.size() < 2 * n) continue;
    for (std::size_t j = 0; j < n && columns.size() < most_panels; ++j)
      for (std::size_t at = n + j; at < result.values.size(); at += n)
        if (result.values[at] != result.values[j]) {
          columns.push_back(j);
          break;
        }
    break;
  }
  if (columns.empty() && n > 0) columns.push_back(0);
  return columns;
}

using Units = std::map<std::string, std::string>;

/// "h [m]"; of start values, "h(start) [m]".
std::string with_unit(const std::string& name, const Units& units) {
  constexpr std::string_view of_start = "(start)";
  const std::string variable =
      name.ends_with(of_start) ? name.substr(0, name.size() - of_start.size()) : name;
  const auto found = units.find(variable);
  return found == units.end() || found->second.empty() || found->second == "1"
             ? name
             : name + " [" + found->second + "]";
}

/// "k = 2, m = 3"
std::string case_label(const SweepShape& shape, std::uint64_t number) {
  std::string text;
  for (std::size_t j = 0; j < shape.cases.names.size(); ++j)
    text += (text.empty() ? "" : ", ") + shape.cases.names[j] + " = " +
            (shape.cases.labels[j].empty() ? rounded_text(shape.cases.value(number, j))
                                           : shape.cases.text(number, j));
  return text;
}

/// "30 cases, k from 1 to 4"
std::string what_varied(const SweepShape& shape) {
  std::string text = fmt::format("{} cases", shape.cases.n_cases());
  if (shape.cases.names.size() > 4) return text;
  for (std::size_t j = 0; j < shape.cases.names.size(); ++j) {
    text += fmt::format(", {}", shape.cases.names[j]);
    if (!shape.cases.labels[j].empty()) continue;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::uint64_t i = 0; i < shape.cases.n_cases(); ++i) {
      low = std::min(low, shape.cases.value(i, j));
      high = std::max(high, shape.cases.value(i, j));
    }
    text += fmt::format(" from {} to {}", rounded_text(low), rounded_text(high));
  }
  return text;
}

visual::Figure map_figure(const SweepShape& shape, const JournalReader& journal, const Grid& grid,
                          const std::vector<std::size_t>& columns, const Units& units) {
  std::vector<visual::HeatMap> maps;
  for (const std::size_t column : columns)
    maps.push_back(
        {.title = fmt::format("{} at the end", with_unit(shape.variables[column], units)),
         .x_label = with_unit(shape.cases.names[0], units),
         .y_label = with_unit(shape.cases.names[1], units),
         .x = grid.x,
         .y = grid.y,
         .values = std::vector<double>(grid.x.size() * grid.y.size(),
                                       std::numeric_limits<double>::quiet_NaN())});
  for (const auto& entry : journal.entries()) {
    const CaseResult result = journal.read(entry);
    if (!result.good()) continue;
    const std::size_t at = place_in(grid.y, shape.cases.value(entry.number, 1)) * grid.x.size() +
                           place_in(grid.x, shape.cases.value(entry.number, 0));
    for (std::size_t k = 0; k < columns.size(); ++k)
      maps[k].values[at] = last_value(shape, result, columns[k]);
  }
  visual::Figure figure;
  for (const visual::HeatMap& map : maps)
    for (visual::Panel& panel : visual::heat_map_panels(map))
      figure.panels.push_back(std::move(panel));
  figure.width = 60 + 330 * static_cast<double>(maps.size());
  figure.height = 300;
  return figure;
}

visual::Figure fan_figure(const SweepShape& shape, const JournalReader& journal,
                          const std::vector<std::size_t>& columns, const Units& units) {
  const std::size_t n = shape.variables.size(), n_times = shape.times.size();
  std::vector<visual::FanChart> charts;
  for (const std::size_t column : columns)
    charts.push_back({.name = with_unit(shape.variables[column], units), .times = shape.times});
  const std::size_t n_entries = journal.entries().size();
  const std::size_t stride = std::max<std::size_t>(1, n_entries / most_in_fan);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < n_entries; i += stride) {
    CaseResult result = journal.read(journal.entries()[i]);
    if (n_entries <= most_lines) labels.push_back(case_label(shape, journal.entries()[i].number));
    result.values.resize(n_times * n, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (std::size_t t = 0; t < n_times; ++t)
        charts[k].values.push_back(result.values[t * n + columns[k]]);
  }
  visual::Figure figure;
  figure.arrangement = visual::Arrangement::column;
  for (const visual::FanChart& chart : charts) {
    figure.panels.push_back(labels.empty() ? visual::fan_panel(chart)
                                           : visual::lines_panel(chart, labels));
    if (figure.panels.size() > 1) figure.panels.back().legend = visual::LegendPlace::hidden;
  }
  if (!figure.panels.empty()) figure.panels.front().legend = visual::LegendPlace::above;
  if (labels.empty()) figure.title = what_varied(shape);
  return figure;
}

/// The end of one variable over the only parameter that varies.
visual::Panel end_panel(const SweepShape& shape, const JournalReader& journal, std::size_t column,
                        const Units& units) {
  std::vector<std::pair<double, double>> ends;
  for (const auto& entry : journal.entries()) {
    const CaseResult result = journal.read(entry);
    if (result.good())
      ends.emplace_back(shape.cases.value(entry.number, 0), last_value(shape, result, column));
  }
  std::sort(ends.begin(), ends.end());
  visual::Panel panel;
  panel.title = fmt::format("{} at the end", shape.variables[column]);
  panel.x_label = with_unit(shape.cases.names[0], units);
  panel.y_label = with_unit(shape.variables[column], units);
  visual::Points points{.colour = visual::palette::blue, .size = ends.size() > 100 ? 2.0 : 4.0};
  for (const auto& [x, y] : ends) {
    points.x.push_back(x);
    points.y.push_back(y);
  }
  panel.points.push_back(std::move(points));
  return panel;
}

}  // namespace

std::string progress_line(const ensemble::SweepProgress& progress) {
  const double share =
      progress.n_cases == 0 ? 1 : double(progress.n_finished) / double(progress.n_cases);
  std::string text =
      fmt::format("{} {} of {}", bar_of(share), progress.n_finished, progress.n_cases);
  if (progress.n_not_good > 0) text += fmt::format(", {} failed", progress.n_not_good);
  if (progress.n_finished < progress.n_cases) text += duration(progress.seconds_left());
  return text;
}

std::string statistics_table(const std::vector<ensemble::VariableStatistics>& statistics) {
  std::size_t longest = 12;
  for (const auto& one : statistics) longest = std::max(longest, one.name.size());
  std::string text =
      fmt::format("{:<{}} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "at the end",
                  longest, "mean", "deviation", "min", "5 %", "median", "95 %", "max");
  for (const auto& one : statistics) {
    if (one.n == 0) continue;
    text += fmt::format("{:<{}}", one.name, longest);
    for (const double value :
         {one.mean, one.deviation, one.min, one.low, one.median, one.high, one.max})
      text += fmt::format(" {:>12.6g}", value);
    text += "\n";
  }
  return text;
}

visual::Figure sweep_figure(const SweepShape& shape, const JournalReader& journal,
                            std::vector<std::string> names, const Units& units) {
  const std::vector<std::size_t> columns = chosen(shape, journal, names);
  if (const auto grid = grid_of(shape.cases))
    return map_figure(shape, journal, *grid, columns, units);
  visual::Figure figure = fan_figure(shape, journal, columns, units);
  if (columns.size() == 1 && shape.cases.names.size() == 1 && shape.cases.labels[0].empty()) {
    figure.panels.push_back(end_panel(shape, journal, columns[0], units));
    figure.arrangement = visual::Arrangement::row;
    figure.width = 720;
    figure.height = 300;
  }
  return figure;
}

}  // namespace alembert::commands
