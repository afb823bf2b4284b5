// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar.Examples;
model DoublePendulum "Two beams on hinges"
  inner World world;
  Ground ground;
  Revolute hinge1(phi_start = 0.5);
  Beam beam1(length = 1, m = 1);
  Revolute hinge2(phi_start = 0.8);
  Beam beam2(length = 0.8, m = 0.7);
  Units.Energy E;
equation
  connect(ground.frame, hinge1.frame_a);
  connect(hinge1.frame_b, beam1.frame_a);
  connect(beam1.frame_b, hinge2.frame_a);
  connect(hinge2.frame_b, beam2.frame_a);
  E = beam1.body.E + beam2.body.E;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8),
    __Alembert(plot = {hinge1.phi, hinge2.phi}, scene = {Trace(at = {beam2.frame_b.x, beam2.frame_b.y}, seconds = 2)}));
end DoublePendulum;
