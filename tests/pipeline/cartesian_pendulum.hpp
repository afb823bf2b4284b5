// SPDX-License-Identifier: Apache-2.0
// The Cartesian pendulum: index 3, and no choice of states that is good everywhere.
#pragma once

#include "alembert/alembert.hpp"

namespace alembert {

inline Model cartesian_pendulum(double x0 = 1, double y0 = 0) {
  Model m("Pendulum");
  const Expr g = m.parameter("g", 1.0);
  const Expr x = m.unknown("x", {.start = x0});
  const Expr y = m.unknown("y", {.start = y0});
  const Expr lambda = m.unknown("lambda");
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - g;
  m += x * x + y * y == 1;
  m.observe("energy", (der(x) * der(x) + der(y) * der(y)) / 2 + g * y);
  return m;
}

}  // namespace alembert
