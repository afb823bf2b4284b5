// SPDX-License-Identifier: Apache-2.0
model ThreeCranks "A coupler on three equal cranks: two would do, the third constrains nothing new"
  parameter Integer n = 3 "cranks";
  parameter Real r = 0.5, a = 1 "length of the cranks, distance of their pins";
  parameter Real m = 2, I = 0.3, g = 9.81;
  Real x(start = 0.3, fixed = true), y(start = -0.4), phi(start = 0) "of the coupler: place and angle";
  Real vx(start = 0, fixed = true), vy, w;
  Real force[n] "in the cranks";
  Real energy = m*(vx^2 + vy^2)/2 + I*w^2/2 + m*g*y;
equation
  der(x) = vx;
  der(y) = vy;
  der(phi) = w;
  m*der(vx) = -sum(force[k]*(x + (k - 1)*a*(cos(phi) - 1)) for k in 1:n);
  m*der(vy) = -sum(force[k]*(y + (k - 1)*a*sin(phi)) for k in 1:n) - m*g;
  I*der(w) = -sum(force[k]*(k - 1)*a*((y + (k - 1)*a*sin(phi))*cos(phi) - (x + (k - 1)*a*(cos(phi) - 1))*sin(phi)) for k in 1:n);
  for k in 1:n loop
    (x + (k - 1)*a*(cos(phi) - 1))^2 + (y + (k - 1)*a*sin(phi))^2 = r^2;
  end for;
  annotation(experiment(StopTime = 10));
end ThreeCranks;
