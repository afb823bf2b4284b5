// SPDX-License-Identifier: Apache-2.0
// What is declared discrete has a value before the event, though an equation outside gives it its
// value.
// stop 0.55
// expect sink.twice = 1
// expect sink.changed = 0
// expect sink.n = 5
// expect sink.m = 5
model DiscreteInputs
  connector DiscreteInput = discrete input Real;
  connector RealInput = input Real;
  block Source
    discrete output Real y(start = 0, fixed = true);
  equation
    when sample(0.1, 0.1) then
      y = time;
    end when;
  end Source;
  block Sink
    DiscreteInput u;
    discrete RealInput v;
    Real twice = pre(u) + v;
    Boolean changed = change(v);
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  equation
    when change(u) then
      n = pre(n) + 1;
    end when;
    when changed then
      m = pre(m) + 1;
    end when;
  end Sink;
  Source source;
  Sink sink;
equation
  sink.u = source.y;
  sink.v = source.y;
end DiscreteInputs;
