// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Add "y = k1 u1 + k2 u2"
  parameter Real k1 = 1 "gain of u1";
  parameter Real k2 = 1 "gain of u2";
  Interfaces.RealInput u1;
  Interfaces.RealInput u2;
  Interfaces.RealOutput y;
equation
  y = k1*u1 + k2*u2;
end Add;
