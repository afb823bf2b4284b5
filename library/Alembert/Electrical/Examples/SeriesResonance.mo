// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical.Examples;
model SeriesResonance "A capacitor discharges through a coil and a resistor"
  Resistor resistor(R = 10);
  Inductor coil(L = 0.1);
  Capacitor capacitor(C = 1e-4, v_start = 10);
  Ground ground;
equation
  connect(capacitor.p, resistor.p);
  connect(resistor.n, coil.p);
  connect(coil.n, capacitor.n);
  connect(capacitor.n, ground.p);
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-9),
    __Alembert(plot = {capacitor.v, coil.i}));
end SeriesResonance;
