// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational.Examples;
model Oscillator "A mass on a spring and a damper, let go"
  Mass mass(m = 2);
  Spring spring(k = 50, delta_s_start = 0.1);
  Damper damper(d = 4);
  Fixed ground;
  PositionSensor sensor(s_start = 0.1);
equation
  connect(mass.flange, spring.flange_a);
  connect(mass.flange, damper.flange_a);
  connect(spring.flange_b, ground.flange);
  connect(damper.flange_b, ground.flange);
  connect(sensor.flange, mass.flange);
  annotation(experiment(StopTime = 3, Tolerance = 1e-8),
    __Alembert(plot = {spring.delta_s, mass.v}));
end Oscillator;
