// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Speed "Turns a flange with a given angular velocity, with whatever torque it takes"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput w;
equation
  flange.w = w;
end Speed;
