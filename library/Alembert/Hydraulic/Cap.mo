// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Cap "A closed end"
  parameter Units.Pressure p_start = 0 "pressure at the start";
  Interfaces.Port port;
  Units.Pressure p(start = p_start);
equation
  port.p = p;
  port.dm = 0;
end Cap;
