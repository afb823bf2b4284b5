// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational.Examples;
model Motions "Masses pushed, led, braked, and what sensors tell of them"
  Force push;
  Mass first(m = 2);
  ForceSensor between;
  Mass second(m = 3, v(fixed = false)) "as fast as the first";
  VelocitySensor speed;
  PositionSensor place(s_start = 1);
  Blocks.Constant newtons(k = 10);
  Position lead "along a sine";
  Mass led(m = 4, v(fixed = false));
  Blocks.TimeFunction path(y = 0.1*sin(5*time));
  Mass braked(m = 1);
  Force pull;
  Friction friction(f_slide = 5, d = 1);
  Fixed ground;
  Blocks.Constant eight(k = 8);
  Mass falling(m = 100, v(fixed = false));
  Acceleration fall(solves_force = false);
  Free free "takes the force that the fall needs";
  Blocks.Constant down(k = -10);
equation
  connect(newtons.y, push.f);
  connect(push.flange, first.flange);
  connect(first.flange, between.flange_a);
  connect(between.flange_b, second.flange);
  connect(second.flange, speed.flange);
  connect(second.flange, place.flange);
  connect(path.y, lead.s);
  connect(lead.flange, led.flange);
  connect(eight.y, pull.f);
  connect(pull.flange, braked.flange);
  connect(braked.flange, friction.flange_a);
  connect(friction.flange_b, ground.flange);
  connect(down.y, fall.a);
  connect(fall.flange, falling.flange);
  connect(falling.flange, free.flange);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8),
    __Alembert(plot = {place.s, speed.v, led.v, braked.v}));
end Motions;
