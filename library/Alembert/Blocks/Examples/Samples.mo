// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model Samples "The derivatives of sampled data: a parabola"
  SampledData parabola(data = {(0.1*i)^2 + 1 for i in 0:101}, dt = 0.1);
  Real y, dy, ddy;
equation
  y = parabola.y;
  dy = der(y);
  ddy = der(dy);
  annotation(experiment(StopTime = 10),
    __Alembert(plot = {y, dy, ddy}));
end Samples;
