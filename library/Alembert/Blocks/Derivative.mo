// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Derivative "Derivative of a signal that may jump: k s / (T s + 1)"
  parameter Real k = 1 "gain";
  parameter Units.Time T = 0.01 "of the filter";
  Interfaces.RealInput u;
  Interfaces.RealOutput y;
  Real x "u, filtered";
initial equation
  x = u;
equation
  assert(T > 0, "the time constant must be positive");
  der(x) = (u - x)/T;
  y = k*(u - x)/T;
end Derivative;
