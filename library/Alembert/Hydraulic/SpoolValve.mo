// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model SpoolValve "An edge that opens with the position of a spool"
  import Alembert.Units.*;
  parameter Boolean reversible = false "a negative position turns the flow round";
  parameter Pressure p_a_start = 0 "pressure at a at the start";
  parameter Pressure p_b_start = 0 "pressure at b at the start";
  parameter Length x_start = 0 "opening at the start";
  parameter Length d = 0.01 "diameter of the spool";
  parameter Real Cd = 1 "loss coefficient: dp = Cd rho u^2 / 2";
  parameter Area minimum_area = 1.5e-12 "through which a shut edge leaks";
  Interfaces.Port port_a(p(start = p_a_start));
  Interfaces.Port port_b(p(start = p_b_start));
  Translational.Interfaces.Flange flange;
  Internal.ValveBase valve(reversible = reversible, p_a_start = p_a_start, p_b_start = p_b_start,
    area_start = 2*pi*d*x_start, minimum_area = minimum_area, Cd = Cd);
  Length x(start = x_start, fixed = true) "opening";
  Velocity dx;
protected
  constant Real pi = 3.14159265358979323846;
equation
  assert(d > 0, "the diameter of a spool must be positive");
  der(x) = dx;
  flange.v = dx;
  flange.f = 0;
  valve.area = 2*pi*d*x;
  connect(valve.port_a, port_a);
  connect(valve.port_b, port_b);
end SpoolValve;
