// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal.Examples;
model Cooling "A body that radiates into the cold, and one that follows its surroundings"
  Capacity ball(C = 500, T_start = 1000);
  Radiation radiation(area = 0.1, emissivity = 0.8);
  FixedTemperature space(T = 3);
  TemperatureSensor thermometer;
  TemperatureSource oven;
  Blocks.TimeFunction warmer(y = 300 + 0.5*time);
  Convection air(area = 2, h = 5);
  Capacity bread(C = 1000, T_start = 300);
equation
  connect(ball.port, radiation.port_a);
  connect(radiation.port_b, space.port);
  connect(thermometer.port, ball.port);
  connect(warmer.y, oven.T);
  connect(oven.port, air.port_a);
  connect(air.port_b, bread.port);
  annotation(experiment(StopTime = 400, Tolerance = 1e-8),
    __Alembert(plot = {thermometer.T, oven.T, bread.T}));
end Cooling;
