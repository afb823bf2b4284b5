// SPDX-License-Identifier: Apache-2.0
// Conditional components and connectors, replaceable ones with constraints.
// expect y = 5
// expect z = 3
// expect w.y = 2
model ConditionalComponents
  connector C
    Real v;
    flow Real i;
  end C;
  model Load
    parameter Boolean heat = false;
    C p;
    C h if heat;
    parameter Real k = 1;
  equation
    p.i = k * p.v;
  end Load;
  model Src
    C p;
    parameter Real v = 5;
  equation
    p.v = v;
  end Src;
  parameter Boolean big = true;
  Src s;
  Load l if big;
  Load l2(heat = false) if not big;
  Real y = s.p.v;
  Real z = -s.p.i - 2;
  replaceable model M = Load constrainedby Load(k = 2);
  M mm(k = 0);
  model W
    replaceable Integer n = 1;
    replaceable parameter Real q[2] = {1, 1};
    Real y = sum(q);
  end W;
  model WW = W(q = {1, 1});
  WW w;
equation
  connect(s.p, l.p);
  connect(s.p, l2.p);
  connect(l.p, mm.p);
  connect(l2.h, s.p);
end ConditionalComponents;
