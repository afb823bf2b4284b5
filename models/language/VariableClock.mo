// SPDX-License-Identifier: Apache-2.0
// A clock whose interval changes: ticks at 0, 0.2, 0.5, 0.9, ...
// expect n = 4
// expect last = 0.4
// stop 1.2
model VariableClock
  Integer next(start = 1) "tenths of a second";
  Integer n(start = 0);
  Real last;
equation
  when Clock(next, 10) then
    next = previous(next) + 1;
    n = previous(n) + 1;
    last = interval();
  end when;
end VariableClock;
