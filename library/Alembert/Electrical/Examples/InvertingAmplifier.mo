// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical.Examples;
model InvertingAmplifier "Ten times the voltage, turned round, until it is clipped"
  SineVoltage source(V = 2, f = 10);
  Resistor r1(R = 1000);
  Resistor r2(R = 10000);
  OpAmp amplifier;
  Resistor load(R = 1000);
  Ground ground;
equation
  connect(source.p, r1.p);
  connect(r1.n, amplifier.in_n);
  connect(r2.p, amplifier.in_n);
  connect(r2.n, amplifier.out);
  connect(amplifier.out, load.p);
  connect(amplifier.in_p, ground.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.2),
    __Alembert(plot = {source.v, amplifier.out.v}));
end InvertingAmplifier;
