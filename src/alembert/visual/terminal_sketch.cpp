// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/terminal_sketch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::visual {
namespace {

// Order of ANSI colours that stay legible on dark and on light ground.
constexpr std::array<int, 6> ansi_colours = {34, 31, 32, 35, 33, 36};

struct Bounds {
  double low = infinity;
  double high = -infinity;

  void include(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return low > high; }
  /// Room around a constant, so that it lies in the middle.
  void widen() {
    if (low < high) return;
    const double room = low == 0 ? 1 : 0.1 * std::abs(low);
    low -= room;
    high += room;
  }
  void widen_to(double span) {
    const double room = (span - (high - low)) / 2;
    low -= room;
    high += room;
  }
};

/// The ends with as many digits as tell them apart: six, more where both are far from zero.
std::pair<std::string, std::string> end_texts(const Bounds& bounds) {
  const double largest = std::max(std::abs(bounds.low), std::abs(bounds.high));
  const double digits = std::log10(largest / (bounds.high - bounds.low)) + 3;
  const int precision = static_cast<int>(std::clamp(digits, 6., 17.));
  const double rounding = 1e-9 * (bounds.high - bounds.low);  // what no sketch can show is 0
  const auto text = [&](double end) {
    return rounded_text(std::abs(end) < rounding ? 0 : end, precision);
  };
  return {text(bounds.low), text(bounds.high)};
}

class Grid {
 public:
  Grid(int columns, int rows)
      : columns_(columns),
        rows_(rows),
        dots_(static_cast<std::size_t>(columns * rows), 0),
        owner_(static_cast<std::size_t>(columns * rows), -1) {}

  int width() const { return 2 * columns_; }
  int height() const { return 4 * rows_; }

  void dot(int x, int y, int line) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    // Braille numbers its dots down the left column, down the right one, then the bottom row.
    constexpr std::array<std::array<unsigned, 4>, 2> bit = {
        {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
    const auto cell = static_cast<std::size_t>(y / 4 * columns_ + x / 2);
    dots_[cell] |= bit[static_cast<std::size_t>(x % 2)][static_cast<std::size_t>(y % 4)];
    owner_[cell] = line;
  }

  void segment(double x0, double y0, double x1, double y1, int line) {
    const int n = static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    for (int k = 0; k <= n; ++k) {
      const double share = n == 0 ? 0 : static_cast<double>(k) / n;
      dot(static_cast<int>(std::lround(x0 + share * (x1 - x0))),
          static_cast<int>(std::lround(y0 + share * (y1 - y0))), line);
    }
  }

  std::string row(int r, bool colour) const {
    std::string text;
    int current = -1;
    for (int c = 0; c < columns_; ++c) {
      const auto cell = static_cast<std::size_t>(r * columns_ + c);
      if (colour && owner_[cell] != current) {
        current = owner_[cell];
        text +=
            current < 0
                ? "\033[0m"
                : "\033[" +
                      std::to_string(
                          ansi_colours[static_cast<std::size_t>(current) % ansi_colours.size()]) +
                      "m";
      }
      append_braille(text, dots_[cell]);
    }
    if (colour && current >= 0) text += "\033[0m";
    return text;
  }

 private:
  /// U+2800 and on, in UTF-8.
  static void append_braille(std::string& text, unsigned dots) {
    const unsigned code = 0x2800u + dots;
    text += static_cast<char>(0xE0u | code >> 12);
    text += static_cast<char>(0x80u | (code >> 6 & 0x3Fu));
    text += static_cast<char>(0x80u | (code & 0x3Fu));
  }

  int columns_, rows_;
  std::vector<unsigned> dots_;
  std::vector<int> owner_;  // line drawn last in the cell
};

std::string padded(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string legend(const Panel& panel, bool colour, const std::string& indent) {
  std::string text;
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    if (panel.lines[k].label.empty()) continue;
    const std::string name = panel.lines[k].label;
    text += text.empty() ? indent : "   ";
    text += colour ? "\033[" + std::to_string(ansi_colours[k % ansi_colours.size()]) + "m" + name +
                         "\033[0m"
                   : name;
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string terminal_sketch(const Panel& panel, const SketchOptions& options) {
  Bounds x, y;
  for (const Line& line : panel.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) continue;
      x.include(line.x[i]);
      y.include(line.y[i]);
    }
  if (x.empty()) return "nothing to draw: no finite values\n";
  x.widen();
  y.widen();
  Grid grid(std::max(options.columns, 8), std::max(options.rows, 3));
  if (panel.equal_axes) {  // dots are as far apart across as down
    const double step =
        std::max((x.high - x.low) / (grid.width() - 1), (y.high - y.low) / (grid.height() - 1));
    x.widen_to(step * (grid.width() - 1));
    y.widen_to(step * (grid.height() - 1));
  }
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const Line& line = panel.lines[k];
    const auto column = [&](std::size_t i) {
      return (line.x[i] - x.low) / (x.high - x.low) * (grid.width() - 1);
    };
    const auto row = [&](std::size_t i) {
      return (y.high - line.y[i]) / (y.high - y.low) * (grid.height() - 1);
    };
    bool joined = false;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const bool here = std::isfinite(line.x[i]) && std::isfinite(line.y[i]);
      if (here && joined)
        grid.segment(column(i - 1), row(i - 1), column(i), row(i), static_cast<int>(k));
      else if (here)
        grid.segment(column(i), row(i), column(i), row(i), static_cast<int>(k));
      joined = here;
    }
  }
  const auto [bottom, top] = end_texts(y);
  const std::size_t margin = std::max(top.size(), bottom.size());
  const std::string indent(margin + 2, ' ');
  const int n_rows = std::max(options.rows, 3);
  std::string text = panel.title.empty() ? "" : indent + panel.title + "\n";
  for (int r = 0; r < n_rows; ++r) {
    const std::string label = r == 0 ? top : r == n_rows - 1 ? bottom : "";
    text += padded(label, margin) + " |" + grid.row(r, options.colour) + "\n";
  }
  const auto [left, right] = end_texts(x);
  const auto width = static_cast<std::size_t>(std::max(options.columns, 8));
  const std::size_t used = left.size() + right.size() + panel.x_label.size();
  const std::size_t gap = width > used ? (width - used) / 2 : 1;
  text += indent + left + std::string(gap, ' ') + panel.x_label +
          std::string(width > used + gap ? width - used - gap : 1, ' ') + right + "\n";
  return text + legend(panel, options.colour, indent);
}

}  // namespace alembert::visual
