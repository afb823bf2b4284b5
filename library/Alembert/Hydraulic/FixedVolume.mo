// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model FixedVolume "A rigid vessel"
  parameter Units.Volume vol = 1e-3 "volume";
  parameter Units.Pressure p_start = 0 "pressure at the start";
  Interfaces.Port port(p(start = p_start));
  Units.Density rho(start = Functions.liquid_density(p_start, port.fluid), fixed = true);
  Real drho(unit = "kg/(m3.s)", start = 0);
equation
  assert(vol > 0, "the volume of a vessel must be positive");
  der(rho) = drho;
  rho = if port.fluid.has_gas > 0.5 and not port.p > 0 then Functions.cavity_density(port.p, port.fluid)
     else Functions.liquid_density(port.p, port.fluid);
  port.dm = drho*vol;
  annotation(__Alembert(starts_yield = true));
end FixedVolume;
