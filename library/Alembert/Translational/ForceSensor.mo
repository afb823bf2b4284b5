// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model ForceSensor "The force that passes from a to b"
  Interfaces.Flange flange_a;
  Interfaces.Flange flange_b;
  Blocks.Interfaces.RealOutput f;
equation
  flange_a.v = flange_b.v;
  flange_a.f = f;
  flange_a.f + flange_b.f = 0;
end ForceSensor;
