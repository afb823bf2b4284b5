// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model Convection "From a wall (a) to a fluid (b)"
  extends Interfaces.TwoPorts;
  import Alembert.Units.*;
  parameter Area area = 1 "surface";
  parameter CoefficientOfHeatTransfer h = 10 "coefficient of heat transfer";
equation
  assert(area > 0 and h >= 0, "the area must be positive, the coefficient not negative");
  Q = h*area*dT;
end Convection;
