// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical.Examples;
model Rectifier "Four diodes, a capacitor and a load"
  SineVoltage source(V = 20, f = 50);
  Resistor inner_resistance(R = 0.5);
  Diode d1(C_junction = 1e-9), d2(C_junction = 1e-9), d3(C_junction = 1e-9), d4(C_junction = 1e-9);
  Capacitor capacitor(C = 1e-3);
  Resistor load(R = 100);
  Ground ground;
equation
  connect(source.p, inner_resistance.p);
  connect(inner_resistance.n, d1.p);
  connect(inner_resistance.n, d2.n);
  connect(source.n, d3.p);
  connect(source.n, d4.n);
  connect(d1.n, capacitor.p);
  connect(d3.n, capacitor.p);
  connect(d2.p, capacitor.n);
  connect(d4.p, capacitor.n);
  connect(capacitor.p, load.p);
  connect(capacitor.n, load.n);
  connect(capacitor.n, ground.p);
  annotation(experiment(StopTime = 0.1),
    __Alembert(plot = {source.v, capacitor.v}));
end Rectifier;
