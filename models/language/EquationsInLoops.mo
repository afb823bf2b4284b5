// SPDX-License-Identifier: Apache-2.0
// for and if equations with parameters as ranges and conditions.
// expect x[3] = 9
// expect y[2,3] = 6
// expect z = 11
// expect t = 18
// expect red = 14
// expect mx = 9
// expect cnt = 2
// expect p = 6
// expect e = 5
model EquationsInLoops
  parameter Integer n = 3;
  parameter Integer mode = 2;
  Real x[n];
  Real y[2, n];
  Real z;
  Real t = sum(c.v) * 3;
  Real red = sum(i^2 for i in 1:3);
  Real mx = max(x);
  Real p = product(c.v);
  model C
    parameter Real v = 1;
    Boolean big = v > 1.5;
  end C;
  C c[3](v = {1, 2, 3});
  Integer cnt = sum(if c[i].big then 1 else 0 for i in 1:n);
  Real e = sum(c[i].v for i in {2, 3});
equation
  for i in 1:n loop
    x[i] = i^2;
    for j in 1:2 loop
      if j == 1 then
        y[j, i] = i;
      else
        y[j, i] = 2 * i;
      end if;
    end for;
  end for;
  if mode == 1 then
    z = 1;
  elseif mode == 2 then
    z = x[end] + 2;
  else
    z = 3;
    t = 1;
  end if;
end EquationsInLoops;
