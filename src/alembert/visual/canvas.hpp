// SPDX-License-Identifier: Apache-2.0
// Stage: visual. A page to draw on, in points from the top left corner: the only place that knows
// Cairo. In: lines, discs, text. Out: the bytes of an SVG, PNG or PDF file, the same ones for the
// same drawing.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "alembert/visual/figure.hpp"

namespace alembert::visual {

enum class PictureFormat { svg, png, pdf };

struct Point {
  double x = 0, y = 0;
};

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool contains(const Point& p) const {
    return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom();
  }
};

struct Pen {
  Colour colour;
  double width = 1;
  Stroke stroke = Stroke::solid;
};

struct TextStyle {
  double size = 9;
  bool bold = false;
  Colour colour = palette::ink;
};

enum class Align {
  start,
  middle,
  end
};  ///< of the text at its anchor: left or top, ..., right or bottom

class Canvas {
 public:
  /// `pixels_per_point` matters to PNG only. On dark paper neutral colours are replaced.
  Canvas(PictureFormat format, double width, double height, std::string font,
         double pixels_per_point, bool dark = false);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  double text_width(std::string_view text, const TextStyle& style) const;
  /// From the baseline to the top of a capital letter.
  double cap_height(const TextStyle& style) const;
  /// `vertical` places the capital letters, so that labels line up whatever their letters.
  void text(Point anchor, std::string_view text, const TextStyle& style, Align horizontal,
            Align vertical);
  /// Turned by a quarter, reading upwards, centred at the anchor.
  void upward_text(Point centre, std::string_view text, const TextStyle& style);

  void segment(Point from, Point to, const Pen& pen);
  void polyline(std::span<const Point> points, const Pen& pen);
  void polygon(std::span<const Point> corners, const Colour& fill);
  void rectangle(const Rect& rect, const Colour& fill);
  void disc(Point centre, double radius, const Colour& fill);
  void ring(Point centre, double radius, const Pen& pen, const Colour& fill);

  /// Between the two nothing is drawn outside the rectangle.
  void push_clip(const Rect& rect);
  void pop_clip();

  /// The bytes of the file; the canvas is done for.
  std::string finish();

 private:
  struct Surface;  // keeps Cairo out of the header
  std::unique_ptr<Surface> surface_;
};

}  // namespace alembert::visual
