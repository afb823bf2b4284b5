// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Ground "Where voltages are measured from"
  Interfaces.Pin p;
equation
  p.v = 0;
end Ground;
