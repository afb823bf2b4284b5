// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Torque "Turns what it is connected to with a given torque"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput tau;
equation
  flange.tau = -tau;
end Torque;
