// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Fixed "The ground"
  Interfaces.Flange flange;
equation
  flange.w = 0;
end Fixed;
