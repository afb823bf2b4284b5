// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Step "Jumps by 'height' at 'start_time', and back after 'duration'"
  import Alembert.Units.*;
  parameter Real height = 1;
  parameter Real offset = 0;
  parameter Time start_time = 0;
  parameter Time duration = 1e60;
  parameter Boolean smooth_edges = false "rises within about 'delta', differentiable";
  parameter Time delta = 1e-5;
  Interfaces.RealOutput y;
protected
  constant Real pi = 3.14159265358979323846;
equation
  assert(duration > 0 and delta > 0, "durations must be positive");
  if smooth_edges then
    y = offset + height*(atan((time - start_time)/delta) - atan((time - start_time - duration)/delta))/pi;
  else
    y = offset + (if time < start_time or time >= start_time + duration then 0 else height);
  end if;
end Step;
