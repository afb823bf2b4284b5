// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Shapes of a spatial scene as solid bodies in the light. In: a shape at a frame, a
// projection. Out: triangles and balls for a DepthRaster.
#pragma once

#include <span>

#include "alembert/visual/depth_raster.hpp"
#include "alembert/visual/projection.hpp"
#include "alembert/visual/scene_motion.hpp"

namespace alembert::visual {

/// `unit`: pixels of what has a fixed size on the screen. Texts and traces add nothing.
void add_solid(const MovingShape& shape, std::size_t frame, const Projection& project, double unit,
               bool dark, DepthRaster& raster);

/// A line of the same thickness everywhere, in pixels, one colour a point.
void add_line(std::span<const Projected> points, std::span<const Colour> colours, double thickness,
              DepthRaster& raster);

}  // namespace alembert::visual
