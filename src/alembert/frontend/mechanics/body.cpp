// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/body.hpp"

namespace alembert::mechanics {

Body particle(std::string name, const Point& at, const Expr& mass) {
  return {.name = std::move(name), .mass_centre = at, .mass = mass};
}

Body rigid_body(std::string name, const Point& mass_centre, const Frame& frame, const Expr& mass,
                const Dyadic& central_inertia) {
  return {.name = std::move(name),
          .mass_centre = mass_centre,
          .mass = mass,
          .frame = frame,
          .central_inertia = central_inertia};
}

Body rigid_body(std::string name, const Point& mass_centre, const Frame& frame, const Expr& mass,
                const Dyadic& inertia, const Point& about) {
  // Steiner: about the mass centre it is less by that of the whole mass there.
  const Components p = mass_centre.position_from(about).in(frame);
  const Expr square = dot(p, p);
  Components3x3 shift;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      shift[i][j] = mass * ((i == j ? square : Expr(0)) - p[i] * p[j]);
  return rigid_body(std::move(name), mass_centre, frame, mass, inertia - Dyadic(frame, shift));
}

Load force(const Point& at, const Vector& force) { return {.point = at, .vector = force}; }

Load torque(const Frame& on, const Vector& torque) { return {.frame = on, .vector = torque}; }

Loads torque_between(const Frame& on, const Frame& reaction, const Vector& t) {
  return {torque(on, t), torque(reaction, -t)};
}

Loads force_between(const Point& on, const Point& reaction, const Vector& f) {
  return {force(on, f), force(reaction, -f)};
}

Load along(const Expr& speed, const Expr& strength) {
  return {.speed = speed, .strength = strength};
}

Loads gravity(std::span<const Body> bodies, const Vector& acceleration) {
  Loads loads;
  for (const Body& body : bodies)
    loads.push_back(force(body.mass_centre, body.mass * acceleration));
  return loads;
}

Loads spring_damper(const Point& a, const Point& b, const Expr& stiffness, const Expr& damping,
                    const Expr& rest_length, const Frame& frame) {
  const Vector p_ab = b.position_from(a);
  const Expr length = magnitude(p_ab);
  const Vector direction = p_ab / length;
  const Expr rate = dot(b.velocity_in(frame) - a.velocity_in(frame), direction);
  return force_between(a, b, (stiffness * (length - rest_length) + damping * rate) * direction);
}

Loads actuator(const Point& a, const Point& b, const Expr& push) {
  return force_between(b, a, push * unit(b.position_from(a)));
}

Load friction(const Expr& speed, const Expr& limit, const Expr& width) {
  return along(speed, -limit * tanh(speed / width));
}

Expr kinetic_energy(std::span<const Body> bodies, const Frame& frame) {
  Expr total = 0;
  for (const Body& body : bodies) {
    const Vector v = body.mass_centre.velocity_in(frame);
    total += body.mass * dot(v, v) / 2;
    if (!body.frame) continue;
    const Vector w = body.frame->angular_velocity_in(frame);
    total += dot(w, dot(body.central_inertia, w)) / 2;
  }
  return total;
}

Expr gravity_potential(std::span<const Body> bodies, const Vector& acceleration,
                       const Point& origin) {
  Expr total = 0;
  for (const Body& body : bodies)
    total -= body.mass * dot(acceleration, body.mass_centre.position_from(origin));
  return total;
}

Expr spring_potential(const Point& a, const Point& b, const Expr& stiffness,
                      const Expr& rest_length) {
  const Expr stretch = magnitude(b.position_from(a)) - rest_length;
  return stiffness * stretch * stretch / 2;
}

Vector linear_momentum(std::span<const Body> bodies, const Frame& frame) {
  Vector total;
  for (const Body& body : bodies) total += body.mass * body.mass_centre.velocity_in(frame);
  return total;
}

Vector angular_momentum(std::span<const Body> bodies, const Point& about, const Frame& frame) {
  Vector total;
  for (const Body& body : bodies) {
    total += cross(body.mass_centre.position_from(about),
                   body.mass * body.mass_centre.velocity_in(frame));
    if (body.frame) total += dot(body.central_inertia, body.frame->angular_velocity_in(frame));
  }
  return total;
}

}  // namespace alembert::mechanics
