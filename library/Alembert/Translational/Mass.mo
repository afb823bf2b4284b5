// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Mass "A rigid body on a line"
  import Alembert.Units.*;
  parameter Units.Mass m = 1 "mass";
  parameter Acceleration g = 0 "along the line";
  parameter Velocity v_start = 0 "velocity at the start";
  Interfaces.Flange flange;
  Velocity v(start = v_start, fixed = true);
  Force f(start = 0) "on the body";
equation
  assert(m > 0, "the mass of a body must be positive");
  flange.v = v;
  flange.f = f;
  der(v) = f/m + g;
  annotation(__Alembert(starts_yield = true));
end Mass;
