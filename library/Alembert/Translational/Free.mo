// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Free "An end whose motion is given elsewhere: has whatever force that takes"
  Interfaces.Flange flange;
  Units.Force f;
equation
  flange.f = f;
end Free;
