// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Acceleration "Moves a flange with a given acceleration"
  parameter Boolean solves_force = true "false: without any force, where something else gives it";
  parameter Units.Velocity v_start = 0 "velocity at the start";
  Interfaces.Flange flange;
  Blocks.Interfaces.RealInput a;
  Units.Velocity v(start = v_start, fixed = true);
equation
  v = flange.v;
  der(v) = a;
  if not solves_force then
    flange.f = 0;
  end if;
end Acceleration;
