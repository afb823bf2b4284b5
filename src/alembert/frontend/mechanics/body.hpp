// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. What moves and what pushes. In: points, frames, masses, inertias. Out:
// bodies and loads as plain data for Kane's method, and their energies and momenta.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/frontend/mechanics/world.hpp"

namespace alembert::mechanics {

/// A particle or a rigid body.
struct Body {
  std::string name;  ///< for messages and pictures
  Point mass_centre;
  Expr mass;
  std::optional<Frame> frame = {};  ///< none: a particle
  Dyadic central_inertia = {};      ///< about the mass centre
};

/// All its mass in one point.
Body particle(std::string name, const Point& at, const Expr& mass);
/// A body that a frame is fixed in; the inertia is about the mass centre.
Body rigid_body(std::string name, const Point& mass_centre, const Frame& frame, const Expr& mass,
                const Dyadic& central_inertia);
/// The same with the inertia about another point that is fixed in the body.
Body rigid_body(std::string name, const Point& mass_centre, const Frame& frame, const Expr& mass,
                const Dyadic& inertia, const Point& about);

/// A force at a point, a torque on a frame, or a generalised force along a speed.
struct Load {
  std::optional<Point> point = {};
  std::optional<Frame> frame = {};
  Vector vector = {};
  Expr speed = 0;     ///< where neither point nor frame is given
  Expr strength = 0;  ///< the generalised force along it
};

using Loads = std::vector<Load>;

/// A force on whatever has this point.
Load force(const Point& at, const Vector& force);
/// A torque on the body of this frame.
Load torque(const Frame& on, const Vector& torque);
/// A torque on one frame and its reaction on another: an actuator or a motor.
Loads torque_between(const Frame& on, const Frame& reaction, const Vector& torque);
/// A force on one point and its reaction on another.
Loads force_between(const Point& on, const Point& reaction, const Vector& force);
/// Power is strength times the speed: friction or drive in a joint.
Load along(const Expr& speed, const Expr& strength);
/// The weight of each body; `acceleration` points down.
Loads gravity(std::span<const Body> bodies, const Vector& acceleration);
/// A linear spring and damper on the line between two points; `frame` is any, the speed of
/// stretching is the same in all.
Loads spring_damper(const Point& a, const Point& b, const Expr& stiffness, const Expr& damping,
                    const Expr& rest_length, const Frame& frame);
/// A linear actuator between two points: positive pushes them apart.
Loads actuator(const Point& a, const Point& b, const Expr& push);
/// Coulomb friction along a speed, smooth around zero: -limit * tanh(speed / width).
Load friction(const Expr& speed, const Expr& limit, const Expr& width);

/// Of translation and rotation, as `frame` sees it.
Expr kinetic_energy(std::span<const Body> bodies, const Frame& frame);
/// Of a uniform field of gravity, zero at `origin`.
Expr gravity_potential(std::span<const Body> bodies, const Vector& acceleration,
                       const Point& origin);
/// Of the spring of `spring_damper`.
Expr spring_potential(const Point& a, const Point& b, const Expr& stiffness,
                      const Expr& rest_length);
/// Mass times velocity, of all bodies.
Vector linear_momentum(std::span<const Body> bodies, const Frame& frame);
/// About a point.
Vector angular_momentum(std::span<const Body> bodies, const Point& about, const Frame& frame);

}  // namespace alembert::mechanics
