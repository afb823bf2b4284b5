// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Step "Jumps by 'height' at 'start_time', and back after 'duration'"
  import Alembert.Units.*;
  parameter Real height = 1 "by how much it rises";
  parameter Real offset = 0 "added to it";
  parameter Time start_time = 0 "when it begins";
  parameter Time duration = 1e60 "after which it jumps back";
  parameter Boolean smooth_edges = false "rises within about 'delta', differentiable";
  parameter Time delta = 1e-5 "how long round edges take";
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
