// SPDX-License-Identifier: Apache-2.0
model Pendulum "A point mass on a rod, in Cartesian coordinates"
  parameter Real g = 9.81 "gravity";
  Real x(start = 1, fixed = true);
  Real y(start = 0);
  Real lambda "force in the rod, per length";
equation
  der(der(x)) = lambda*x;
  der(der(y)) = lambda*y - g;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8),
    __Alembert(scene = {Trace(at = {x, y}, seconds = 1.5), Rod(from = {0, 0}, to = {x, y}),
      Point(at = {0, 0}, color = {118, 126, 138}), Sphere(at = {x, y}, diameter = 0.12, color = {0, 114, 178}),
      Arrow(from = {x, y}, vector = {lambda*x, lambda*y}, scale = 0.02)}));
end Pendulum;
