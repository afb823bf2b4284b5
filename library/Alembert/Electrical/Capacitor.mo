// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Capacitor "i = C der(v)"
  extends Interfaces.OnePort(v(start = v_start, fixed = true));
  parameter Units.Capacitance C = 1e-6 "capacitance";
  parameter Units.Voltage v_start = 0 "voltage at the start";
equation
  assert(C > 0, "a capacitance must be positive");
  C*der(v) = i;
  annotation(__Alembert(starts_yield = true));
end Capacitor;
