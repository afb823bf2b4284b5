// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model Sources "What each source gives, and the integral of one of them"
  Constant level(k = 2);
  Step step(height = 2, offset = 1, start_time = 0.25, duration = 0.5);
  Ramp ramp(height = 3, duration = 0.5, offset = -1, start_time = 0.25);
  Sine sine(amplitude = 2, frequency = 0.5, phase = 0.5, offset = 1, start_time = 0.5);
  Pulse pulse(amplitude = 2, period = 2.5, width = 0.4, offset = -1);
  TimeFunction parabola(y = time^2 + 1);
  Integrator integral;
equation
  connect(parabola.y, integral.u);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8),
    __Alembert(plot = {step.y, ramp.y, sine.y, pulse.y}));
end Sources;
