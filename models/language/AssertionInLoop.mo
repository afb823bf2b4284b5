// SPDX-License-Identifier: Apache-2.0
// The same in a branch of a function that a loop calls.
// error sqrt of a negative number
model AssertionInLoop
  function h
    input Real x;
    output Real y;
  algorithm
    if x < 0 then
      assert(false, "sqrt of a negative number: " + String(x));
      y := 0;
    else
      y := sqrt(x);
    end if;
  end h;
  function g
    input Real x;
    output Real y;
  protected
    Integer i;
  algorithm
    y := 0;
    i := 0;
    while y < x loop
      y := y + 0.1 + h(0.6 - x);
      i := i + 1;
    end while;
  end g;
  Real y = g(time);
end AssertionInLoop;
