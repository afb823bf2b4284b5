// SPDX-License-Identifier: Apache-2.0
// Modifications of modifications, whole-number functions, final and protected.
// expect a.b.x = 7
// expect c[2].p = 20
// expect c[1].p = 10
// expect d.q[3] = 4
// expect v = 12
// expect al = 3
// expect t1 = 2
// expect s[2,1] = 30
// expect neg = -4
// expect fin.k = 2
// expect dd = 1.5
// expect rr = 6
// expect fl = -2
// expect md = 1
// expect rm = -1
// expect sg = -1
// expect ce = 3
// expect dv = -3
// expect bo = 1
model NestedModifications
  model In
    parameter Real x = 1;
    Real y = x;
  end In;
  model Mid
    In b(x = 2);
  end Mid;
  model Deep
    extends Mid(b(x = 7));
  end Deep;
  Deep a;
  model P
    parameter Real p = 1;
    parameter Real q[3] = {1, 2, 3};
    Real z = p * sum(q);
  end P;
  P c[2](p = {10, 20}, each q = {1, 1, 1});
  P d(q = {2, 3, 4});
  Real v = c[1].z * 0.4;
  model Fin
    final parameter Real k = 2;
  protected
    Real hidden = k;
  end Fin;
  Fin fin;
  Integer al = size(c, 1) + (if size(d.q, 1) > 2 then 1 else 0);
  parameter Integer n = 2;
  Real t[n * 2] = {i for i in 1:n * 2};
  Real t1 = t[integer(n)];
  Real s[2, 2] = [1, 2; 3, 4] * 10;
  Real neg = -2^2;
  Real dd = div(3, 2) + 0.5 * mod(5, 2);
  Real rr = sum({1, 2, 3});
  Real fl = floor(-1.5);
  Integer md = mod(-3, 2);
  Integer rm = rem(-3, 2);
  Integer sg = sign(-3);
  Real ce = ceil(2.1);
  Integer dv = div(-7, 2);
  Boolean bo = not false and true or false;
end NestedModifications;
