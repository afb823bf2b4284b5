// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model CurrentSensor "An ammeter"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealOutput y;
equation
  v = 0;
  y = i;
end CurrentSensor;
