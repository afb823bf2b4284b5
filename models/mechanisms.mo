// SPDX-License-Identifier: Apache-2.0
package Mechanisms "Constrained motion from natural equations: no index lowered, no states chosen by hand"
  model Pendulum "Point mass on a rod; period 7.4162987092 s"
    parameter Real g = 1;
    Real x(start = 1), y(start = 0), u(start = 0), v(start = 0);
    Real lambda "force in the rod, per length";
    Real energy = (u^2 + v^2)/2 + g*y;
  equation
    der(x) = u;
    der(y) = v;
    der(u) = lambda*x;
    der(v) = lambda*y - g;
    x^2 + y^2 = 1;
    annotation(experiment(StopTime = 25, Tolerance = 1e-9));
  end Pendulum;

  model Rotation "Over the top every 1.29 s"
    extends Pendulum(g = 9.81, x(start = 0), y(start = -1), u(start = 7));
    annotation(experiment(StopTime = 10, Tolerance = 1e-9));
  end Rotation;

  model Twice "The constraint given twice, with a force for each"
    parameter Real g = 1;
    Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), f1, f2;
  equation
    der(x) = u;
    der(y) = v;
    der(u) = f1*x + 2*f2*x;
    der(v) = f1*y + 2*f2*y - g;
    x^2 + y^2 = 1;
    2*x^2 + 2*y^2 = 2;
    annotation(experiment(StopTime = 25, Tolerance = 1e-9));
  end Twice;

  model DoublePendulum
    parameter Real g = 9.81, m1 = 1, m2 = 2, l1 = 0.8, l2 = 1.2;
    Real x1(start = l1), y1(start = 0), x2(start = l1 + l2), y2(start = 0), f1, f2;
    Real energy = (m1*(der(x1)^2 + der(y1)^2) + m2*(der(x2)^2 + der(y2)^2))/2 + g*(m1*y1 + m2*y2);
  equation
    m1*der(der(x1)) = f1*x1 - f2*(x2 - x1);
    m1*der(der(y1)) = f1*y1 - f2*(y2 - y1) - m1*g;
    m2*der(der(x2)) = f2*(x2 - x1);
    m2*der(der(y2)) = f2*(y2 - y1) - m2*g;
    x1^2 + y1^2 = l1^2;
    (x2 - x1)^2 + (y2 - y1)^2 = l2^2;
    annotation(experiment(StopTime = 5, Tolerance = 1e-9));
  end DoublePendulum;

  model Spherical "A pendulum in space keeps its momentum about the vertical"
    parameter Real g = 9.81;
    Real r[3](start = {0.6, 0, -0.8}), v[3](start = {0, 1.5, 0}), lambda;
    Real energy = v*v/2 + g*r[3];
    Real momentum_z = r[1]*v[2] - r[2]*v[1];
  equation
    der(r) = v;
    der(v) = lambda*r - {0, 0, g};
    r*r = 1;
    annotation(experiment(StopTime = 20, Tolerance = 1e-9));
  end Spherical;

  model FourBarPoints "A closed loop of four bars, by its two moving points"
    parameter Real g = 9.81, a = 0.8, b = 2, c = 1, span = 2;
    parameter Real p = 0.17453292519943295770, q = 0.28929296198973650658;
    Real x2(start = a*cos(p)), y2(start = a*sin(p));
    Real x3(start = a*cos(p) + b*cos(q)), y3(start = a*sin(p) + b*sin(q));
    Real f1, f2, f3;
    Real energy = (der(x2)^2 + der(y2)^2 + der(x3)^2 + der(y3)^2)/2 + g*(y2 + y3);
  equation
    der(der(x2)) = f1*x2 - f2*(x3 - x2);
    der(der(y2)) = f1*y2 - f2*(y3 - y2) - g;
    der(der(x3)) = f2*(x3 - x2) + f3*(x3 - span);
    der(der(y3)) = f2*(y3 - y2) + f3*y3 - g;
    x2^2 + y2^2 = a^2;
    (x3 - x2)^2 + (y3 - y2)^2 = b^2;
    (x3 - span)^2 + y3^2 = c^2;
    annotation(experiment(StopTime = 5, Tolerance = 1e-9));
  end FourBarPoints;

  model DoubleFourBar "Two parallelograms side by side: ten times through a configuration in which it could fold"
    parameter Real g = 9.81;
    Real x[3](start = {0, 1, 2}), y[3](each start = 1), u[3](each start = 1), v[3](each start = 0);
    Real a[3], b[2] "forces in the rods";
  equation
    der(x) = u;
    der(y) = v;
    for k in 1:3 loop
      (x[k] - (k - 1))^2 + y[k]^2 = 1;
    end for;
    for k in 1:2 loop
      (x[k + 1] - x[k])^2 + (y[k + 1] - y[k])^2 = 1;
    end for;
    2/3*der(u[1]) + 1/6*der(u[2]) = a[1]*x[1] - b[1]*(x[2] - x[1]);
    2/3*der(v[1]) + 1/6*der(v[2]) = a[1]*y[1] - b[1]*(y[2] - y[1]) - g;
    der(u[2]) + 1/6*(der(u[1]) + der(u[3])) = a[2]*(x[2] - 1) + b[1]*(x[2] - x[1]) - b[2]*(x[3] - x[2]);
    der(v[2]) + 1/6*(der(v[1]) + der(v[3])) = a[2]*y[2] + b[1]*(y[2] - y[1]) - b[2]*(y[3] - y[2]) - 1.5*g;
    2/3*der(u[3]) + 1/6*der(u[2]) = a[3]*(x[3] - 2) + b[2]*(x[3] - x[2]);
    2/3*der(v[3]) + 1/6*der(v[2]) = a[3]*y[3] + b[2]*(y[3] - y[2]) - g;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end DoubleFourBar;

  model EqualSliderCrank "Crank and rod of equal length: at the dead centre the slider may stay or go on"
    parameter Real g = 9.81;
    Real x(start = 1), y(start = 0), s(start = 2), u(start = 0), v(start = 1), w(start = 0), f1, f2;
    Real energy = (u^2 + v^2 + w^2)/2 + g*y;
  equation
    der(x) = u;
    der(y) = v;
    der(s) = w;
    der(u) = f1*x - f2*(s - x);
    der(v) = f1*y + f2*y - g;
    der(w) = f2*(s - x);
    x^2 + y^2 = 1;
    (s - x)^2 + y^2 = 1;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end EqualSliderCrank;

  model Chain "Point masses on rods, released from the horizontal"
    parameter Integer n = 20;
    parameter Real g = 9.81, l = 1/n, m = 1/n;
    Real x[n](start = {i*l for i in 1:n}), y[n](each start = 0), u[n](each start = 0), v[n](each start = 0), f[n];
    Real energy = sum(m/2*(u[i]^2 + v[i]^2) + m*g*y[i] for i in 1:n);
  equation
    der(x) = u;
    der(y) = v;
    x[1]^2 + y[1]^2 = l^2;
    m*der(u[1]) = f[1]*x[1] - f[2]*(x[2] - x[1]);
    m*der(v[1]) = f[1]*y[1] - f[2]*(y[2] - y[1]) - m*g;
    for i in 2:n loop
      (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = l^2;
    end for;
    for i in 2:n - 1 loop
      m*der(u[i]) = f[i]*(x[i] - x[i - 1]) - f[i + 1]*(x[i + 1] - x[i]);
      m*der(v[i]) = f[i]*(y[i] - y[i - 1]) - f[i + 1]*(y[i + 1] - y[i]) - m*g;
    end for;
    m*der(u[n]) = f[n]*(x[n] - x[n - 1]);
    m*der(v[n]) = f[n]*(y[n] - y[n - 1]) - m*g;
    annotation(experiment(StopTime = 2, Tolerance = 1e-6));
  end Chain;
end Mechanisms;
