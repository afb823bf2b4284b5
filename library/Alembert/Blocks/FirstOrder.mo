// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block FirstOrder "A lag: k / (T s + 1)"
  parameter Real k = 1 "gain";
  parameter Units.Time T = 1 "time constant";
  parameter Real y_start = 0 "output at the start";
  Interfaces.RealInput u;
  Interfaces.RealOutput y(start = y_start, fixed = true);
equation
  assert(T > 0, "the time constant must be positive");
  T*der(y) = k*u - y;
end FirstOrder;
