// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Rod "Rigid, without mass: b is r away from a, in the frame of a"
  import Alembert.Units.*;
  extends Interfaces.Joint;
  parameter Length r[2] = {1, 0} "from a to b, in the frame of a";
protected
  Length dx, dy;
equation
  dx = r[1]*cos(frame_a.phi) - r[2]*sin(frame_a.phi);
  dy = r[1]*sin(frame_a.phi) + r[2]*cos(frame_a.phi);
  frame_b.x = frame_a.x + dx;
  frame_b.y = frame_a.y + dy;
  frame_b.phi = frame_a.phi;
  0 = frame_a.tau + frame_b.tau + dx*frame_b.fy - dy*frame_b.fx;
  annotation(__Alembert(scene = {Rod(from = {frame_a.x, frame_a.y}, to = {frame_b.x, frame_b.y})}));
end Rod;
