// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block FirstOrder "A lag: k / (T s + 1)"
  parameter Real k = 1;
  parameter Units.Time T = 1;
  parameter Real y_start = 0;
  Interfaces.RealInput u;
  Interfaces.RealOutput y(start = y_start, fixed = true);
equation
  assert(T > 0, "the time constant must be positive");
  T*der(y) = k*u - y;
end FirstOrder;
