// SPDX-License-Identifier: Apache-2.0
// A chain of n particles on massless links, absolute angles.
#pragma once

#include <string>

#include "alembert/frontend/mechanics/kane.hpp"

namespace alembert::mechanics {

struct LinkPendulum {
  Model model{"LinkPendulum"};
  World world;
  Frame N = world.frame("N");
  Point O = world.point("O");
  KaneSystem system{.inertial = N, .q = {}, .u = {}, .kinematics = {}, .bodies = {}};

  explicit LinkPendulum(int n) {
    const Expr g = model.parameter("g", 9.81), l = model.parameter("l", 0.5),
               m = model.parameter("m", 1.0);
    O.set_velocity(N, {});
    Point last = O;
    for (int k = 1; k <= n; ++k) {
      const std::string number = std::to_string(k);
      const Expr q = model.unknown("q" + number, {.start = 0.3, .fixed = true});
      const Expr u = model.unknown("u" + number, {.start = 0, .fixed = true});
      const Frame A = world.frame("A" + number);
      A.orient_axis(N, q, N.z());
      const Point P = world.point("P" + number);
      P.set_position(last, l * A.x());
      P.v2pt(last, N, A);
      system.q.push_back(q);
      system.u.push_back(u);
      system.kinematics.push_back(u - der(q));
      system.bodies.push_back(particle("B" + number, P, m));
      last = P;
    }
    system.loads = gravity(system.bodies, g * N.x());
  }
};

}  // namespace alembert::mechanics
