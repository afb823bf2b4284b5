// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model TorqueSensor "The torque that passes from a to b"
  Interfaces.Flange flange_a;
  Interfaces.Flange flange_b;
  Blocks.Interfaces.RealOutput tau;
equation
  flange_a.w = flange_b.w;
  flange_a.tau = tau;
  flange_a.tau + flange_b.tau = 0;
end TorqueSensor;
