// SPDX-License-Identifier: Apache-2.0
package Seeds "The examples of five tutorials of other tools, as Modelica text; docs/seeds.md has both side by side"
  model LoweredByHand "The length differentiated twice in place of itself: the mass drifts off the circle"
    parameter Real g = 1;
    Real x(start = 1, fixed = true), y(start = 0, fixed = true);
    Real u(start = 0, fixed = true), v(start = 0, fixed = true), lambda;
    Real length2 = x^2 + y^2 "1 where the rod is kept";
  equation
    der(x) = u;
    der(y) = v;
    der(u) = lambda*x;
    der(v) = lambda*y - g;
    lambda*x*x + u^2 + (lambda*y - g)*y + v^2 = 0;
    annotation(experiment(StopTime = 500, Tolerance = 1e-3));
  end LoweredByHand;

  model StatesByHand "y and its velocity chosen for good: ends where x is 0"
    parameter Real g = 1;
    Real y(start = 0, fixed = true), v(start = 0, fixed = true), x(start = 1), x_d, lambda;
  equation
    der(y) = v;
    x^2 + y^2 = 1;
    x_d = -v*y/x;
    der(v) = lambda*y - g;
    lambda*x*x + x_d^2 + (lambda*y - g)*y + v^2 = 0;
    annotation(experiment(StopTime = 500, Tolerance = 1e-3));
  end StatesByHand;

  model CartesianPendulum
    parameter Real g = 1;
    Real x(start = 1, fixed = true), y(start = 0, stateSelect = StateSelect.prefer), lambda;
  equation
    der(der(x)) = lambda*x;
    der(der(y)) = lambda*y - g;
    x^2 + y^2 = 1;
    annotation(experiment(StopTime = 25), __Alembert(scene = {
      Trace(at = {x, y}, seconds = 3), Rod(from = {0, 0}, to = {x, y}), Point(at = {x, y})}));
  end CartesianPendulum;

  model PolarPendulum
    parameter Real g = 1;
    Real x, y, lambda, theta(start = 0, fixed = true), w(start = 0, fixed = true) = der(theta);
    Real E = (der(x)^2 + der(y)^2)/2 + y*g;
  equation
    der(der(x)) = lambda*x;
    der(der(y)) = lambda*y - g;
    x = cos(theta);
    y = sin(theta);
    annotation(experiment(StopTime = 25), __Alembert(scene = {
      Trace(at = {x, y}, seconds = 3), Rod(from = {0, 0}, to = {x, y}), Point(at = {x, y})}));
  end PolarPendulum;

  model DoublePendulum
    parameter Real g = 1;
    Real x1, y1, x2, y2, lx2, ly2, lambda1, lambda2;
    Real theta1(start = 0, fixed = true), theta2(start = 1.4, fixed = true);
    Real w1(start = 0, fixed = true) = der(theta1), w2(start = 0, fixed = true) = der(theta2);
    Real E = (der(x1)^2 + der(y1)^2 + der(x2)^2 + der(y2)^2)/2 + y1*g + y2*g;
  equation
    der(der(x1)) = lambda1*x1 - lambda2*lx2;
    der(der(y1)) = lambda1*y1 - lambda2*ly2 - g;
    x1 = cos(theta1);
    y1 = sin(theta1);
    der(der(x2)) = lambda2*lx2;
    der(der(y2)) = lambda2*ly2 - g;
    lx2 = cos(theta2);
    ly2 = sin(theta2);
    x2 = lx2 + x1;
    y2 = ly2 + y1;
    annotation(experiment(StopTime = 25, Tolerance = 1e-7), __Alembert(scene = {
      Trace(at = {x1, y1}, seconds = 2), Trace(at = {x2, y2}, seconds = 5), Rod(from = {0, 0}, to = {x1, y1}),
      Rod(from = {x1, y1}, to = {x2, y2}), Point(at = {x1, y1}), Point(at = {x2, y2})}));
  end DoublePendulum;

  model AnglePendulum "One equation in the angle"
    parameter Real g = 1, L = 1;
    Real phi(start = 0.9*3.14159265358979, fixed = true), w(start = 0, fixed = true) = der(phi);
  equation
    der(der(phi)) + g/L*sin(phi) = 0;
    annotation(experiment(StopTime = 100, Interval = 0.1));
  end AnglePendulum;

  model NewtonsLaw2d "A mass under forces; knows no constraint"
    parameter Real mass = 1, force[2] = {0, -1}, phi0 = 0.9*3.14159265358979;
    Real x(start = sin(phi0), fixed = true), y(start = -cos(phi0)), u(start = 0, fixed = true) = der(x);
    Real reaction[2] "of what constrains the mass";
    Real Ekin = mass*(der(x)^2 + der(y)^2)/2;
  equation
    mass*der(der(x)) = force[1] + reaction[1];
    mass*der(der(y)) = force[2] + reaction[2];
  end NewtonsLaw2d;

  model PendulumByMultiplier "The constraint, added to the law"
    extends NewtonsLaw2d;
    parameter Real L = 1;
    Real lambda "force in the rod", phi = atan2(x, -y);
  equation
    reaction = -lambda/sqrt(x^2 + y^2)*{x, y};
    sqrt(x^2 + y^2) = L;
    annotation(experiment(StopTime = 100, Interval = 0.01));
  end PendulumByMultiplier;

  model PushedSideways "The rod acts on x alone: the mass falls freely, until no force along x can keep it on the circle"
    extends NewtonsLaw2d;
    parameter Real L = 1;
    Real lambda "force along x", phi = atan2(x, -y);
  equation
    reaction = -lambda/sqrt(x^2 + y^2)*{x, 0};
    sqrt(x^2 + y^2) = L;
    annotation(experiment(StopTime = 1.9, Interval = 0.01));
  end PushedSideways;

  model KktDoublePendulum "Two masses on rods by their coordinates; a sweep over starts makes a thousand of them"
    parameter Real g = 9.81, m1 = 1, m2 = 2, l1 = 0.8, l2 = 1.2;
    Real x1(start = l1, fixed = true), y1(start = 0), x2(start = l1 + l2, fixed = true), y2(start = 0), f1, f2;
  equation
    m1*der(der(x1)) = f1*x1 - f2*(x2 - x1);
    m1*der(der(y1)) = f1*y1 - f2*(y2 - y1) - m1*g;
    m2*der(der(x2)) = f2*(x2 - x1);
    m2*der(der(y2)) = f2*(y2 - y1) - m2*g;
    x1^2 + y1^2 = l1^2;
    (x2 - x1)^2 + (y2 - y1)^2 = l2^2;
    annotation(experiment(StopTime = 20, Interval = 0.02), __Alembert(scene = {
      Trace(at = {x2, y2}, seconds = 1), Rod(from = {0, 0}, to = {x1, y1}),
      Rod(from = {x1, y1}, to = {x2, y2}), Point(at = {x1, y1}), Point(at = {x2, y2})}));
  end KktDoublePendulum;
end Seeds;
