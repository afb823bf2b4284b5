// SPDX-License-Identifier: Apache-2.0
// An assertion in a function stops the run.
// error assertion in 'f' failed: x = 0.5 is
// error AssertionInFunction.mo:12:
model AssertionInFunction
  function f
    input Real x;
    output Real y;
  algorithm
    assert(true, "no");
    y := x^2;
    assert(x < 0.5, "x = " + String(x) + " is too large");
  end f;
  Real y = f(time);
end AssertionInFunction;
