// SPDX-License-Identifier: Apache-2.0
// derivative and inverse annotations.
// expect dy = 3
// expect x = 2
// expect v = 5
// stop 1
model ToldDerivatives
  function f
    input Real x;
    output Real y;
  algorithm
    y := x^3;
    annotation(derivative = df, smoothOrder = 2);
  end f;
  function df
    input Real x;
    input Real dx;
    output Real dy;
  algorithm
    dy := 3 * x^2 * dx;
  end df;
  function g
    input Real x;
    output Real y = exp(x);
  algorithm
    annotation(inverse(x = gi(y)));
  end g;
  function gi
    input Real y;
    output Real x = log(y);
  algorithm
  end gi;
  function sum3
    input Real v[3];
    output Real s;
  algorithm
    s := v[1] + 2 * v[2];
    annotation(derivative = dsum3);
  end sum3;
  function dsum3
    input Real v[3];
    input Real dv[3];
    output Real ds = dv[1] + 2 * dv[2];
  algorithm
  end dsum3;
  Real y = f(time);
  Real dy = der(y);
  Real x;
  Real w[3] = {time, 2 * time, 0};
  Real v = der(sum3(w));
equation
  g(x) = exp(2);
end ToldDerivatives;
