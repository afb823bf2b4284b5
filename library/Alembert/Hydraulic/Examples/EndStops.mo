// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model EndStops "Two chambers push a mass to and fro, from cushion to cushion"
  parameter Integer N = 1 "pieces of each chamber";
  parameter Units.Area area = 0.01;
  parameter Units.Length length = 0.1;
  parameter Units.TranslationalDamping d = 3000 "of the seals; without it the mass bounces for seconds";
  Fluid fluid(bulk_modulus = 1e9);
  DynamicVolume left(N = N, direction = 1, p_start = 10e5, area = area, x_start = length, x_max = 2*length,
    x_min = 0.1*length, x_damp = 2.5e-4/area + 0.1*length, Cd = 100, Cd_reverse = 0.1);
  DynamicVolume right(N = N, direction = -1, p_start = 10e5, area = area, x_start = length, x_max = 2*length,
    x_min = 0.1*length, x_damp = 2.5e-4/area + 0.1*length, Cd = 100, Cd_reverse = 0.1);
  Translational.Mass mass(m = 10);
  Translational.Damper seals(d = d);
  Translational.Fixed housing;
  Source left_source;
  Source right_source;
  Blocks.Sine more(amplitude = 0.5e5, frequency = 0.5, offset = 10e5);
  Blocks.Sine less(amplitude = -0.5e5, frequency = 0.5, offset = 10e5);
equation
  connect(fluid.port, left_source.port);
  connect(fluid.port, right_source.port);
  connect(more.y, left_source.p);
  connect(less.y, right_source.p);
  connect(left_source.port, left.port);
  connect(right_source.port, right.port);
  connect(left.flange, mass.flange);
  connect(right.flange, mass.flange);
  connect(seals.flange_a, mass.flange);
  connect(seals.flange_b, housing.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6),
    __Alembert(plot = {left.x, right.x, mass.v}));
end EndStops;
