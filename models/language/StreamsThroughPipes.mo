// SPDX-License-Identifier: Apache-2.0
// inStream and actualStream through a pipe, and of a connector alone.
// expect h2 = 3
// expect act = 3
// expect pipe.b.h = 5
// expect back = 5
// stop 1
model StreamsThroughPipes
  connector P
    Real p;
    flow Real m;
    stream Real h;
  end P;
  model Bound
    parameter Real p = 1;
    parameter Real h = 1;
    P port;
  equation
    port.p = p;
    port.h = h;
  end Bound;
  model Pipe
    P a;
    P b;
  equation
    a.m + b.m = 0;
    a.m = a.p - b.p;
    b.h = inStream(a.h);
    a.h = inStream(b.h);
  end Pipe;
  Bound src(p = 2, h = 5);
  Bound snk(p = 1, h = 7);
  Pipe pipe;
  P lone;
  Real h2 = inStream(lone.h);
  Real act = actualStream(lone.h);
  Real back = inStream(snk.port.h);
equation
  connect(src.port, pipe.a);
  connect(pipe.b, snk.port);
  lone.h = 3;
  lone.p = 1;
end StreamsThroughPipes;
