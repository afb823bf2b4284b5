// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model MassFlow "A pump whose mass flow is a signal, positive out of it"
  Interfaces.Port port;
  Blocks.Interfaces.RealInput dm;
equation
  port.dm = -dm;
end MassFlow;
