// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
package Interfaces "Ports"
  import Alembert.Units.*;
  connector HeatPort
    Temperature T;
    flow HeatFlowRate Q "into the component";
  end HeatPort;

  partial model TwoPorts "Heat passes from a to b, none is stored"
    HeatPort port_a;
    HeatPort port_b;
    HeatFlowRate Q "from a to b";
    TemperatureDifference dT;
  equation
    dT = port_a.T - port_b.T;
    port_a.Q = Q;
    port_b.Q = -Q;
  end TwoPorts;
end Interfaces;
