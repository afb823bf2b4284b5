// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Free "An end whose motion is given elsewhere: has whatever torque that takes"
  Interfaces.Flange flange;
  Units.Torque tau;
equation
  flange.tau = tau;
end Free;
