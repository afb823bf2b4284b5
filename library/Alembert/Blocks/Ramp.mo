// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Ramp "Rises by 'height' within 'duration'"
  import Alembert.Units.*;
  parameter Real height = 1 "by how much it rises";
  parameter Time duration = 1 "how long it takes";
  parameter Real offset = 0 "added to it";
  parameter Time start_time = 0 "when it begins";
  parameter Boolean smooth_edges = false "corners are round within about 'delta', differentiable";
  parameter Time delta = 1e-5 "how long round edges take";
  Interfaces.RealOutput y;
protected
  function corner "max(0, t), round"
    input Real t;
    input Real delta;
    output Real y;
  algorithm
    y := t*(1 + t/sqrt(t*t + delta*delta))/2;
  end corner;
equation
  assert(duration > 0 and delta > 0, "durations must be positive");
  if smooth_edges then
    y = offset + height/duration*(corner(time - start_time, delta) - corner(time - start_time - duration, delta));
  else
    y = offset + (if time < start_time then 0 else if time < start_time + duration then height/duration*(time - start_time) else height);
  end if;
end Ramp;
