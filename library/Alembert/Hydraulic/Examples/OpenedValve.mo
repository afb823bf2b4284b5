// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model OpenedValve "A valve lets the pressure out of a vessel"
  Fluid fluid;
  FixedPressure sink(p = 10e5);
  Valve valve(Cd = 1e5);
  FixedVolume vessel(vol = 0.1, p_start = 100e5);
  Blocks.Ramp ramp(height = 1, duration = 1e-3, start_time = 1e-3, smooth_edges = true);
equation
  connect(fluid.port, sink.port);
  connect(sink.port, valve.port_a);
  connect(valve.port_b, vessel.port);
  connect(ramp.y, valve.area);
  annotation(experiment(StopTime = 0.01, Tolerance = 1e-8),
    __Alembert(plot = {vessel.port.p, valve.port_b.dm}));
end OpenedValve;
