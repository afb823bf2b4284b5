// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Valve "A restriction whose area is a signal"
  import Alembert.Units.*;
  parameter Boolean reversible = false "a negative area turns the flow round";
  parameter Pressure p_a_start = 0 "pressure at a at the start";
  parameter Pressure p_b_start = 0 "pressure at b at the start";
  parameter Area area_start = 0 "area at the start";
  parameter Area minimum_area = 0 "it is never shut further";
  parameter Real Cd = 1 "loss coefficient from a to b: dp = Cd rho u^2 / 2";
  parameter Real Cd_reverse = Cd "from b to a";
  Interfaces.Port port_a(p(start = p_a_start));
  Interfaces.Port port_b(p(start = p_b_start));
  Blocks.Interfaces.RealInput area(start = area_start);
  Internal.ValveBase base(reversible = reversible, p_a_start = p_a_start, p_b_start = p_b_start,
    area_start = area_start, minimum_area = minimum_area, Cd = Cd, Cd_reverse = Cd_reverse);
equation
  connect(base.port_a, port_a);
  connect(base.port_b, port_b);
  base.area = area;
end Valve;
