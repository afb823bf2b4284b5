// SPDX-License-Identifier: Apache-2.0
// Three sources mix into one.
// expect hmix = 2.75
// expect a.hs = 1
// expect s.port.m_flow = 4
// stop 1
model StreamsThatMix
  connector Port
    flow Real m_flow;
    Real p;
    stream Real h;
  end Port;
  model Source
    parameter Real m = 1;
    parameter Real h = 1;
    Port port;
    Real hs = port.h;
  equation
    port.m_flow = -m;
    port.h = h;
  end Source;
  model Sink
    Port port;
    Real hin = inStream(port.h);
    Real act = actualStream(port.h);
  equation
    port.p = 1;
    port.h = 99;
  end Sink;
  Source a(m = 1, h = 1);
  Source b(m = 2, h = 3);
  Source c(m = 1, h = 4);
  Sink s;
  Real hmix = s.hin;
equation
  connect(a.port, s.port);
  connect(b.port, s.port);
  connect(c.port, s.port);
end StreamsThatMix;
