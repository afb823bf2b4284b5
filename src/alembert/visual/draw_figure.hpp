// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The layout of a figure and its drawing.
// In: a Figure. Out: strokes and text on a Canvas. Margins follow from the texts that stand in
// them; panels of a row share their upper and lower edges, panels of a column their left and right
// ones.
#pragma once

#include "alembert/visual/canvas.hpp"
#include "alembert/visual/figure.hpp"

namespace alembert::visual {

struct PageSize {
  double width = 0, height = 0;
};

PageSize page_size(const Figure& figure);

/// The canvas must have the figure's page size.
void draw_figure(Canvas& canvas, const Figure& figure);

}  // namespace alembert::visual
