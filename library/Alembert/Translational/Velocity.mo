// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Velocity "Moves a flange with a given velocity, with whatever force it takes"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput v;
equation
  flange.v = v;
end Velocity;
