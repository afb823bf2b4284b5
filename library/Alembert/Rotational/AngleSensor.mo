// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model AngleSensor "How far a flange has turned"
  parameter Units.Angle phi_start = 0 "angle at the start";
  Interfaces.Flange flange;
  Blocks.Interfaces.RealOutput phi(start = phi_start, fixed = true);
equation
  der(phi) = flange.w;
  flange.tau = 0;
end AngleSensor;
