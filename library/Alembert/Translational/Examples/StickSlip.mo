// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational.Examples;
model StickSlip "A mass on a moving belt, held by a spring: it sticks and slips"
  Mass mass(m = 1);
  Spring spring(k = 100);
  Fixed wall;
  Friction friction(f_slide = 5, f_break = 10, v_break = 0.05, d = 0);
  Velocity belt;
  Blocks.Constant speed(k = 0.1);
equation
  connect(speed.y, belt.v);
  connect(belt.flange, friction.flange_a);
  connect(friction.flange_b, mass.flange);
  connect(mass.flange, spring.flange_a);
  connect(spring.flange_b, wall.flange);
  annotation(experiment(StopTime = 10),
    __Alembert(plot = {mass.v, spring.f}));
end StickSlip;
