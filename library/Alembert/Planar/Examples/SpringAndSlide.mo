// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar.Examples;
model SpringAndSlide "A body on a spring, one on an incline, and a weight on an arm"
  inner World world;
  Ground ceiling;
  Spring spring(k = 50, length_0 = 1);
  Body bob(m = 2, I = 0.1, frame(x(start = 0, fixed = true), y(start = -1, fixed = true), phi(start = 0, fixed = true)),
    vx(start = 0, fixed = true), vy(start = 0, fixed = true), w(start = 0, fixed = true));
  Ground top(x = 1, phi = -0.5);
  Prismatic incline(n = {2, 0}, d = 0);
  Body sledge(m = 3, I = 0.1);
  Ground wall(x = -1);
  Revolute hinge(phi_start = -3.14159265358979323846, w_start = 0.01);
  Rod arm(r = {0, 0.5});
  Body weight(m = 1.5);
equation
  connect(ceiling.frame, spring.frame_a);
  connect(spring.frame_b, bob.frame);
  connect(top.frame, incline.frame_a);
  connect(incline.frame_b, sledge.frame);
  connect(wall.frame, hinge.frame_a);
  connect(hinge.frame_b, arm.frame_a);
  connect(arm.frame_b, weight.frame);
  annotation(experiment(StopTime = 1, Tolerance = 1e-10),
    __Alembert(plot = {bob.frame.y, incline.s, hinge.phi}));
end SpringAndSlide;
