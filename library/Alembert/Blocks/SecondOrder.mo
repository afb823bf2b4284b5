// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block SecondOrder "A lag that may ring: k / ((s/w)^2 + 2 D s/w + 1)"
  import Alembert.Units.*;
  parameter Real k = 1 "gain";
  parameter AngularVelocity w = 1 "frequency without damping";
  parameter Real D = 1 "damping; below 1 it rings";
  parameter Real y_start = 0 "output at the start";
  parameter Real yd_start = 0 "its derivative at the start";
  Interfaces.RealInput u;
  Interfaces.RealOutput y(start = y_start, fixed = true);
  Real yd(start = yd_start, fixed = true);
equation
  assert(w > 0 and D >= 0, "the frequency must be positive, the damping not negative");
  der(y) = yd;
  der(yd) = w*(w*(k*u - y) - 2*D*yd);
end SecondOrder;
