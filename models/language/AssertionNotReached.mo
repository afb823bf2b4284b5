// SPDX-License-Identifier: Apache-2.0
// Assertions that are not reached, and one that warns.
// expect y = 1
// expect z = 4
model AssertionNotReached
  function f
    input Real x;
    output Real y;
  algorithm
    assert(x < 0.5, "x is too large");
    y := x^2;
  end f;
  function warns
    input Real x;
    output Real y = 4 * x;
  algorithm
    assert(x < 0.5, "only a warning", AssertionLevel.warning);
  end warns;
  Real y = if time < 0.5 then f(time) else 1;
  Real z = warns(time);
  Real w;
equation
  if time < 0.4 then
    w = f(time);
  else
    w = 0;
  end if;
end AssertionNotReached;
