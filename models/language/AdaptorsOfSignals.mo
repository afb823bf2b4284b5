// SPDX-License-Identifier: Apache-2.0
// A function that ignores arguments, and tells by them what its derivatives are: the capacitors share
// a current by signals for the voltage and its derivative; the last position is given with its speed
// and acceleration by signals that cannot be differentiated.
// expect a.v = 0.333333333333333
// expect b.i = 0.666666666666667
// expect mass.f = 6
// stop 1
model AdaptorsOfSignals
  function state1
    input Real u[2];
    input Real dummy;
    output Real s;
  algorithm
    s := u[1];
    annotation (derivative(noDerivative = u) = state1der1, InlineAfterIndexReduction = true);
  end state1;
  function state1der1
    input Real u[2];
    input Real dummy;
    input Real dummy_der;
    output Real s;
  algorithm
    s := u[2];
    annotation (InlineAfterIndexReduction = true);
  end state1der1;
  function state2
    input Real u[3];
    input Real dummy;
    output Real s;
  algorithm
    s := u[1];
    annotation (derivative(noDerivative = u) = state2der1, InlineAfterIndexReduction = true);
  end state2;
  function state2der1
    input Real u[3];
    input Real dummy;
    input Real dummy_der;
    output Real s;
  algorithm
    s := u[2];
    annotation (derivative(noDerivative = u, order = 2) = state2der2, InlineAfterIndexReduction = true);
  end state2der1;
  function state2der2
    input Real u[3];
    input Real dummy;
    input Real dummy_der;
    input Real dummy_der2;
    output Real s;
  algorithm
    s := u[3];
    annotation (InlineAfterIndexReduction = true);
  end state2der2;
  model Capacitor
    parameter Real C;
    Real v(start = 0, fixed = true);
    Real i;
  equation
    C*der(v) = i;
  end Capacitor;
  model Mass
    Real s;
    Real v;
    Real f;
  equation
    der(s) = v;
    3*der(v) = f;
  end Mass;
  Capacitor a(C = 1);
  Capacitor b(C = 2, v(fixed = false));
  Mass mass;
  Real dv;
  discrete Real acceleration(start = 2);
equation
  dv = der(a.v);
  b.v = state1({a.v, dv}, time);
  a.i + b.i = 1;
  when time > 2 then
    acceleration = 0;
  end when;
  mass.s = state2({noEvent(if time > 0 then acceleration*time^2/2 else 0), acceleration*time, acceleration}, time);
end AdaptorsOfSignals;
