// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Sine "A sine that begins at 'start_time'"
  import Alembert.Units.*;
  parameter Real amplitude = 1 "amplitude";
  parameter Frequency frequency = 1 "frequency";
  parameter Angle phase = 0 "phase at its beginning";
  parameter Real offset = 0 "added to it";
  parameter Time start_time = 0 "when it begins";
  Interfaces.RealOutput y;
protected
  constant Real pi = 3.14159265358979323846;
equation
  assert(frequency >= 0, "a frequency must not be negative");
  y = offset + (if time < start_time then 0 else amplitude*sin(2*pi*frequency*(time - start_time) + phase));
end Sine;
