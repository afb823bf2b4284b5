// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Resistor "v = R i"
  extends Interfaces.OnePort;
  parameter Units.Resistance R = 1 "resistance";
equation
  assert(R >= 0, "a resistance must not be negative");
  v = R*i;
end Resistor;
