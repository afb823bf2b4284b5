// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/scene.hpp"

#include <set>

#include "alembert/symbolic/print.hpp"

namespace alembert::mechanics {
namespace {

flat::Quantity quantity(const Expr& expression) {
  if (expression.pool() == nullptr) return expression.constant();
  return symbolic::to_text(expression);
}

}  // namespace

flat::ScenePlace direction_of(const Vector& vector, const Frame& frame) {
  const Components components = vector.in(frame);
  return {quantity(components[0]), quantity(components[1]), quantity(components[2])};
}

flat::ScenePlace place_of(const Point& point, const Point& origin, const Frame& frame) {
  return direction_of(point.position_from(origin), frame);
}

flat::Scene scene_of(std::span<const Body> bodies, const Point& origin, const Frame& frame) {
  flat::Scene scene;
  std::set<std::uint32_t> centres;
  for (const Body& body : bodies) {
    const flat::ScenePlace at = place_of(body.mass_centre, origin, frame);
    if (!centres.insert(body.mass_centre.id()).second) continue;
    scene.shapes.push_back(flat::trace(at, 2));
    // From the origin itself it is no rod but a coordinate, unless the body hangs there.
    const auto from = body.mass_centre.placed_from();
    if (from && (*from != origin || body.mass_centre.is_at_fixed_distance()))
      scene.shapes.push_back(flat::rod(place_of(*from, origin, frame), at));
  }
  for (const Body& body : bodies) {
    flat::SceneShape ball = flat::sphere(place_of(body.mass_centre, origin, frame));
    ball.name = body.name;
    scene.shapes.push_back(std::move(ball));
  }
  return scene;
}

}  // namespace alembert::mechanics
