// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Limiter "u, but not above u_max nor below u_min"
  parameter Real u_max = 1 "upper limit";
  parameter Real u_min = -u_max "lower limit";
  Interfaces.RealInput u;
  Interfaces.RealOutput y;
equation
  assert(u_max >= u_min, "u_max must not be below u_min");
  y = smooth(0, if u > u_max then u_max else if u < u_min then u_min else u);
end Limiter;
