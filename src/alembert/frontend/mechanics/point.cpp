// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/frontend/mechanics/world.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::mechanics {

namespace {

/// Velocities along a chain of bodies would collect a part in every frame on the way. From three
/// parts on they are expressed in the newest one, so that each body adds a fixed number of terms.
constexpr std::size_t most_parts = 2;

Vector gathered(const Vector& v, const Vector& newest) {
  if (v.parts().size() <= most_parts || newest.is_zero()) return v;
  return v.expressed_in(v.world()->frame(newest.parts().back().frame));
}

template <class Motions>
auto find(Motions& motions, std::uint32_t frame) {
  return std::find_if(motions.begin(), motions.end(),
                      [&](const auto& motion) { return motion.frame == frame; });
}

}  // namespace

Point World::point(std::string name) {
  points_.push_back(
      {.name = std::move(name), .position = {}, .velocities = {}, .accelerations = {}});
  return {*this, static_cast<std::uint32_t>(points_.size() - 1)};
}

std::uint32_t World::root_point(std::uint32_t point) const {
  while (points_[point].parent != none) point = points_[point].parent;
  return point;
}

const std::string& Point::name() const { return world_->points_[id_].name; }

void Point::set_position(const Point& from, const Vector& position) const {
  World::PointEntry& entry = world_->points_[id_];
  if (world_ != from.world_)
    throw Error("K004", "point '" + entry.name + "' cannot be placed from '" + from.name() +
                            "', which belongs to another world.");
  if (entry.parent != World::none)
    throw Error("K004", "point '" + entry.name + "' is already placed from point '" +
                            world_->points_[entry.parent].name +
                            "'. Place each point once; close loops by constraints.");
  if (world_->root_point(from.id_) == id_)
    throw Error("K004", "point '" + entry.name + "' cannot be placed from '" + from.name() +
                            "', whose place depends on it already.");
  entry.parent = from.id_;
  entry.position = position;
}

std::optional<Point> Point::placed_from() const {
  const std::uint32_t parent = world_->points_[id_].parent;
  if (parent == World::none) return std::nullopt;
  return Point(*world_, parent);
}

bool Point::is_at_fixed_distance() const {
  const World::PointEntry& entry = world_->points_[id_];
  if (entry.parent == World::none || entry.position.parts().size() != 1) return false;
  for (const Expr& component : components_of(entry.position)) {
    if (component.pool() == nullptr) continue;
    for (const symbolic::ExprId symbol : symbolic::free_symbols(*component.pool(), component.id()))
      if (component.pool()->symbol_of(symbol).kind != symbolic::SymbolKind::parameter) return false;
  }
  return true;
}

Vector Point::position_from(const Point& other) const {
  const World::PointEntry& entry = world_->points_[id_];
  if (world_ == other.world_ && entry.parent == other.id_) return entry.position;
  if (world_->root_point(id_) != world_->root_point(other.id_))
    throw Error("K004", "point '" + name() + "' is not connected with point '" + other.name() +
                            "'. Place one of them, or the point it hangs on, from the other.");
  std::vector<std::uint32_t> above_other;
  for (std::uint32_t id = other.id_; id != World::none; id = world_->points_[id].parent)
    above_other.push_back(id);
  std::uint32_t common = id_;
  Vector total;
  while (std::find(above_other.begin(), above_other.end(), common) == above_other.end()) {
    total += world_->points_[common].position;
    common = world_->points_[common].parent;
  }
  for (const std::uint32_t id : above_other) {
    if (id == common) break;
    total -= world_->points_[id].position;
  }
  return total;
}

void Point::set_velocity(const Frame& frame, const Vector& velocity) const {
  auto& known = world_->points_[id_].velocities;
  const auto at = find(known, frame.id());
  if (at != known.end())
    at->value = velocity;
  else
    known.push_back({frame.id(), velocity});
}

Vector Point::velocity_in(const Frame& frame) const {
  // Up to the first point with a velocity, then down again.
  std::vector<std::uint32_t> way;
  std::uint32_t at = id_;
  const auto known = [&](std::uint32_t id) {
    auto& velocities = world_->points_[id].velocities;
    return find(velocities, frame.id()) != velocities.end();
  };
  while (!known(at)) {
    way.push_back(at);
    at = world_->points_[at].parent;
    if (at == World::none)
      throw Error("K005", "point '" + name() + "' has no velocity in frame '" + frame.name() +
                              "', and neither has a point it is placed from. Say what rests: "
                              "point.set_velocity(frame, {}).");
  }
  Vector velocity = find(world_->points_[at].velocities, frame.id())->value;
  for (auto id = way.rbegin(); id != way.rend(); ++id) {
    const Vector& position = world_->points_[*id].position;
    velocity = gathered(velocity + position.dt(frame), position);
    world_->points_[*id].velocities.push_back({frame.id(), velocity});
  }
  return velocity;
}

void Point::set_acceleration(const Frame& frame, const Vector& acceleration) const {
  auto& known = world_->points_[id_].accelerations;
  const auto at = find(known, frame.id());
  if (at != known.end())
    at->value = acceleration;
  else
    known.push_back({frame.id(), acceleration});
}

Vector Point::acceleration_in(const Frame& frame) const {
  const auto& known = world_->points_[id_].accelerations;
  const auto at = find(known, frame.id());
  return at != known.end() ? at->value : velocity_in(frame).dt(frame);
}

/// As set, else from the position, seen from a point that is fixed in the body.
Vector Point::velocity_in_body(const Point& fixed, const Frame& body) const {
  const auto& known = world_->points_[id_].velocities;
  const auto at = find(known, body.id());
  return at != known.end() ? at->value : position_from(fixed).dt(body);
}

Vector Point::v2pt(const Point& other, const Frame& frame, const Frame& body) const {
  const Vector position = position_from(other);
  const Vector velocity = gathered(
      other.velocity_in(frame) + cross(body.angular_velocity_in(frame), position), position);
  set_velocity(frame, velocity);
  return velocity;
}

Vector Point::v1pt(const Point& other, const Frame& frame, const Frame& body) const {
  const Vector position = position_from(other);
  const Vector velocity = velocity_in_body(other, body) + other.velocity_in(frame) +
                          cross(body.angular_velocity_in(frame), position);
  set_velocity(frame, velocity);
  return velocity;
}

Vector Point::a2pt(const Point& other, const Frame& frame, const Frame& body) const {
  const Vector p = position_from(other);
  const Vector w = body.angular_velocity_in(frame);
  const Vector acceleration = other.acceleration_in(frame) +
                              cross(body.angular_acceleration_in(frame), p) + cross(w, cross(w, p));
  set_acceleration(frame, acceleration);
  return acceleration;
}

Vector Point::a1pt(const Point& other, const Frame& frame, const Frame& body) const {
  const Vector p = position_from(other);
  const Vector w = body.angular_velocity_in(frame);
  const Vector v_body = velocity_in_body(other, body);
  const Vector acceleration = v_body.dt(body) + other.acceleration_in(frame) +
                              cross(body.angular_acceleration_in(frame), p) +
                              cross(w, cross(w, p)) + 2 * cross(w, v_body);
  set_acceleration(frame, acceleration);
  return acceleration;
}

}  // namespace alembert::mechanics
