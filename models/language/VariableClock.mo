// SPDX-License-Identifier: Apache-2.0
// A clock whose interval changes is refused.
// error interval changes during the run is not supported
// error VariableClock.mo:7:
model VariableClock
  Real y;
  Clock c = Clock(integer(time) + 1, 10);
equation
  when c then
    y = 3;
  end when;
end VariableClock;
