// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Inertia "A wheel"
  import Alembert.Units.*;
  parameter Units.Inertia J = 1 "moment of inertia";
  parameter Angle phi_start = 0 "angle at the start";
  parameter AngularVelocity w_start = 0 "angular velocity at the start";
  Interfaces.Flange flange;
  Angle phi(start = phi_start, fixed = true);
  AngularVelocity w(start = w_start, fixed = true);
equation
  assert(J > 0, "the moment of inertia must be positive");
  der(phi) = w;
  flange.w = w;
  J*der(w) = flange.tau;
  annotation(__Alembert(starts_yield = true));
end Inertia;
