// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical.Examples;
model MotorStart "A DC machine speeds up a flywheel"
  ConstantVoltage battery(V = 12);
  DCMachine motor(R = 0.5, L = 1e-3, k = 0.05, J = 1e-4, d = 1e-5);
  Rotational.Inertia flywheel(J = 1e-3, w(fixed = false));
  Ground ground;
equation
  connect(battery.p, motor.p);
  connect(battery.n, motor.n);
  connect(battery.n, ground.p);
  connect(motor.flange, flywheel.flange);
  annotation(experiment(StopTime = 2, Tolerance = 1e-8),
    __Alembert(plot = {motor.w, motor.i}));
end MotorStart;
