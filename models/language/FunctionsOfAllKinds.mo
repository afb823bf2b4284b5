// SPDX-License-Identifier: Apache-2.0
// Defaults by other inputs, records, open sizes, several outputs, calls for every element.
// expect a = 10
// expect b = 3
// expect c[2] = 4
// expect d.x = 1
// expect d.v[3] = 3
// expect e = 2.5
// expect f = 7
// expect g[2,1] = 2
// expect h = 6
// expect k[2] = 20
// expect m = 2
// expect o = 24
// expect w = 4
model FunctionsOfAllKinds
  record R
    Real x;
    Real v[3];
  end R;
  function addAll
    input Real a;
    input Real b = 2 * a;
    input Real c[:] = {a, b};
    output Real s = a + b + sum(c) + extra;
  protected
    Real extra = 1;
  algorithm
    s := s + 0;
  end addAll;
  function mk
    input Real x = 1;
    output R r;
  algorithm
    r.x := x;
    for i in 1:3 loop
      r.v[i] := i * x;
    end for;
  end mk;
  function mean
    input Real v[:];
    output Real m;
  algorithm
    m := sum(v) / size(v, 1);
  end mean;
  function mx
    input Real A[:, :];
    output Real B[size(A, 2), size(A, 1)];
  algorithm
    for i in 1:size(A, 1), j in 1:size(A, 2) loop
      B[j, i] := A[i, j];
    end for;
  end mx;
  function scalarF
    input Real x;
    output Real y = 2 * x;
  algorithm
  end scalarF;
  function outs
    input Real x;
    output Real a = x;
    output Real b[2] = {x, 2 * x};
    output R c = mk(x);
  algorithm
  end outs;
  function whileF
    input Integer n;
    output Integer r = 0;
  protected
    Integer k = n;
  algorithm
    while k > 0 loop
      k := div(k, 2);
      r := r + 1;
    end while;
  end whileF;
  function prod
    input Real v[:];
    output Real p = 1;
  algorithm
    for x in v loop
      p := p * x;
    end for;
  end prod;
  function types
    input Integer n;
    input Boolean b;
    input String s;
    output Real y;
  algorithm
    if b then
      y := n;
    else
      y := -n;
    end if;
    if s == "x" then
      y := y * 2;
    end if;
  end types;
  Real a = addAll(1.5);
  Real b;
  Real bb[2];
  R rr;
  Real c[3] = {2, 4, 6};
  R d = mk();
  Real e = mean({1, 2, 3, 4});
  Real f = addAll(1, c = {1, 2});
  Real g[2, 1] = mx([1, 2]);
  Real h = sum(mean({1, 2, 3}) * {1, 1, 1});
  Real k[2] = scalarF({5, 10});
  Real m = whileF(3);
  Real o = prod({1, 2, 3, 4});
  Real w = types(2, true, "x");
equation
  (b, bb, rr) = outs(3);
end FunctionsOfAllKinds;
