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

struct Body {
  std::string name;
  Point mass_centre;
  Expr mass;
  std::optional<Frame> frame = {};  ///< none: a particle
  Dyadic central_inertia = {};      ///< about the mass centre
};

Body particle(std::string name, const Point& at, const Expr& mass);
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

Load force(const Point& at, const Vector& force);
Load torque(const Frame& on, const Vector& torque);
/// A torque on one frame and its reaction on another: an actuator or a motor.
Loads torque_between(const Frame& on, const Frame& reaction, const Vector& torque);
/// A force on one point and its reaction on another.
Loads force_between(const Point& on, const Point& reaction, const Vector& force);
/// Power is strength times the speed: friction or drive in a joint.
Load along(const Expr& speed, const Expr& strength);
Loads gravity(std::span<const Body> bodies, const Vector& acceleration);
/// A linear spring and damper on the line between two points; `frame` is any, the speed of
/// stretching is the same in all.
Loads spring_damper(const Point& a, const Point& b, const Expr& stiffness, const Expr& damping,
                    const Expr& rest_length, const Frame& frame);
/// A linear actuator between two points: positive pushes them apart.
Loads actuator(const Point& a, const Point& b, const Expr& push);
/// Coulomb friction along a speed, smooth around zero: -limit * tanh(speed / width).
Load friction(const Expr& speed, const Expr& limit, const Expr& width);

Expr kinetic_energy(std::span<const Body> bodies, const Frame& frame);
/// Of a uniform field of gravity, zero at `origin`.
Expr gravity_potential(std::span<const Body> bodies, const Vector& acceleration,
                       const Point& origin);
Expr spring_potential(const Point& a, const Point& b, const Expr& stiffness,
                      const Expr& rest_length);
Vector linear_momentum(std::span<const Body> bodies, const Frame& frame);
/// About a point.
Vector angular_momentum(std::span<const Body> bodies, const Point& about, const Frame& frame);

}  // namespace alembert::mechanics
