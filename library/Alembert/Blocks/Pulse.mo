// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Pulse "A rectangle again and again"
  import Alembert.Units.*;
  parameter Real amplitude = 1 "amplitude";
  parameter Time period = 1 "period";
  parameter Real width = 0.5 "part of a period in which it is high";
  parameter Real offset = 0 "added to it";
  parameter Time start_time = 0 "when it begins";
  Interfaces.RealOutput y;
protected
  Boolean is_high(start = false, fixed = true);
equation
  assert(0 < width and width < 1, "the width must lie between 0 and 1");
  when {sample(start_time, period), sample(start_time + width*period, period)} then
    is_high = not pre(is_high);
  end when;
  y = offset + (if is_high then amplitude else 0);
end Pulse;
