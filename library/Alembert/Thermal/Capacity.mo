// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
model Capacity "A body of one temperature"
  import Alembert.Units.*;
  parameter HeatCapacity C = 1000 "heat capacity";
  parameter Temperature T_start = 293.15 "temperature at the start";
  Interfaces.HeatPort port;
  Temperature T(start = T_start, fixed = true);
equation
  assert(C > 0, "a heat capacity must be positive");
  assert(T_start > 0, "a temperature is counted from absolute zero and must be positive");
  T = port.T;
  C*der(T) = port.Q;
  annotation(__Alembert(starts_yield = true));
end Capacity;
