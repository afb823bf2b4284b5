// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Integrator "der(y) = k u"
  parameter Real k = 1 "gain";
  parameter Real y_start = 0 "output at the start";
  Interfaces.RealInput u;
  Interfaces.RealOutput y(start = y_start, fixed = true);
equation
  der(y) = k*u;
end Integrator;
