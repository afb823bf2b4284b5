// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model Radiation "Between grey surfaces: Q = e sigma area (T_a^4 - T_b^4)"
  extends Interfaces.TwoPorts;
  import Alembert.Units.*;
  parameter Area area = 1 "surface";
  parameter Real emissivity = 1 "1: a black body";
protected
  constant Real sigma(unit = "W/(m2.K4)") = 5.670374419e-8;
equation
  assert(area > 0, "the area must be positive");
  assert(0 <= emissivity and emissivity <= 1, "an emissivity lies between 0 and 1");
  Q = emissivity*sigma*area*(port_a.T^4 - port_b.T^4);
end Radiation;
