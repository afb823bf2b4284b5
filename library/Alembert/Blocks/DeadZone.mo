// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block DeadZone "0 between u_min and u_max, what goes beyond outside"
  parameter Real u_max = 1 "upper limit";
  parameter Real u_min = -u_max "lower limit";
  Interfaces.RealInput u;
  Interfaces.RealOutput y;
equation
  assert(u_max >= u_min, "u_max must not be below u_min");
  y = smooth(0, if u > u_max then u - u_max else if u < u_min then u - u_min else 0);
end DeadZone;
