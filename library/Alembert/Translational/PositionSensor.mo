// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model PositionSensor "How far a flange has gone"
  parameter Units.Length s_start = 0 "position at the start";
  Interfaces.Flange flange;
  Blocks.Interfaces.RealOutput s(start = s_start, fixed = true);
equation
  der(s) = flange.v;
  flange.f = 0;
end PositionSensor;
