// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Damper "Linear damper"
  extends Interfaces.TwoFlanges;
  import Alembert.Units.*;
  parameter RotationalDamping d = 1 "damping constant";
  AngularVelocity w "of a against b";
equation
  assert(d >= 0, "the constant of a damper must not be negative");
  w = flange_a.w - flange_b.w;
  tau = d*w;
end Damper;
