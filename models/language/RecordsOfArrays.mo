// SPDX-License-Identifier: Apache-2.0
// Arrays of records of arrays, open sizes, functions that give records.
// expect s = 33
// expect r[2].a[2] = 5
// expect t = 10
// expect u[1] = 3
// expect u[2] = 7
// expect v.a[2] = 20
// expect v.b.c[1,2] = 40
// expect w = 4
model RecordsOfArrays
  record Q
    Real c[2, 2];
  end Q;
  record R
    Real a[2];
    Q b;
  end R;
  record N
    parameter Integer n = 2;
    Real z[n];
  end N;
  R r[2](a = {{1, 2}, {3, 5}}, b(c = {{{1, 2}, {3, 4}}, {{5, 6}, {1, 0}}}));
  Real s = sum(r.a) + sum(r.b.c);
  Real t = sum(r[1].b.c);
  Real u[2] = {sum(r[1].a), sum(r[1].b.c[2, :])};
  function scale
    input R x;
    input Real k = 10;
    output R y;
  algorithm
    y := x;
    y.a := k * x.a;
    y.b.c := 2 * k * x.b.c;
  end scale;
  R v = scale(r[1]);
  N q[3](each n = 4, z = fill(1, 3, 4));
  Real w = sum(q[2].z);
end RecordsOfArrays;
