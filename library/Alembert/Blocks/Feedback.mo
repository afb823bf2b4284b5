// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block Feedback "y = u1 - u2"
  Interfaces.RealInput u1;
  Interfaces.RealInput u2;
  Interfaces.RealOutput y;
equation
  y = u1 - u2;
end Feedback;
