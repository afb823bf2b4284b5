// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model SineVoltage "Alternating voltage"
  import Alembert.Units.*;
  extends Interfaces.OnePort;
  parameter Voltage V = 1 "amplitude";
  parameter Frequency f = 50;
  parameter Angle phase = 0;
  parameter Voltage offset = 0;
protected
  constant Real pi = 3.14159265358979323846;
equation
  v = offset + V*sin(2*pi*f*time + phase);
end SineVoltage;
