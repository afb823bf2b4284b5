// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model HeatSource "Heats what it is connected to with a given power"
  Interfaces.HeatPort port;
  Blocks.Interfaces.RealInput Q;
equation
  port.Q = -Q;
end HeatSource;
