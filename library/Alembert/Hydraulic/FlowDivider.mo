// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model FlowDivider "n equal branches of which one is modelled: the others leave through 'open'"
  import Alembert.Units.*;
  parameter Real n = 1 "branches";
  parameter Pressure p_start = 0 "pressure at the start";
  Interfaces.Port port_a(p(start = p_start)) "all of the flow";
  Interfaces.Port port_b(p(start = p_start)) "one branch";
  Open open(p_start = p_start);
  MassFlowRate dm_a;
  MassFlowRate dm_b;
equation
  assert(n > 0, "the number of branches must be positive");
  connect(port_a, port_b);
  connect(port_a, open.port);
  dm_a = port_a.dm;
  dm_b = dm_a/n;
  open.dm = dm_a - dm_b;
end FlowDivider;
