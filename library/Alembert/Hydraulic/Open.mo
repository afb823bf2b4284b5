// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Open "An open end: whoever uses it gives its flow or its pressure"
  parameter Units.Pressure p_start = 0 "pressure at the start";
  Interfaces.Port port;
  Units.Pressure p(start = p_start);
  Units.MassFlowRate dm;
equation
  port.p = p;
  port.dm = dm;
end Open;
