// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. A world of reference frames and points.
// In: orientations of frames to each other (axis, body- or space-fixed angles, quaternion,
// direction cosines), positions of points from each other. Out: rotations, angular velocities,
// positions, velocities and accelerations in any frame.
//   World world;
//   Frame N = world.frame("N"), A = world.frame("A");
//   A.orient_axis(N, q, N.z());
//   A.angular_velocity_in(N)            // der(q) A.z
// Frames hang on each other in a tree, and so do points; loops are closed by constraints.
// Names of variables follow the monogram notation: R_NA turns components in A into such in N, w_NA
// is the angular velocity of A in N, p_OP the position of P from O, v_NP the velocity of P in N.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/mechanics/vector.hpp"

namespace alembert::mechanics {

/// The axes of three rotations in turn: "zxz", "123", ...
using RotationOrder = std::string_view;

/// A reference frame: three axes at right angles. A handle; frames are made by World::frame.
class Frame {
 public:
  const std::string& name() const;
  /// The unit vectors along its axes.
  Vector x() const { return {*this, {1, 0, 0}}; }
  Vector y() const { return {*this, {0, 1, 0}}; }
  Vector z() const { return {*this, {0, 0, 1}}; }

  // This frame's orientation relative to `to`; each frame is oriented once. Error K002 if it was
  // already, or if that would close a loop.
  /// Turned about an axis that is fixed in both frames.
  void orient_axis(const Frame& to, const Expr& angle, const Vector& axis) const;
  /// Three turns, each about an axis of the frame turned so far. Error K003 for another order than
  /// three of x, y, z (or 1, 2, 3), neighbours different.
  void orient_body(const Frame& to, const std::array<Expr, 3>& angles, RotationOrder order) const;
  /// Three turns, each about an axis of `to`.
  void orient_space(const Frame& to, const std::array<Expr, 3>& angles, RotationOrder order) const;
  /// A unit quaternion, scalar part first.
  void orient_quaternion(const Frame& to, const std::array<Expr, 4>& quaternion) const;
  /// Direction cosines: row i has the components of axis i of this frame in `to`.
  void orient_cosines(const Frame& to, const Components3x3& cosines) const;
  /// The same axes as `to`.
  void fix_to(const Frame& to) const { orient_cosines(to, identity()); }

  /// Row i: the components of axis i of this frame in `other`.
  Components3x3 cosines_to(const Frame& other) const;
  /// w_other,this. Error K001 if the two are not connected; so for the next.
  Vector angular_velocity_in(const Frame& other) const;
  /// The derivative of the angular velocity, as `other` sees it.
  Vector angular_acceleration_in(const Frame& other) const;
  /// Replaces the angular velocity relative to the frame this one is oriented to, by one in other
  /// terms, such as generalised speeds.
  void set_angular_velocity(const Vector& velocity) const;

  std::uint32_t id() const { return id_; }
  World& world() const { return *world_; }
  friend bool operator==(const Frame& a, const Frame& b) {
    return a.world_ == b.world_ && a.id_ == b.id_;
  }

 private:
  friend class World;
  Frame(World& world, std::uint32_t id) : world_(&world), id_(id) {}
  void orient(const Frame& to, const Components3x3& rotation, const Vector& velocity) const;

  World* world_;
  std::uint32_t id_;
};

/// A point, placed from another. A handle; points are made by World::point.
class Point {
 public:
  const std::string& name() const;

  /// Position from another point; each point is placed once. Error K004 if it was already, or if
  /// that would close a loop.
  void set_position(const Point& from, const Vector& position) const;
  /// Error K004 if the two are not connected.
  Vector position_from(const Point& other) const;
  /// The point that it was placed from; none if it was not placed.
  std::optional<Point> placed_from() const;
  /// Placed from another point by a vector whose components, in the frame of each part, are
  /// constant.
  bool is_at_fixed_distance() const;

  /// What is known of its velocity as `frame` sees it: zero for what rests, or generalised speeds
  /// in place of derivatives of coordinates.
  void set_velocity(const Frame& frame, const Vector& velocity) const;
  /// As set, or from the velocity of the point this one was placed from. Error K005 where no such
  /// point has one.
  Vector velocity_in(const Frame& frame) const;
  /// Replaces the acceleration that would follow from the velocity.
  void set_acceleration(const Frame& frame, const Vector& acceleration) const;
  /// As set, or the derivative of the velocity.
  Vector acceleration_in(const Frame& frame) const;

  // Theories; each sets what it returns.
  /// Both points fixed in `body`: v = v_other + w x p.
  Vector v2pt(const Point& other, const Frame& frame, const Frame& body) const;
  /// This point moves in `body`, in which the other is fixed: v = v_in_body + v_other + w x p.
  Vector v1pt(const Point& other, const Frame& frame, const Frame& body) const;
  /// Both points fixed in `body`: a = a_other + alpha x p + w x (w x p).
  Vector a2pt(const Point& other, const Frame& frame, const Frame& body) const;
  /// a = a_in_body + a_other + alpha x p + w x (w x p) + 2 w x v_in_body.
  Vector a1pt(const Point& other, const Frame& frame, const Frame& body) const;

  std::uint32_t id() const { return id_; }
  World& world() const { return *world_; }
  friend bool operator==(const Point& a, const Point& b) {
    return a.world_ == b.world_ && a.id_ == b.id_;
  }

 private:
  friend class World;
  Point(World& world, std::uint32_t id) : world_(&world), id_(id) {}
  Vector velocity_in_body(const Point& fixed, const Frame& body) const;

  World* world_;
  std::uint32_t id_;
};

/// Frames, points and vectors are handles; they live no longer than their world.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// A frame that is not oriented yet, a point that is not placed yet. Names are for messages and
  /// printed vectors; they need not differ.
  Frame frame(std::string name);
  Point point(std::string name);
  Frame frame(std::uint32_t id) { return {*this, id}; }
  Point point(std::uint32_t id) { return {*this, id}; }

  /// v_to = rotation * v_from. Error K001 if the two are not connected.
  Components3x3 rotation(std::uint32_t from, std::uint32_t to) const;
  Components express(const Components& v, std::uint32_t from, std::uint32_t to) const;

 private:
  friend class Frame;
  friend class Point;
  static constexpr std::uint32_t none = 0xffffffffu;

  struct FrameEntry {
    std::string name;
    std::uint32_t parent = none;
    bool carries_others = false;
    std::uint32_t depth = 0;
    std::uint32_t root = 0;       // the frame at the top of its tree
    Components3x3 to_parent;      // v_parent = to_parent * v
    Components3x3 to_root;        // v_root = to_root * v
    Vector velocity;              // of this frame in its parent
    std::uint32_t velocity_home;  // the frame of the next: this one or one above it
    Components velocity_in_root;  // angular velocity in the root
  };
  struct Motion {
    std::uint32_t frame;
    Vector value;
  };
  struct PointEntry {
    std::string name;
    std::uint32_t parent = none;
    Vector position;                    // from the parent
    std::vector<Motion> velocities;     // by frame
    std::vector<Motion> accelerations;  // by frame
  };

  void update_below(std::uint32_t frame);
  std::uint32_t common_frame(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t root_point(std::uint32_t point) const;

  std::vector<FrameEntry> frames_;
  std::vector<PointEntry> points_;
};

}  // namespace alembert::mechanics
