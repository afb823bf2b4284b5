// SPDX-License-Identifier: Apache-2.0
// A clock whose interval changes: ticks at 0, 0.1, 0.3, 0.6, 1.0, ...
// expect n = 5
// expect last = 0.4
// stop 1.2
model VariableClock
  Integer interval_counter(start = 1);
  Integer n(start = 0);
  Real last;
equation
  when Clock(interval_counter, 10) then
    interval_counter = previous(interval_counter) + 1;
    n = previous(n) + 1;
    last = interval();
  end when;
end VariableClock;
