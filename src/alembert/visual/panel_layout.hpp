// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Where everything of a panel goes: plot area, ticks, texts, legend.
// In: a panel and the rectangle it may fill. Out: the margins its texts need, and then, with
// margins agreed among neighbours, the places. Labels are measured, so that they never overlap.
#pragma once

#include <string>
#include <vector>

#include "alembert/visual/axis.hpp"
#include "alembert/visual/canvas.hpp"
#include "alembert/visual/ticks.hpp"

namespace alembert::visual {

/// Sizes of text, all from the figure's one.
struct TextStyles {
  explicit TextStyles(double size);

  TextStyle figure_title, title, subtitle, label, tick, exponent, legend, note;
};

struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

struct LegendEntry {
  std::string label;
  Colour colour;
  const Line* line = nullptr;  // one of the two is set
  const Points* points = nullptr;
  Stroke stroke = Stroke::solid;  // of the line
};

struct PanelLayout {
  Rect cell, plot;
  Margins margins;
  Axes axes;
  Ticks x_ticks, y_ticks;
  bool names_x = true;
  std::string x_label, y_label;  // with the common power of ten of the ticks
  std::vector<std::string> title_lines, subtitle_lines;
  std::vector<LegendEntry> legend;
  LegendPlace legend_place = LegendPlace::hidden;
  Rect legend_box;
};

/// Colours of the panel's lines, then of its points, with the defaults filled in.
std::vector<Colour> series_colours(const Panel& panel);
/// Strokes of the panel's lines: those that take a colour a second time are told apart by them.
std::vector<Stroke> series_strokes(const Panel& panel);

/// Places everything for the given margins, and finds the margins that its texts really need.
/// Called again with those (or larger ones) it gives the final layout. `names_x` is false for a
/// panel that leaves the numbers of x to the one below it.
PanelLayout lay_out_panel(const Canvas& canvas, const Panel& panel, const TextStyles& styles,
                          const Rect& cell, const Margins& margins, bool names_x);

/// Width of tick labels like 10 with a raised exponent.
double tick_label_width(const Canvas& canvas, const Tick& tick, const TextStyles& styles);

/// Number of lines of a legend above the panel, whose entries flow from left to right.
int flowing_legend_lines(const Canvas& canvas, const PanelLayout& layout, const TextStyles& styles);

namespace spacing {

inline constexpr double tick_length = 3;
inline constexpr double tick_gap = 3;
inline constexpr double label_gap = 7;
inline constexpr double title_gap = 5;
inline constexpr double legend_swatch = 16;
inline constexpr double legend_gap = 5;
inline constexpr double legend_padding = 4;
inline constexpr double legend_inset = 5;

}  // namespace spacing

/// Height of one line of text, with the space below it.
double line_height(const TextStyle& style);

/// With its middle left out where it is longer than `width`: names differ at both ends.
std::string shortened(const Canvas& canvas, const std::string& text, const TextStyle& style,
                      double width);

/// Broken between words so that each line fits; a line break in the text is kept.
std::vector<std::string> wrap_text(const Canvas& canvas, const std::string& text,
                                   const TextStyle& style, double width);

}  // namespace alembert::visual
