// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Gain "y = k u"
  parameter Real k = 1 "gain";
  Interfaces.RealInput u;
  Interfaces.RealOutput y;
equation
  y = k*u;
end Gain;
