// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Ground "A fixed frame"
  import Alembert.Units.*;
  parameter Length x = 0 "place";
  parameter Length y = 0 "place";
  parameter Angle phi = 0 "by which it is turned";
  Interfaces.Frame frame;
equation
  frame.x = x;
  frame.y = y;
  frame.phi = phi;
  annotation(__Alembert(scene = {Point(at = {x, y}, color = {118, 126, 138})}));
end Ground;
