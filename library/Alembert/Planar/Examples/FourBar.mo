// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar.Examples;
model FourBar "Three beams between two fixed points swing: one degree of freedom, one closed loop"
  inner World world;
  Ground left;
  Ground right(x = 2);
  Revolute h1(phi_start = 1.2);
  Beam crank(length = 1);
  Revolute h2(phi_start = -0.9, fix_start = false);
  Beam coupler(length = 2);
  Revolute h3(phi_start = -1.6, fix_start = false);
  Beam rocker(length = 1.5);
  Revolute h4(fix_start = false);
  Units.Energy E;
equation
  connect(left.frame, h1.frame_a);
  connect(h1.frame_b, crank.frame_a);
  connect(crank.frame_b, h2.frame_a);
  connect(h2.frame_b, coupler.frame_a);
  connect(coupler.frame_b, h3.frame_a);
  connect(h3.frame_b, rocker.frame_a);
  connect(rocker.frame_b, h4.frame_a);
  connect(h4.frame_b, right.frame);
  E = crank.body.E + coupler.body.E + rocker.body.E;
  annotation(experiment(StopTime = 5, Tolerance = 1e-8),
    __Alembert(plot = {h1.phi, h4.phi}));
end FourBar;
