// SPDX-License-Identifier: Apache-2.0
// Functions with some of their arguments given, nested.
// expect a = 9
// expect b = 3.333333333333333
// expect c = 12
// expect d = 5
model FunctionsAsArguments
  partial function F
    input Real u;
    output Real y;
  end F;
  function poly
    extends F;
    input Real a = 1;
    input Real b = 0;
  algorithm
    y := a * u^2 + b;
  end poly;
  function quad
    input F f;
    input Real lo;
    input Real hi;
    input Integer n = 200;
    output Real s = 0;
  protected
    Real h = (hi - lo) / n;
  algorithm
    for i in 1:n loop
      s := s + h / 6 * (f(lo + (i - 1) * h) + 4 * f(lo + (i - 0.5) * h) + f(lo + i * h));
    end for;
  end quad;
  function apply2
    input F f;
    input Real x;
    output Real y;
  algorithm
    y := f(f(x));
  end apply2;
  function outer2
    input F g;
    input Real x;
    output Real y;
  algorithm
    y := quad(function compose(h = g), 0, x);
  end outer2;
  function compose
    extends F;
    input F h;
  algorithm
    y := h(u) + 1;
  end compose;
  parameter Real p = 2;
  Real a = quad(function poly(), 0, 3);
  Real b = quad(function poly(a = p, b = 1), 0, 1) * 2;
  Real c = apply2(function poly(a = 0.75, b = 0), 2) + 5.25;
  Real d = outer2(function poly(a = 3, b = 0.5 * p), 1) + 2;
end FunctionsAsArguments;
