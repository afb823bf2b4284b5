// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Spring "Linear torsion spring"
  extends Interfaces.TwoFlanges;
  import Alembert.Units.*;
  parameter RotationalStiffness c = 1 "stiffness";
  parameter Angle phi_start = 0 "twist at the start";
  Angle phi(start = phi_start, fixed = true) "twist of a against b";
equation
  assert(c >= 0, "the stiffness of a spring must not be negative");
  der(phi) = flange_a.w - flange_b.w;
  tau = c*phi;
end Spring;
