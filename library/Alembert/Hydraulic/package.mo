// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Hydraulic "Liquids under pressure at constant temperature, compressible"
  annotation(Documentation(info = "Pressures are gauge pressures (0 is one atmosphere), flows are mass
flows, positive into a component. Every network of connected ports has one fluid: connect a Fluid to one
of its ports, and its properties spread over connections and through tubes and valves. A piston separates
networks. Two different fluids on one network, or none, are an error that names the ports."));
end Hydraulic;
