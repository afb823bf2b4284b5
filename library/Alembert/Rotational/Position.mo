// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Position "Turns a flange through given angles, with whatever torque it takes"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput phi;
equation
  der(phi) = flange.w;
end Position;
