// SPDX-License-Identifier: Apache-2.0
// The Whipple-Carvallo bicycle with the data of Meijaard, Papadopoulos, Ruina and Schwab, Proc. R.
// Soc. A 463 (2007): four bodies, knife-edge wheels that roll without slip. x forward, y to the
// right, z down.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "alembert/frontend/mechanics/kane.hpp"

namespace alembert::mechanics {

struct Bicycle {
  Model model{"Bicycle"};
  World world;
  Expr v = model.parameter("v", 5.0);
  std::vector<Expr> q, u;
  Frame N = world.frame("N");
  Point O = world.point("O");
  KaneSystem system{.inertial = N, .q = {}, .u = {}, .kinematics = {}, .bodies = {}};

  Bicycle() {
    const double w = 1.02, c = 0.08, tilt = std::numbers::pi / 10, rR = 0.3, rF = 0.35;
    const std::vector<std::string> names = {"x",     "y",          "yaw",   "roll",
                                            "pitch", "rear_angle", "steer", "front_angle"};
    for (const std::string& name : names) {
      q.push_back(model.unknown(name, {.start = 0, .fixed = name != "pitch"}));
      const bool is_independent = name == "roll" || name == "steer" || name == "rear_angle";
      const Expr start = name == "rear_angle"    ? -v / rR
                         : name == "front_angle" ? -v / rF
                         : name == "x"           ? v
                                                 : Expr(0);
      u.push_back(model.unknown("u_" + name, {.start = start, .fixed = is_independent}));
      system.kinematics.push_back(u.back() - der(q.back()));
    }
    system.q = q;
    system.u = u;

    const Frame A = world.frame("A"), B = world.frame("B"), C = world.frame("C"),
                D = world.frame("D"), E = world.frame("E"), F = world.frame("F");
    A.orient_axis(N, q[2], N.z());
    B.orient_axis(A, q[3], A.x());
    C.orient_axis(B, q[4], B.y());
    D.orient_axis(C, q[5], C.y());
    E.orient_axis(C, q[6], std::sin(tilt) * C.x() + std::cos(tilt) * C.z());
    F.orient_axis(E, q[7], E.y());

    const Point contact = world.point("rear contact"), Do = world.point("Do"),
                Co = world.point("Co"), S = world.point("S"), Eo = world.point("Eo"),
                Fo = world.point("Fo");
    O.set_velocity(N, {});
    contact.set_position(O, q[0] * N.x() + q[1] * N.y());
    Do.set_position(contact, -rR * B.z());
    Co.set_position(Do, 0.3 * C.x() + (-0.9 + rR) * C.z());
    S.set_position(Do, (w + c) * C.x() + rR * C.z());  // where the steer axis meets the ground
    Eo.set_position(S, (0.9 - w - c) * E.x() - 0.7 * E.z());
    Fo.set_position(S, -c * E.x() - rF * E.z());

    // Down in the plane of the front wheel.
    const Expr lean = dot(E.y(), N.z());
    const Vector down = (N.z() - lean * E.y()) / sqrt(1 - lean * lean);
    const Vector v_rear = Do.velocity_in(N) + cross(D.angular_velocity_in(N), rR * B.z());
    const Vector v_front = Fo.velocity_in(N) + cross(F.angular_velocity_in(N), rF * down);
    system.holonomic = {dot(Fo.position_from(O), N.z()) + rF * sqrt(1 - lean * lean)};
    system.nonholonomic = {dot(v_rear, A.x()), dot(v_rear, A.y()), dot(v_front, A.x()),
                           dot(v_front, A.y())};

    system.bodies = {
        rigid_body("rear wheel", Do, D, 2, inertia(C, 0.0603, 0.12, 0.0603)),
        rigid_body("rear frame", Co, C, 85, inertia(C, 9.2, 11, 2.8, 0, 0, 2.4)),
        rigid_body("front frame", Eo, E, 4, inertia(E, 0.05892, 0.06, 0.00708, 0, 0, -0.00756)),
        rigid_body("front wheel", Fo, F, 3, inertia(E, 0.1405, 0.28, 0.1405))};
    system.loads = gravity(system.bodies, 9.81 * N.z());
  }
};

}  // namespace alembert::mechanics
