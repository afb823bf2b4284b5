// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model ConstantVoltage "A battery"
  extends Interfaces.OnePort;
  parameter Units.Voltage V = 1 "voltage";
equation
  v = V;
end ConstantVoltage;
