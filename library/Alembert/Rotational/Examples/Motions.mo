// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational.Examples;
model Motions "Wheels turned, led, braked, and what sensors tell of them"
  Torque push;
  Inertia first(J = 2);
  TorqueSensor between;
  Inertia second(J = 3, w(fixed = false));
  SpeedSensor speed;
  AngleSensor angle(phi_start = 1);
  Blocks.Constant torque(k = 10);
  Position lead "along a sine";
  Inertia led(J = 4, phi(fixed = false), w(fixed = false));
  Blocks.TimeFunction path(y = 0.1*sin(5*time));
  Inertia swinging(J = 2, w_start = 3);
  Spring spring(c = 50);
  Fixed ground;
  Inertia braked(J = 1);
  Friction friction(tau_slide = 5, d = 1);
  Torque pull;
  Blocks.Constant eight(k = 8);
  Speed turn;
  Damper damper(d = 7);
  Blocks.TimeFunction faster(y = 2*time);
  Inertia given(J = 10, w(fixed = false));
  Free free "takes the torque that the given motion needs";
initial equation
  led.phi = 0;
equation
  connect(torque.y, push.tau);
  connect(push.flange, first.flange);
  connect(first.flange, between.flange_a);
  connect(between.flange_b, second.flange);
  connect(second.flange, speed.flange);
  connect(second.flange, angle.flange);
  connect(path.y, lead.phi);
  connect(lead.flange, led.flange);
  connect(swinging.flange, spring.flange_a);
  connect(spring.flange_b, ground.flange);
  connect(eight.y, pull.tau);
  connect(pull.flange, braked.flange);
  connect(braked.flange, friction.flange_a);
  connect(friction.flange_b, ground.flange);
  connect(faster.y, turn.w);
  connect(turn.flange, damper.flange_a);
  connect(damper.flange_b, ground.flange);
  given.w = -10*time;
  connect(given.flange, free.flange);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8),
    __Alembert(plot = {angle.phi, speed.w, swinging.w, braked.w}));
end Motions;
