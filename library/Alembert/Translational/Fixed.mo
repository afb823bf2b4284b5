// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Fixed "The ground"
  Interfaces.Flange flange;
equation
  flange.v = 0;
end Fixed;
