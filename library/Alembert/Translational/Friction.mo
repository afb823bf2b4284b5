// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Friction "Dry and viscous friction; sticks below v_small, where it is a stiff damper"
  extends Interfaces.TwoFlanges;
  import Alembert.Units.*;
  parameter Force f_slide = 1 "of dry friction while it slides";
  parameter Force f_break = f_slide "at which it breaks loose";
  parameter Velocity v_break = 0.01 "at which f_break is felt";
  parameter TranslationalDamping d = 0 "viscous part";
  parameter Velocity v_small = 1e-4 "below which it creeps instead of sticking";
  Velocity v "of a against b";
equation
  assert(0 <= f_slide and f_slide <= f_break, "dry friction must not be negative, and f_break not below f_slide");
  assert(v_small > 0 and v_break > v_small, "v_break must be above v_small, and that above 0");
  assert(d >= 0, "the viscous part must not be negative");
  v = flange_a.v - flange_b.v;
  f = (f_slide + (f_break - f_slide)*exp(-(v/v_break)^2))*tanh(v/v_small) + d*v;
end Friction;
