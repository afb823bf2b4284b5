// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model FixedTemperature "The surroundings"
  parameter Units.Temperature T = 293.15;
  Interfaces.HeatPort port;
equation
  port.T = T;
end FixedTemperature;
