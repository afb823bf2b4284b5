// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal.Examples;
model HeatedWall "A wall of n layers between a heater and the wind"
  parameter Integer n = 10;
  Capacity layer[n](each C = 2000);
  Conductor inside[n - 1](each G = 50);
  Convection wind(area = 1, h = 25);
  FixedTemperature outdoors(T = 273.15);
  HeatSource heater;
  Blocks.Step power(height = 500, start_time = 100);
equation
  connect(power.y, heater.Q);
  connect(heater.port, layer[1].port);
  for i in 1:n - 1 loop
    connect(layer[i].port, inside[i].port_a);
    connect(inside[i].port_b, layer[i + 1].port);
  end for;
  connect(layer[n].port, wind.port_a);
  connect(wind.port_b, outdoors.port);
  annotation(experiment(StopTime = 30000),
    __Alembert(plot = {layer[1].T, layer[5].T, layer[10].T}));
end HeatedWall;
