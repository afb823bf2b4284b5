// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Prismatic "A slide along a direction of frame a; its axis may be driven, else it slides freely"
  import Alembert.Units.*;
  extends Interfaces.Joint;
  parameter Real n[2] = {1, 0} "direction in frame a";
  parameter Length s_start = 0 "position at the start";
  parameter Velocity v_start = 0 "velocity at the start";
  parameter Boolean fix_start = true "false: the start follows from the rest of a loop, or from what drives the axis";
  parameter TranslationalDamping d = 0 "damping";
  Translational.Interfaces.Flange axis "pushes b away from a";
  Length s(start = s_start, fixed = fix_start, stateSelect = StateSelect.prefer);
  Velocity v(start = v_start, fixed = fix_start, stateSelect = StateSelect.prefer);
protected
  final parameter Real e[2] = n/sqrt(n*n);
  Real ex, ey "direction in the world";
equation
  assert(d >= 0, "damping must not be negative");
  ex = e[1]*cos(frame_a.phi) - e[2]*sin(frame_a.phi);
  ey = e[1]*sin(frame_a.phi) + e[2]*cos(frame_a.phi);
  frame_b.x = frame_a.x + s*ex;
  frame_b.y = frame_a.y + s*ey;
  frame_b.phi = frame_a.phi;
  v = der(s);
  axis.v = v;
  ex*frame_b.fx + ey*frame_b.fy = d*v - axis.f;
  0 = frame_a.tau + frame_b.tau + s*(ex*frame_b.fy - ey*frame_b.fx);
  annotation(__Alembert(scene = {Rod(from = {frame_a.x, frame_a.y}, to = {frame_b.x, frame_b.y}), Point(at = {frame_b.x, frame_b.y})}));
end Prismatic;
