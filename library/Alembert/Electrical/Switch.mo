// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Switch "A small resistance while closed, a small conductance while open"
  extends Interfaces.OnePort;
  parameter Units.Resistance R_closed = 1e-5 "resistance while closed";
  parameter Units.Conductance G_open = 1e-5 "conductance while open";
  Blocks.Interfaces.BooleanInput closed;
equation
  assert(R_closed > 0 and G_open > 0, "R_closed and G_open must be positive");
  if closed then
    v = R_closed*i;
  else
    i = G_open*v;
  end if;
end Switch;
