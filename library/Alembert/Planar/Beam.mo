// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Beam "A slender rod with its mass spread evenly"
  import Alembert.Units.*;
  extends Interfaces.TwoFrames;
  parameter Length length = 1 "length";
  parameter Mass m = 1 "mass";
  Rod first(r = {length/2, 0});
  Rod second(r = {length/2, 0});
  Body body(m = m, I = m*length^2/12);
equation
  assert(length > 0, "the length of a beam must be positive");
  connect(frame_a, first.frame_a);
  connect(first.frame_b, body.frame);
  connect(first.frame_b, second.frame_a);
  connect(second.frame_b, frame_b);
end Beam;
