// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Damper "Linear damper"
  extends Interfaces.TwoFlanges;
  import Alembert.Units.*;
  parameter TranslationalDamping d = 1 "damping constant";
  Velocity v "of a against b";
equation
  assert(d >= 0, "the constant of a damper must not be negative");
  v = flange_a.v - flange_b.v;
  f = d*v;
end Damper;
