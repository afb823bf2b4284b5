// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model TemperatureSensor "A thermometer"
  Interfaces.HeatPort port;
  Blocks.Interfaces.RealOutput T;
equation
  T = port.T;
  port.Q = 0;
end TemperatureSensor;
