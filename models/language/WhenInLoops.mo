// SPDX-License-Identifier: Apache-2.0
// when in for, tuples in when, reinit.
// expect n = 3
// expect x = 0.5
// expect k[2] = 2
// stop 2
model WhenInLoops
  parameter Integer m = 2;
  Integer n(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
  Integer k[m](each start = 0, each fixed = true);
  Integer term(start = 0, fixed = true);
  record R
    Integer a;
    Real b;
  end R;
  R r(a(start = 0, fixed = true), b(start = 0, fixed = true));
  function two
    input Integer a;
    output Integer b = a + 1;
    output Real c = 2 * a;
  algorithm
  end two;
equation
  der(x) = 0;
  when time > 1 then
    reinit(x, 0.5);
  end when;
  for i in 1:m loop
    when time > 0.3 * i then
      k[i] = pre(k[i]) + i;
    end when;
  end for;
  when {time >= 0.5, time >= 1.0, time >= 1.5} then
    n = pre(n) + 1;
  end when;
  when sample(0.5, 0.5) then
    (r.a, r.b) = two(pre(r.a));
  end when;
  when terminal() then
    term = 1;
  end when;
end WhenInLoops;
