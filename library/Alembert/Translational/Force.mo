// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Force "Pushes what it is connected to with a given force"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput f;
equation
  flange.f = -f;
end Force;
