// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model VelocitySensor "The velocity of a flange"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealOutput v;
equation
  v = flange.v;
  flange.f = 0;
end VelocitySensor;
