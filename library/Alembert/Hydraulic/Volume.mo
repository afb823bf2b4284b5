// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Volume "A cylinder behind a piston, in one piece"
  import Alembert.Units.*;
  parameter Area area = 0.01 "cross section";
  parameter Length x_start = 1 "length of the chamber";
  parameter Pressure p_start = 0 "pressure at the start";
  parameter Integer direction = 1 "in which the chamber grows: 1 with the flange, -1 against it";
  Interfaces.Port port(p(start = p_start));
  Translational.Interfaces.Flange flange;
  Length x(start = x_start, fixed = true);
  Velocity dx;
  Pressure p(start = p_start);
  Force f(start = p_start*area);
  Density rho(start = Functions.liquid_density(p_start, port.fluid), fixed = true);
  Real drho(unit = "kg/(m3.s)", start = 0);
  MassFlowRate dm(start = 0);
equation
  assert(area > 0, "the area of a piston must be positive");
  assert(direction == 1 or direction == -1, "direction must be 1 or -1");
  port.p = p;
  port.dm = dm;
  direction*flange.v = dx;
  direction*flange.f = -f;
  der(x) = dx;
  der(rho) = drho;
  rho = Functions.liquid_density(p, port.fluid);
  f = p*area;
  dm = drho*x*area + rho*dx*area;
  annotation(__Alembert(starts_yield = true));
end Volume;
