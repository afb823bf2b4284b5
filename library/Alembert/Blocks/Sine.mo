// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Sine "A sine that begins at 'start_time'"
  import Alembert.Units.*;
  parameter Real amplitude = 1;
  parameter Frequency frequency = 1;
  parameter Angle phase = 0;
  parameter Real offset = 0;
  parameter Time start_time = 0;
  Interfaces.RealOutput y;
protected
  constant Real pi = 3.14159265358979323846;
equation
  y = offset + (if time < start_time then 0 else amplitude*sin(2*pi*frequency*(time - start_time) + phase));
end Sine;
