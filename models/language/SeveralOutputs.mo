// SPDX-License-Identifier: Apache-2.0
// Outputs with defaults, arrays sized by inputs.
// expect a = 6
// expect b = 2
// expect c[3] = 9
// expect d = 5
// expect e.m = 2.5
// expect e.all[2] = 4
// expect g = 14
// expect h = 1
// expect k = 3
model SeveralOutputs
  record Stat
    Real m;
    Real all[:];
  end Stat;
  record Stat3
    Real m;
    Real all[4];
  end Stat3;
  function several
    input Real x[:];
    input Real p = 2;
    output Real s = sum(x);
    output Real n = size(x, 1) - 1;
    output Real q[size(x, 1)];
  protected
    Real tmp[size(x, 1)] = x .^ p;
  algorithm
    q := tmp;
  end several;
  function stat
    input Real x[4];
    output Stat3 r;
  protected
    parameter Real p = 2;
  algorithm
    r.m := sum(x) / size(x, 1);
    for i in 1:4 loop
      r.all[i] := x[i]^p;
    end for;
  end stat;
  Real a;
  Real b;
  Real c[3];
  Real d;
  Real g;
  Real h;
  Real k;
  Stat3 e = stat({1, 2, 3, 4});
  function dot
    input Real x[:];
    input Real y[size(x, 1)] = x;
    output Real z = x * y;
  algorithm
  end dot;
  function first
    input Real x;
    input Real y = 2 * x;
    input Real z = y - x;
    output Real r = z;
  algorithm
  end first;
equation
  (a, b, c) = several({1, 2, 3});
  d = several({2, 3}, p = 3);
  g = dot({1, 2, 3});
  h = first(1);
  k = first(z = 3, x = 5);
end SeveralOutputs;
