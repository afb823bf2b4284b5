// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Constant "The same all the time"
  parameter Real k = 1 "value";
  Interfaces.RealOutput y;
equation
  y = k;
end Constant;
