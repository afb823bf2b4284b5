// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Revolute "A hinge; its axis may be driven, else it turns freely"
  import Alembert.Units.*;
  extends Interfaces.Joint;
  parameter Angle phi_start = 0 "angle at the start";
  parameter AngularVelocity w_start = 0 "angular velocity at the start";
  parameter Boolean fix_start = true "false: the start follows from the rest of a loop, or from what drives the axis";
  parameter RotationalDamping d = 0 "damping";
  Rotational.Interfaces.Flange axis "turns b against a";
  Angle phi(start = phi_start, fixed = fix_start, stateSelect = StateSelect.prefer);
  AngularVelocity w(start = w_start, fixed = fix_start, stateSelect = StateSelect.prefer);
equation
  assert(d >= 0, "damping must not be negative");
  frame_b.x = frame_a.x;
  frame_b.y = frame_a.y;
  frame_b.phi = frame_a.phi + phi;
  w = der(phi);
  axis.w = w;
  frame_a.tau + frame_b.tau = 0;
  frame_b.tau = d*w - axis.tau;
  annotation(__Alembert(scene = {Point(at = {frame_a.x, frame_a.y})}));
end Revolute;
