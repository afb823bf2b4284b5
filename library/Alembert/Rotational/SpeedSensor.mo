// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model SpeedSensor "The angular velocity of a flange"
  Interfaces.Flange flange;
  Blocks.Interfaces.RealOutput w;
equation
  w = flange.w;
  flange.tau = 0;
end SpeedSensor;
