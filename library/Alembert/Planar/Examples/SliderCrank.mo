// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar.Examples;
model SliderCrank "A closed loop: crank, rod and piston, turned by a motor of given speed"
  inner World world;
  Ground ground;
  Revolute crank_hinge(phi_start = 0, fix_start = false);
  Rod crank(r = {0.1, 0});
  Revolute pin(phi_start = 0, fix_start = false);
  Beam rod(length = 0.3, m = 0.5);
  Revolute piston_pin(phi_start = 0, fix_start = false);
  Prismatic guide(s_start = 0.4, fix_start = false);
  Body piston(m = 1);
  Rotational.Position motor;
  Blocks.TimeFunction angle(y = 20*time);
initial equation
  crank_hinge.phi = 0;
equation
  connect(angle.y, motor.phi);
  connect(motor.flange, crank_hinge.axis);
  connect(ground.frame, crank_hinge.frame_a);
  connect(crank_hinge.frame_b, crank.frame_a);
  connect(crank.frame_b, pin.frame_a);
  connect(pin.frame_b, rod.frame_a);
  connect(rod.frame_b, piston_pin.frame_a);
  connect(piston_pin.frame_b, guide.frame_b);
  connect(guide.frame_a, ground.frame);
  connect(piston.frame, guide.frame_b);
  annotation(experiment(StopTime = 1, Tolerance = 1e-8),
    __Alembert(plot = {guide.s, guide.v}));
end SliderCrank;
