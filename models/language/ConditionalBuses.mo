// SPDX-License-Identifier: Apache-2.0
// Conditional components on expandable connectors, buses in buses.
// expect y1 = 3
// expect y2 = 5
// expect bus.sub.v = 7
// expect n = 0
model ConditionalBuses
  connector RIn = input Real;
  connector ROut = output Real;
  expandable connector Sub
  end Sub;
  expandable connector Bus
    Sub sub;
  end Bus;
  block Src
    parameter Real k = 1;
    parameter Boolean use = true;
    ROut y if use;
    ROut w = k;
  equation
    connect(w, y);
  end Src;
  block Sink
    parameter Boolean use = true;
    RIn u if use;
    Real o = i;
  protected
    RIn i;
  equation
    connect(u, i);
    if not use then
      i = 0;
    end if;
  end Sink;
  model Part
    parameter Boolean has = true;
    Bus bus if has;
    Src s(k = 3) if has;
    Sink k1 if has;
  equation
    connect(s.y, bus.speed);
    connect(bus.speed, k1.u);
  end Part;
  Bus bus;
  Part p(has = true);
  Part q(has = false);
  Src s2(k = 5);
  Src s3(k = 7);
  Src v1[2](k = {1, 2});
  Sink a;
  Sink b;
  Sink off(use = false);
  Sink vec[2];
  Real y1 = a.o;
  Real y2 = b.o;
  Real n = off.o;
equation
  connect(p.bus, bus);
  connect(q.bus, bus);
  connect(bus.speed, a.u);
  connect(s2.y, bus.torque);
  connect(bus.torque, b.u);
  connect(s3.y, bus.sub.v);
  connect(v1.w, bus.arr);
  connect(bus.arr, vec.u);
end ConditionalBuses;
