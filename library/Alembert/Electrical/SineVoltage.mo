// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model SineVoltage "Alternating voltage"
  import Alembert.Units.*;
  extends Interfaces.OnePort;
  parameter Voltage V = 1 "amplitude";
  parameter Frequency f = 50 "frequency";
  parameter Angle phase = 0 "phase at its beginning";
  parameter Voltage offset = 0 "added to it";
protected
  constant Real pi = 3.14159265358979323846;
equation
  assert(f >= 0, "a frequency must not be negative");
  v = offset + V*sin(2*pi*f*time + phase);
end SineVoltage;
