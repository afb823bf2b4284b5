// SPDX-License-Identifier: Apache-2.0
model DoublePendulum "Two rods and two masses; the masses in Cartesian coordinates, the rods by their angles"
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real l1(unit = "m") = 1 "length of the first rod";
  parameter Real l2(unit = "m") = 1 "length of the second rod";
  parameter Real m1(unit = "kg") = 1, m2(unit = "kg") = 1;
  Real phi1(unit = "rad", start = 2.2, fixed = true) "angle of the first rod, from hanging down";
  Real phi2(unit = "rad", start = 2.6, fixed = true) "angle of the second rod, from hanging down";
  Real w1(unit = "rad/s", start = 0, fixed = true), w2(unit = "rad/s", start = 0, fixed = true);
  Real x1(unit = "m"), y1(unit = "m"), x2(unit = "m"), y2(unit = "m");
  Real F1(unit = "N") "force in the first rod", F2(unit = "N") "force in the second rod";
  Real E(unit = "J") "energy";
equation
  x1 = l1*sin(phi1);
  y1 = -l1*cos(phi1);
  x2 = x1 + l2*sin(phi2);
  y2 = y1 - l2*cos(phi2);
  w1 = der(phi1);
  w2 = der(phi2);
  m1*der(der(x1)) = F2*(x2 - x1)/l2 - F1*x1/l1;
  m1*der(der(y1)) = F2*(y2 - y1)/l2 - F1*y1/l1 - m1*g;
  m2*der(der(x2)) = -F2*(x2 - x1)/l2;
  m2*der(der(y2)) = -F2*(y2 - y1)/l2 - m2*g;
  E = m1*(der(x1)^2 + der(y1)^2)/2 + m2*(der(x2)^2 + der(y2)^2)/2 + g*(m1*y1 + m2*y2);
  annotation(experiment(StopTime = 20, Tolerance = 1e-8, Interval = 0.01),
    __Alembert(scene = {
      Trace(at = {x1, y1}, seconds = 1), Trace(at = {x2, y2}, seconds = 3),
      Rod(from = {0, 0}, to = {x1, y1}), Rod(from = {x1, y1}, to = {x2, y2}),
      Point(at = {0, 0}, color = {118, 126, 138}), Point(at = {x1, y1}), Point(at = {x2, y2})}));
end DoublePendulum;
