// SPDX-License-Identifier: Apache-2.0
// The snakeboard: a board A on two trucks B and C whose wheels do not slip sideways (J. K. Moore,
// Learn Multibody Dynamics, "Equations of Motion with Nonholonomic Constraints"). Coordinates:
// place and angle of the board, angles of the trucks; speeds u1, u2, u3 in m/s, u4, u5 in rad/s. It
// holds what is given; equations of motion are derived by whoever uses it.
#pragma once

#include <numbers>
#include <string>
#include <vector>

#include "alembert/frontend/mechanics/kane.hpp"

namespace alembert::mechanics {

struct Snakeboard {
  Model model{"Snakeboard"};
  World world;
  Expr l = model.parameter("l", 0.7, {.unit = "m"});
  Expr I = model.parameter("I", 0.1, {.unit = "kg.m2"});
  Expr m = model.parameter("m", 1.0, {.unit = "kg"});
  std::vector<Expr> q, u;
  Frame N = world.frame("N"), A = world.frame("A"), B = world.frame("B"), C = world.frame("C");
  Point O = world.point("O"), Ao = world.point("Ao"), Bo = world.point("Bo"),
        Co = world.point("Co");

  Snakeboard() {
    constexpr double degree = std::numbers::pi / 180;
    const double q0[] = {0, 0, 0, 5 * degree, -5 * degree}, u0[] = {1, 0, 0.1, 0.01, -0.01};
    for (std::size_t k = 0; k < 5; ++k) {
      const std::string number = std::to_string(k + 1);
      q.push_back(model.unknown("q" + number, {.start = q0[k], .fixed = true}));
      u.push_back(model.unknown("u" + number, {.start = u0[k], .fixed = k >= 2}));
    }
    A.orient_axis(N, q[2], N.z());
    B.orient_axis(A, q[3], A.z());
    C.orient_axis(A, q[4], A.z());
    Ao.set_position(O, q[0] * N.x() + q[1] * N.y());
    Bo.set_position(Ao, l / 2 * A.x());
    Co.set_position(Ao, -l / 2 * A.x());
    O.set_velocity(N, {});
    Bo.v2pt(Ao, N, A);
    Co.v2pt(Ao, N, A);
  }

  KaneSystem system() const {
    return {.inertial = N,
            .q = q,
            .u = u,
            .kinematics = {u[0] - der(q[0]), u[1] - der(q[1]), u[2] - l * der(q[2]) / 2,
                           u[3] - der(q[3]), u[4] - der(q[4])},
            .bodies = {rigid_body("A", Ao, A, m, I * outer(A.z(), A.z())),
                       rigid_body("B", Bo, B, m, I * outer(B.z(), B.z())),
                       rigid_body("C", Co, C, m, I * outer(C.z(), C.z()))},
            .nonholonomic = {dot(Bo.velocity_in(N), B.y()), dot(Co.velocity_in(N), C.y())}};
  }
};

}  // namespace alembert::mechanics
