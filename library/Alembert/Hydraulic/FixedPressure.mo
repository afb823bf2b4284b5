// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model FixedPressure "A reservoir at constant pressure"
  parameter Units.Pressure p = 0 "gauge pressure";
  Interfaces.Port port;
equation
  port.p = p;
end FixedPressure;
