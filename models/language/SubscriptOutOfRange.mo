// SPDX-License-Identifier: Apache-2.0
// A subscript that only the run knows leaves its array: the run ends there.
// error subscript 4 of 'x' is out of range: dimension 1 has size 3
// error SubscriptOutOfRange.mo:9:
model SubscriptOutOfRange
  Real x[3] = {10, 20, 30};
  Integer i = if time > 0.5 then 4 else 1;
  Boolean guarded = i <= 3 and x[min(i, 3)] > 0;
  Real y = x[i];
end SubscriptOutOfRange;
