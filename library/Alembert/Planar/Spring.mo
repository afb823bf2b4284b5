// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Spring "Spring and damper between two points"
  import Alembert.Units.*;
  extends Interfaces.Joint;
  parameter TranslationalStiffness k = 100 "stiffness";
  parameter TranslationalDamping d = 0 "damping";
  parameter Length length_0 = 1 "without force";
  Length length;
  Force f "with which it pulls";
protected
  Real ex, ey;
equation
  assert(k >= 0 and d >= 0 and length_0 >= 0, "stiffness, damping and length must not be negative");
  length = sqrt((frame_b.x - frame_a.x)^2 + (frame_b.y - frame_a.y)^2);
  ex*length = frame_b.x - frame_a.x;
  ey*length = frame_b.y - frame_a.y;
  f = k*(length - length_0) + d*der(length);
  frame_b.fx = f*ex;
  frame_b.fy = f*ey;
  frame_a.tau = 0;
  frame_b.tau = 0;
  annotation(__Alembert(scene = {Spring(from = {frame_a.x, frame_a.y}, to = {frame_b.x, frame_b.y})}));
end Spring;
