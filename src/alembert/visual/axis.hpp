// SPDX-License-Identifier: Apache-2.0
// Stage: visual. From numbers to places on the page: ranges of data, and axes that map them.
// In: the data of a panel, the size of its plot area. Out: an Axis for x and one for y.
#pragma once

#include "alembert/visual/canvas.hpp"
#include "alembert/visual/figure.hpp"

namespace alembert::visual {

/// Maps `range` to the page, from `page_low` to `page_high` (which is the smaller for y: up is
/// less).
struct Axis {
  Range range;
  Scale scale = Scale::linear;
  double page_low = 0, page_high = 1;

  double to_page(double value) const;
  /// False for what a logarithmic axis cannot show and for what is not finite.
  bool shows(double value) const;
};

struct Axes {
  Axis x, y;

  Point to_page(double x_value, double y_value) const {
    return {x.to_page(x_value), y.to_page(y_value)};
  }
};

/// Ranges as asked for by the panel, or around its data; widened for equal axes to fill the plot
/// area.
Axes make_axes(const Panel& panel, const Rect& plot);

}  // namespace alembert::visual
