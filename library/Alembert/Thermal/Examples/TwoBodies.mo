// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal.Examples;
model TwoBodies "A hot body and a cold one share their heat"
  Capacity hot(C = 2000, T_start = 373.15);
  Capacity cold(C = 1000, T_start = 273.15);
  Conductor contact(G = 10);
equation
  connect(hot.port, contact.port_a);
  connect(contact.port_b, cold.port);
  annotation(experiment(StopTime = 500, Tolerance = 1e-9),
    __Alembert(plot = {hot.T, cold.T}));
end TwoBodies;
