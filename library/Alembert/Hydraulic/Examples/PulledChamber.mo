// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model PulledChamber "A load bounces on a closed chamber and pulls at it: gas keeps the pressure from falling"
  parameter Boolean let_gas = true "false: a liquid that can be pulled";
  Fluid water(let_gas = let_gas);
  Cap cap(p_start = 100e5);
  DynamicVolume chamber(N = 5, p_start = 100e5, area = 1e-3, x_start = 0.05, x_max = 0.1, x_damp = 0.02, x_min = 0.01);
  Translational.Mass load(m = 100, g = -9.807);
  Translational.PositionSensor position(s_start = 0.05);
equation
  connect(water.port, cap.port);
  connect(cap.port, chamber.port);
  connect(chamber.flange, load.flange);
  connect(load.flange, position.flange);
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-6),
    __Alembert(plot = {position.s, chamber.moving_volume.port.p}));
end PulledChamber;
