// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model SpoolValve2Way "Supply to a and b to return, opened by one spool"
  import Alembert.Units.*;
  parameter Boolean reversible = false "a negative position turns the flows round";
  parameter Pressure p_s_start = 0 "pressure of the supply at the start";
  parameter Pressure p_a_start = 0 "pressure at a at the start";
  parameter Pressure p_b_start = 0 "pressure at b at the start";
  parameter Pressure p_r_start = 0 "pressure of the return at the start";
  parameter Units.Mass m = 1 "of the spool";
  parameter Acceleration g = 0 "along the spool";
  parameter Length x_start = 0 "opening at the start";
  parameter Length d = 0.01 "diameter of the spool";
  parameter Real Cd = 1 "loss coefficient: dp = Cd rho u^2 / 2";
  parameter Area minimum_area = 1.5e-12 "through which a shut edge leaks";
  Interfaces.Port port_s(p(start = p_s_start));
  Interfaces.Port port_a(p(start = p_a_start));
  Interfaces.Port port_b(p(start = p_b_start));
  Interfaces.Port port_r(p(start = p_r_start));
  Translational.Interfaces.Flange flange;
  SpoolValve vSA(reversible = reversible, p_a_start = p_s_start, p_b_start = p_a_start, x_start = x_start,
    d = d, Cd = Cd, minimum_area = minimum_area);
  SpoolValve vBR(reversible = reversible, p_a_start = p_b_start, p_b_start = p_r_start, x_start = x_start,
    d = d, Cd = Cd, minimum_area = minimum_area);
  Translational.Mass mass(m = m, g = g, v(fixed = false));
equation
  connect(vSA.port_a, port_s);
  connect(vSA.port_b, port_a);
  connect(vBR.port_a, port_b);
  connect(vBR.port_b, port_r);
  connect(vSA.flange, vBR.flange);
  connect(vSA.flange, mass.flange);
  connect(vSA.flange, flange);
end SpoolValve2Way;
