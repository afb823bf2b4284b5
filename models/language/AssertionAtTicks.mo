// SPDX-License-Identifier: Apache-2.0
// Assertions about clocked quantities are looked at when they tick.
// error sampled 0.6
// error AssertionAtTicks.mo:9:
model AssertionAtTicks
  Real u(start = 0);
equation
  u = sample(time, Clock(2, 10));
  assert(previous(u) < 0.5 or u < 0.7, "sampled " + String(previous(u)));
end AssertionAtTicks;
