// SPDX-License-Identifier: Apache-2.0
// Stage: visual. A static figure as plain data: panels with lines, points, guides and notes.
// In: vectors of numbers and how they should look. Out: `write_figure` (write_figure.hpp) makes
// SVG, PNG or PDF of it. All lengths are in points, 1/72 inch. Every default is meant for print:
// state only the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alembert/visual/palette.hpp"

namespace alembert::visual {

enum class Stroke { solid, dashed, dotted };

struct Line {
  std::vector<double> x = {};         // [n]; a value that is not finite makes a gap
  std::vector<double> y = {};         // [n]
  std::string label = {};             ///< empty: not in the legend
  std::optional<Colour> colour = {};  ///< default: the next of the palette
  double width = 1.5;
  Stroke stroke = Stroke::solid;
  std::optional<Colour> from_colour =
      {};  ///< the line turns from this colour into `colour` as it goes
};

enum class Shape { disc, ring, square, cross };

struct Points {
  std::vector<double> x = {};  // [n]
  std::vector<double> y = {};  // [n]
  std::string label = {};
  std::optional<Colour> colour = {};
  Shape shape = Shape::disc;
  double size = 5;
};

/// A filled area between two lines, behind the data.
struct Band {
  std::vector<double> x = {};     // [n], ascending; a value that is not finite makes a gap
  std::vector<double> low = {};   // [n]
  std::vector<double> high = {};  // [n]
  Colour colour = palette::blue.with_alpha(0.2);
};

/// A filled rectangle, behind everything else: one cell of a map.
struct Tile {
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  Colour colour = palette::grey;
};

/// A thin line across the whole panel, behind the data.
struct Guide {
  enum class Along { x, y } along = Along::x;  ///< `x`: horizontal, at a value of y
  double at = 0;
  Colour colour = palette::grey;
  Stroke stroke = Stroke::dashed;
};

/// Text beside a point of the data, with a thin leader to it.
struct Note {
  double x = 0, y = 0;
  std::string text = {};
  double dx = 12, dy = -12;  ///< from the point to the text, in points; y grows downwards
  Colour colour = palette::ink;
  bool leader = true;
};

enum class Scale { linear, logarithmic };

struct Range {
  double low = 0, high = 1;

  double span() const { return high - low; }
  friend bool operator==(const Range&, const Range&) = default;
};

enum class LegendPlace {
  automatic,  ///< the corner that hides no data, or else above the panel
  top_right,
  top_left,
  bottom_right,
  bottom_left,
  above,
  hidden,
};

struct Panel {
  std::string title = {};
  std::string subtitle = {};  ///< smaller, under the title
  std::string x_label = {};
  std::string y_label = {};
  std::vector<Line> lines = {};
  std::vector<Points> points = {};
  std::vector<Band> bands = {};
  std::vector<Tile> tiles = {};
  std::vector<Guide> guides = {};
  std::vector<Note> notes = {};
  bool equal_axes = false;  ///< one unit of x is as long as one of y: for paths in the plane
  Scale x_scale = Scale::linear, y_scale = Scale::linear;
  std::optional<Range> x_range = {}, y_range = {};  ///< default: all the data, with a margin
  bool hide_x = false;                              ///< no ticks and numbers on the axis of x
  LegendPlace legend = LegendPlace::automatic;
  double weight = 1;  ///< share of the figure's width in a row, of its height in a column
};

enum class Arrangement { row, column };

struct Figure {
  std::vector<Panel> panels = {};
  std::string title = {};
  Arrangement arrangement = Arrangement::row;
  double width = 0;   ///< 0: by the number of panels
  double height = 0;  ///< 0: likewise
  std::string font = "sans-serif";
  double font_size = 9;  ///< of the labels; the rest follows it
  bool dark = false;     ///< light text on dark paper
};

}  // namespace alembert::visual
