// SPDX-License-Identifier: Apache-2.0
model PendulumChain "Point masses on rods, hung one below the other, in Cartesian coordinates"
  parameter Integer n(min = 1) = 20 "number of masses";
  parameter Real L(unit = "m") = 1/n "length of each rod";
  parameter Real g(unit = "m/s2") = 9.81;
  Real x[n](each unit = "m", start = {i*L for i in 1:n});
  Real y[n](each unit = "m");
  Real f[n] "force in each rod, by its length";
  Real energy "of all masses, by mass";
equation
  for i in 1:n loop
    (x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))^2 + (y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))^2 = L^2;
    der(der(x[i])) = -f[i]*(x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))
      + (if i < n then f[min(i + 1, n)]*(x[min(i + 1, n)] - x[i]) else 0);
    der(der(y[i])) = -g - f[i]*(y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))
      + (if i < n then f[min(i + 1, n)]*(y[min(i + 1, n)] - y[i]) else 0);
  end for;
  energy = sum(der(x[i])^2/2 + der(y[i])^2/2 + g*y[i] for i in 1:n);
  annotation(experiment(StopTime = 2));
end PendulumChain;
