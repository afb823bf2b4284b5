// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Inductor "v = L der(i)"
  extends Interfaces.OnePort(i(start = i_start, fixed = true));
  parameter Units.Inductance L = 1e-3 "inductance";
  parameter Units.Current i_start = 0 "current at the start";
equation
  assert(L > 0, "an inductance must be positive");
  L*der(i) = v;
  annotation(__Alembert(starts_yield = true));
end Inductor;
