// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. What a mechanism looks like. In: points, frames and bodies. Out:
// places and directions for shapes of a flat::Scene, or a whole scene that comes by itself: a rod
// from each mass centre to the point it was placed from, a sphere at each mass centre, its path
// behind it.
//
//   FlatSystem flat = model.flatten();
//   flat.scene = std::make_shared<const flat::Scene>(scene_of(system.bodies, O, N));
#pragma once

#include <span>

#include "alembert/flat/scene.hpp"
#include "alembert/frontend/mechanics/body.hpp"

namespace alembert::mechanics {

/// Where a point is, seen from `origin`, in the axes of `frame`. Errors as of Point::position_from.
flat::ScenePlace place_of(const Point& point, const Point& origin, const Frame& frame);
flat::ScenePlace direction_of(const Vector& vector, const Frame& frame);

flat::Scene scene_of(std::span<const Body> bodies, const Point& origin, const Frame& frame);

}  // namespace alembert::mechanics
