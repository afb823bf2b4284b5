// SPDX-License-Identifier: Apache-2.0
// Arrays on expandable connectors.
// expect k[1].o = 1
// expect k[2].o = 2
// expect k3.o = 5
// expect k1.o = 4
// expect one[1].o = 7
// expect pair[2].o = 5
model BusesOfArrays
  connector RIn = input Real;
  connector ROut = output Real;
  expandable connector Bus
  end Bus;
  block Src
    parameter Real k = 1;
    ROut y = k;
  end Src;
  block Sink
    RIn u;
    Real o = u;
  end Sink;
  block VSrc
    ROut y[3] = {3, 4, 5};
  end VSrc;
  block VSink
    RIn u[3];
    Real o = u[3];
  end VSink;
  Bus bus;
  Bus b2;
  Src s[2](k = {1, 2});
  Sink k[2];
  Sink k1;
  VSrc v;
  VSink k3;
  Bus single[1] "arrays of buses: each has its part";
  Bus two[2];
  Src lone[1](each k = 7);
  Sink one[1];
  VSrc vs[2];
  VSink pair[2];
equation
  connect(s.y, bus.arr);
  connect(bus.arr, k.u);
  connect(bus, b2);
  connect(v.y, bus.vec);
  connect(b2.vec, k3.u);
  connect(b2.vec[2], k1.u);
  connect(lone.y, single.x);
  connect(single.x, one.u);
  connect(vs.y, two.v);
  connect(two.v, pair.u);
end BusesOfArrays;
