// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model TemperatureSource "A temperature that is a signal"
  Interfaces.HeatPort port;
  Blocks.Interfaces.RealInput T;
equation
  port.T = T;
end TemperatureSource;
