// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Friction "Dry and viscous friction of a bearing; sticks below w_small, where it is a stiff damper"
  extends Interfaces.TwoFlanges;
  import Alembert.Units.*;
  parameter Torque tau_slide = 1 "of dry friction while it slides";
  parameter Torque tau_break = tau_slide "at which it breaks loose";
  parameter AngularVelocity w_break = 0.1 "at which tau_break is felt";
  parameter RotationalDamping d = 0 "viscous part";
  parameter AngularVelocity w_small = 1e-3 "below which it creeps instead of sticking";
  AngularVelocity w "of a against b";
equation
  assert(0 <= tau_slide and tau_slide <= tau_break, "dry friction must not be negative, and tau_break not below tau_slide");
  assert(w_small > 0 and w_break > w_small, "w_break must be above w_small, and that above 0");
  assert(d >= 0, "the viscous part must not be negative");
  w = flange_a.w - flange_b.w;
  tau = (tau_slide + (tau_break - tau_slide)*exp(-(w/w_break)^2))*tanh(w/w_small) + d*w;
end Friction;
