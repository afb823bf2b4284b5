// SPDX-License-Identifier: Apache-2.0
// Arrays and ranges inside of functions may be as long as the arguments say when they are called.
// expect a = 4
// expect b = 2
// expect c = 2.5
// expect d = 10
// expect e = 0
model SizesKnownInTheRun
  function total "Halves, as many as fit"
    input Real x;
    output Real y;
  protected
    Integer n = integer(x);
    Real parts[n] = fill(0.5, n);
  algorithm
    y := sum(parts);
  end total;
  function twice
    input Real x;
    output Real y = 2*total(x);
  end twice;
  function triangle
    input Integer n;
    output Real y = sum(1:n);
  end triangle;
  Real u = 3 + time;
  Real a = twice(u) "Of the four that fit at the end";
  Real b = total(u);
  discrete Real c(start = 0, fixed = true);
  Real d = triangle(integer(u));
  Real e = if u > 10 then total(u) else 0;
equation
  when time >= 0.5 then
    c = total(u + 1.5);
  end when;
end SizesKnownInTheRun;
