// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Fluid "The fluid of every network that it is connected to; water at 20 degrees by default"
  import Alembert.Units.*;
  parameter Density density = 997 "of the liquid at 0 Pa";
  parameter Pressure bulk_modulus = 2.09e9 "of the liquid";
  parameter DynamicViscosity viscosity = 0.0010016 "dynamic viscosity";
  parameter Density gas_density = 0.0073955 "reached at gas_pressure";
  parameter Pressure gas_pressure = -1000 "gauge pressure below which there is gas only";
  parameter Real n = 1 "exponent of the law of Tait and Murnaghan";
  parameter Boolean let_gas = true "gas where the pressure falls below 0; false: a liquid that can be pulled";
  Interfaces.FluidPort port(fluid(density = density, bulk_modulus = bulk_modulus, viscosity = viscosity,
      gas_density = gas_density, gas_pressure = gas_pressure, n = n, has_gas = if let_gas then 1 else 0));
equation
  Connections.root(port.fluid);
  assert(density > 0 and bulk_modulus > 0 and viscosity > 0, "density, bulk_modulus and viscosity of a fluid must be positive");
  assert(gas_density > 0 and gas_density < density, "gas_density must lie between 0 and density");
  assert(gas_pressure < 0, "gas_pressure is a gauge pressure and must be negative");
  assert(n > 0, "the exponent n must be positive");
end Fluid;
