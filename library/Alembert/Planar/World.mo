// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model World "Gravity; where there is none of this in a model, it is this one"
  parameter Units.Acceleration g[2] = {0, -9.81} "acceleration of gravity";
  annotation(defaultComponentPrefixes = "inner");
end World;
