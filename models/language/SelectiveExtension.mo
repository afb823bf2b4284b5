// SPDX-License-Identifier: Apache-2.0
// break of components and of connects.
// expect q.b = 4
// expect r.u = 2
// expect r.a.y = 5
model SelectiveExtension
  model S
    parameter Real k = 1;
    Real y = k;
  end S;
  connector O = output Real;
  connector I = input Real;
  block G
    I u;
    O y = 2 * u;
  end G;
  block K
    O y = 1;
  end K;
  model Base
    Real a = 1;
    Real b = 2;
    K src;
    G g;
  equation
    connect(src.y, g.u);
  end Base;
  model Derived
    extends Base(break a, break connect(src.y, g.u), b = 4);
    K other(y = 7);
  equation
    connect(other.y, g.u);
  end Derived;
  model Derived2
    extends Base(break src);
    S a2;
  equation
    g.u = 2;
  end Derived2;
  Derived q;
  Derived2 p;
  model RR
    Real u = p2;
    parameter Real p2 = 2;
    S a(k = 5);
  end RR;
  RR r;
end SelectiveExtension;
