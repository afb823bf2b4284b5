// SPDX-License-Identifier: Apache-2.0
package Circuits "Electrical networks from a few parts"
  connector Pin
    Real v(unit = "V") "potential";
    flow Real i(unit = "A") "current into the part";
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v(unit = "V") "voltage from p to n";
    Real i(unit = "A") "current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm", min = 0) = 1;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin(v(start = v0, fixed = true));
    parameter Real C(unit = "F", min = 0) = 1;
    parameter Real v0 = 0 "voltage at the start";
  equation
    C*der(v) = i;
  end Capacitor;

  model Source
    extends TwoPin;
    parameter Real V = 1;
  equation
    v = V;
  end Source;

  model RC "A capacitor charged through a resistor"
    Source source(V = 10);
    Resistor resistor(R = 100);
    Capacitor capacitor(C = 1e-3);
    Ground ground;
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, capacitor.p);
    connect(capacitor.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 1));
  end RC;

  model Ladder "n sections of a resistor and a capacitor"
    parameter Integer n(min = 1) = 10;
    Source source(V = 10);
    Resistor resistors[n](each R = 1);
    Capacitor capacitors[n](each C = 0.1);
    Ground ground;
  equation
    connect(source.p, resistors[1].p);
    for i in 1:n loop
      connect(resistors[i].n, capacitors[i].p);
      connect(capacitors[i].n, ground.p);
    end for;
    for i in 2:n loop
      connect(resistors[i - 1].n, resistors[i].p);
    end for;
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 5));
  end Ladder;
end Circuits;
