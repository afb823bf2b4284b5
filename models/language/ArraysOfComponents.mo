// SPDX-License-Identifier: Apache-2.0
// Slices and reductions over arrays of components, records of arrays of records.
// expect s = 6
// expect m = 3
// expect g[2,2].y = 22
// expect gs = 66
// expect mid[2] = 2
// expect tot = 14
// expect n2 = 4
// expect col[2] = 22
// expect rec.p[2].x = 4
// expect last = 3
model ArraysOfComponents
  model C
    parameter Real v = 1;
    Real y = v;
    Real w[2] = {v, 2 * v};
  end C;
  C c[3](v = {1, 2, 3});
  C g[2, 2](v = {{10 * i + j for j in 1:2} for i in 1:2});
  Real s = sum(c.y);
  Real m = max(c.v);
  Real gs = sum(g.y);
  Real mid[:] = c[1:2].y;
  Real tot = sum(c[i].w[2] for i in 1:size(c, 1)) + c[2].w[1];
  Integer n2 = size(g, 1) * size(g, 2);
  Real col[2] = g[:, 2].y;
  record P
    Real x;
    Real y[2];
  end P;
  record Q
    P p[2];
  end Q;
  Q rec(p(x = {3, 4}, y = {{1, 2}, {3, 4}}));
  Real last = c[end].v;
  Real mm[3, 2] = c.w;
  Real yy[2, 2] = rec.p.y;
  Real tt[2] = rec.p[2].y;
end ArraysOfComponents;
