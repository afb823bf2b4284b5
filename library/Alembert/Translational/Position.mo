// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Position "Moves a flange along a given path, with whatever force it takes"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput s;
equation
  der(s) = flange.v;
end Position;
