// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Conductor "i = G v"
  extends Interfaces.OnePort;
  parameter Units.Conductance G = 1 "conductance";
equation
  assert(G >= 0, "a conductance must not be negative");
  i = G*v;
end Conductor;
