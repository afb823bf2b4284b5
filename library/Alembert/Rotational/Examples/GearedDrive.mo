// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational.Examples;
model GearedDrive "A torque on a small wheel turns a large one through a gear and a soft shaft"
  Torque motor;
  Blocks.Constant torque(k = 2);
  Inertia small(J = 0.1);
  Gear gear(ratio = 5);
  Spring shaft(c = 100);
  Damper damping(d = 20);
  Inertia large(J = 4, phi_start = 0);
equation
  connect(torque.y, motor.tau);
  connect(motor.flange, small.flange);
  connect(small.flange, gear.flange_a);
  connect(gear.flange_b, shaft.flange_a);
  connect(gear.flange_b, damping.flange_a);
  connect(shaft.flange_b, large.flange);
  connect(damping.flange_b, large.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8),
    __Alembert(plot = {small.w, large.w}));
end GearedDrive;
