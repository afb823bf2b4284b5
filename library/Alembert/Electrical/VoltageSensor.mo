// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model VoltageSensor "A voltmeter"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealOutput y;
equation
  i = 0;
  y = v;
end VoltageSensor;
