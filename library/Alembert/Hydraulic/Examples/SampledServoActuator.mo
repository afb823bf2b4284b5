// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model SampledServoActuator "The same, its valve moved as samples say"
  extends ServoActuator(redeclare Blocks.SampledData signal(dt = 1e-4, data = {
    0.9*max(0, i*1e-4 - 0.015)^2 - 25*max(0, i*1e-4 - 0.02)^3 for i in 0:1010}));
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-6, Interval = 1e-4),
    __Alembert(plot = {piston.x, body.v}));
end SampledServoActuator;
