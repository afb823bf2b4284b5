// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Orifice "A sharp-edged hole"
  import Alembert.Units.*;
  parameter Area area = 1e-4 "of the hole";
  parameter Real Cd = 2.7 "loss coefficient: dp = Cd rho u^2 / 2; 2.7 of a thin plate, whose jet has 0.61 of the area";
  parameter Pressure p_start = 0 "pressure at the start";
  Interfaces.Port port_a(p(start = p_start));
  Interfaces.Port port_b(p(start = p_start));
  Internal.ValveBase base(p_a_start = p_start, p_b_start = p_start, area_start = area, Cd = Cd);
equation
  assert(area > 0, "the area of an orifice must be positive");
  connect(base.port_a, port_a);
  connect(base.port_b, port_b);
  base.area = area;
end Orifice;
