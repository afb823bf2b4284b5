// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
package Interfaces "Ports, and what is known about a fluid"
  import Alembert.Units.*;

  record FluidProperties "What one fluid has everywhere in its network"
    Density density "of the liquid at 0 Pa";
    Pressure bulk_modulus;
    DynamicViscosity viscosity;
    Density gas_density "reached at gas_pressure";
    Pressure gas_pressure "negative: below it there is gas only";
    Real n "exponent of the law of Tait and Murnaghan; 1: density rises linearly with pressure";
    Real has_gas "1: gas where the pressure falls below 0; 0: a liquid that can be pulled";

    function equalityConstraint "Nothing to be equal where a loop is closed: one fluid gives them all"
      input FluidProperties a;
      input FluidProperties b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end FluidProperties;

  connector Port "Where fluid passes"
    Pressure p "gauge pressure";
    flow MassFlowRate dm "mass flow into the component";
    parameter FluidProperties fluid "of the network";
  end Port;

  connector FluidPort "Gives a network its fluid; nothing passes"
    flow MassFlowRate dm;
    parameter FluidProperties fluid "of the network";
  end FluidPort;

  partial model TwoPort "Ports of one network, in which nothing is stored"
    Port port_a;
    Port port_b;
  equation
    Connections.branch(port_a.fluid, port_b.fluid);
    port_a.dm + port_b.dm = 0;
  end TwoPort;
end Interfaces;
