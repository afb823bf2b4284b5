// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/axis.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/base/constants.hpp"

namespace alembert::visual {
namespace {

// A time axis ends where the run ends; other axes leave room around the data.
constexpr double margin_of_data = 0.06;

bool is_monotone(const std::vector<double>& values) {
  return std::is_sorted(values.begin(), values.end());
}

// The span of all values the axis can show.
struct Extent {
  double low = infinity;
  double high = -infinity;

  void include(const std::vector<double>& values, Scale scale) {
    for (double value : values) {
      if (!std::isfinite(value) || (scale == Scale::logarithmic && value <= 0)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
};

Range data_range(const Extent& extent, Scale scale, double margin) {
  if (extent.low > extent.high) return scale == Scale::logarithmic ? Range{1, 10} : Range{0, 1};
  if (scale == Scale::logarithmic) {
    const double low = std::clamp(std::log10(extent.low), -299.0, 299.0);
    const double high = std::clamp(std::log10(extent.high), -299.0, 299.0);
    const double room = high > low ? margin * (high - low) : 0.5;
    return {std::pow(10, std::max(low - room, -300.0)), std::pow(10, std::min(high + room, 300.0))};
  }
  // Beyond this an axis would overflow.
  constexpr double most = 1e300;
  const double low = std::max(extent.low, -most), high = std::min(extent.high, most);
  const double size = std::max(std::abs(low), std::abs(high));
  // What differs by rounding only is one value: show it in the middle, not its noise. The same goes
  // for differences that have no decimal digits left.
  constexpr double least = 1e-290;
  if (high - low <= std::max(1e-13 * size, least)) {
    const double room = size > least ? 0.1 * size : 1;
    return {low - room, high + room};
  }
  const double room = margin * (high - low);
  return {low - room, high + room};
}

// Widens the range about its middle.
void widen_to(Range& range, double span) {
  const double middle = 0.5 * (range.low + range.high);
  range = {middle - 0.5 * span, middle + 0.5 * span};
}

}  // namespace

double Axis::to_page(double value) const {
  const auto place = [this](double v) { return scale == Scale::logarithmic ? std::log(v) : v; };
  const double low = place(range.low), high = place(range.high);
  const double share = (place(value) - low) / (high - low);
  // Far outside is as good as anywhere outside, and keeps the numbers of the file small.
  return page_low + std::clamp(share, -50.0, 50.0) * (page_high - page_low);
}

bool Axis::shows(double value) const {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

Axes make_axes(const Panel& panel, const Rect& plot) {
  Extent x, y;
  bool over_time = !panel.equal_axes && !panel.lines.empty();
  for (const Line& line : panel.lines) {
    x.include(line.x, panel.x_scale);
    y.include(line.y, panel.y_scale);
    over_time = over_time && is_monotone(line.x);
  }
  for (const Points& points : panel.points) {
    x.include(points.x, panel.x_scale);
    y.include(points.y, panel.y_scale);
  }
  for (const Band& band : panel.bands) {
    x.include(band.x, panel.x_scale);
    y.include(band.low, panel.y_scale);
    y.include(band.high, panel.y_scale);
  }
  for (const Tile& tile : panel.tiles) {
    x.include({tile.x_low, tile.x_high}, panel.x_scale);
    y.include({tile.y_low, tile.y_high}, panel.y_scale);
  }
  const bool map = !panel.tiles.empty();  // tiles go up to the edge
  Range x_range =
      panel.x_range.value_or(data_range(x, panel.x_scale, over_time || map ? 0 : margin_of_data));
  // A run whose first row comes a little after 0 still begins at 0.
  if (over_time && !panel.x_range && panel.x_scale == Scale::linear && x_range.low > 0 &&
      x_range.low < 0.02 * x_range.span())
    x_range.low = 0;
  Range y_range = panel.y_range.value_or(data_range(y, panel.y_scale, map ? 0 : margin_of_data));
  if (panel.equal_axes) {
    const double unit = std::max(x_range.span() / plot.width, y_range.span() / plot.height);
    widen_to(x_range, unit * plot.width);
    widen_to(y_range, unit * plot.height);
  }
  return {.x = {x_range, panel.x_scale, plot.x, plot.right()},
          .y = {y_range, panel.y_scale, plot.bottom(), plot.y}};
}

}  // namespace alembert::visual
