// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model SharedFlow "A pump, three equal orifices of which one is modelled, a spool valve, a vessel that leaks"
  Fluid oil(density = 876);
  MassFlow pump;
  Blocks.Constant rate(k = 3);
  FlowDivider divider(n = 3);
  Orifice orifice(area = 1e-4, Cd = 2.7);
  FixedPressure tank(p = 1e5);
  FixedPressure supply(p = 5e6);
  SpoolValve spool(d = 0.01, Cd = 2);
  Translational.Position hand;
  Blocks.TimeFunction lift(y = 1e-3*time);
  FixedVolume vessel(vol = 10, p_start = 1e5);
  Open leak "its flow is given below";
equation
  connect(oil.port, pump.port);
  connect(oil.port, supply.port);
  connect(oil.port, vessel.port);
  connect(rate.y, pump.dm);
  connect(pump.port, divider.port_a);
  connect(divider.port_b, orifice.port_a);
  connect(orifice.port_b, tank.port);
  connect(supply.port, spool.port_a);
  connect(spool.port_b, tank.port);
  connect(lift.y, hand.s);
  connect(hand.flange, spool.flange);
  connect(vessel.port, leak.port);
  leak.dm = 0.02;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8),
    __Alembert(plot = {spool.port_a.dm, orifice.port_a.dm, vessel.rho}));
end SharedFlow;
