// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model FixedTemperature "The surroundings"
  parameter Units.Temperature T = 293.15 "temperature";
  Interfaces.HeatPort port;
equation
  assert(T > 0, "a temperature is counted from absolute zero and must be positive");
  port.T = T;
end FixedTemperature;
