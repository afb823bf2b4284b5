// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model FilledVessel "A step of pressure goes through a long pipe into a vessel"
  parameter Integer N = 1 "pieces of the pipe";
  Fluid fluid(bulk_modulus = 2e9);
  Blocks.Step step(height = 10e5, start_time = 0.005, smooth_edges = true);
  Source source;
  Tube tube(N = N, area = 0.01, length = 50);
  FixedVolume vessel(vol = 10);
equation
  connect(step.y, source.p);
  connect(fluid.port, source.port);
  connect(source.port, tube.port_a);
  connect(tube.port_b, vessel.port);
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-8),
    __Alembert(plot = {vessel.port.p, tube.port_a.dm}));
end FilledVessel;
