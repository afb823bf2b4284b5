// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model Conductor "Q = G dT"
  extends Interfaces.TwoPorts;
  parameter Units.ThermalConductance G = 1 "thermal conductance";
equation
  assert(G >= 0, "a conductance must not be negative");
  Q = G*dT;
end Conductor;
