// SPDX-License-Identifier: Apache-2.0
// when over arrays of conditions, elsewhen, several whens of one variable.
// expect a[1] = 3
// expect a[2] = 30
// expect n = 10
// expect last[2] = 10
// expect q = 3
// expect w = 4
// stop 1
model WhenWithArrays
  Real a[2](each start = 0, each fixed = true);
  discrete Real last[2](each start = 0);
  Integer n(start = 0, fixed = true);
  Boolean b[2] = {time > 0.25, time > 0.65};
  Integer q(start = 1, fixed = true);
  Integer w(start = 0, fixed = true);
equation
  der(a) = {3, 30};
algorithm
  when sample(0.05, 0.1) then
    n := pre(n) + 1;
    last := {pre(last[2]), n};
  end when;
algorithm
  when b then
    q := pre(q) + 1;
  elsewhen time > 0.9 then
    w := pre(w) + 1;
  end when;
  when {time > 0.3, time > 0.5, initial()} then
    w := w + 1;
  end when;
end WhenWithArrays;
