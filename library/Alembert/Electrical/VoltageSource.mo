// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model VoltageSource "A voltage that is a signal"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput u;
equation
  v = u;
end VoltageSource;
