// SPDX-License-Identifier: Apache-2.0
model BeadOnHoop "A bead on a hoop that turns about its vertical diameter: above sqrt(g/R) it leaves the bottom"
  parameter Real w(unit = "rad/s") = 5 "speed of the hoop";
  parameter Real g(unit = "m/s2") = 9.81;
  parameter Real R(unit = "m") = 1;
  parameter Real d(unit = "1/s") = 1 "friction";
  Real angle(start = 0.1, fixed = true, unit = "rad") "from the bottom";
  Real rate(start = 0, fixed = true, unit = "rad/s");
equation
  der(angle) = rate;
  der(rate) = (w^2*cos(angle) - g/R)*sin(angle) - d*rate;
  annotation(experiment(StopTime = 60));
end BeadOnHoop;
