// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Shapes of a planar scene as strokes and polygons on a picture, and texts of any
// scene. In: a shape at a frame, a projection. Out: pieces with their colours, in order.
#pragma once

#include <string>
#include <vector>

#include "alembert/visual/projection.hpp"
#include "alembert/visual/scene_motion.hpp"

namespace alembert::visual {

/// A disc where radius > 0, text where there is some, else a polygon or a line through the points.
struct DrawnShape {
  std::vector<Point> points = {};
  double radius = 0;
  double width = 1;  ///< of a line; the size of text
  bool filled = false;
  bool round = false;  ///< ends of a line
  std::string text = {};
  Colour colour = {};
};

/// `unit`: pixels of what has a fixed size on the screen. Appends to `drawn`.
void outline(const MovingShape& shape, std::size_t frame, const Projection& project, double unit,
             bool dark, std::vector<DrawnShape>& drawn);

}  // namespace alembert::visual
