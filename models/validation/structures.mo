// SPDX-License-Identifier: Apache-2.0
package Structures "Systems whose offsets, index, degrees of freedom and blocks are published or known: alembert explain --json tells them"

  model Pendulum "Second order (Pryce 2001)"
    parameter Real G = -1, L = 1;
    Real x(start = 1), y(start = 0), lambda;
  equation
    der(der(x)) + x*lambda = 0;
    der(der(y)) + y*lambda - G = 0;
    x^2 + y^2 - L^2 = 0;
    annotation(experiment(StopTime = 1));
  end Pendulum;

  model FirstOrderPendulum "Speeds as unknowns (Pantelides 1988)"
    parameter Real G = -1, L = 1;
    Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lambda;
  equation
    der(x) - u = 0;
    der(y) - v = 0;
    der(u) + x*lambda = 0;
    der(v) + y*lambda - G = 0;
    x^2 + y^2 - L^2 = 0;
    annotation(experiment(StopTime = 1));
  end FirstOrderPendulum;

  model AnglePendulum "An angle in place of the constraint of length: theta and its speed are states for good"
    parameter Real G = -1;
    Real x, y, lambda, theta(start = 1, fixed = true);
  equation
    der(der(x)) + x*lambda = 0;
    der(der(y)) + y*lambda - G = 0;
    x - sin(theta) = 0;
    y + cos(theta) = 0;
    annotation(experiment(StopTime = 1));
  end AnglePendulum;

  model LinearExample "Mattsson and Soederlind 1993: five differentiated equations"
    Real x1, x2, x3, x4;
  equation
    x1 + x2 + sin(time) = 0;
    x1 + x2 + x3 + cos(time) = 0;
    x1 + der(x3) + x4 + time = 0;
    2*der(der(x1)) + der(der(x2)) + der(der(x3)) + der(x4) + exp(time) = 0;
    annotation(experiment(StopTime = 1));
  end LinearExample;

  model Reactor "Exothermic, with a prescribed concentration (Pantelides 1988): nothing is free at the start"
    parameter Real K1 = 1, K2 = 2, K3 = 0.5, K4 = 3, K5 = 4, C0 = 2, T0 = 1;
    Real C, T(start = 2), R, Tc;
  equation
    der(C) = K1*(C0 - C) - R;
    der(T) = K1*(T0 - T) + K2*R - K3*(T - Tc);
    0 = R - K5*exp(-K4/T)*C;
    0 = C - (1 + 0.1*sin(time));
    annotation(experiment(StopTime = 1));
  end Reactor;

  model TwoEquations "Pantelides 1988; singular by numbers at y = 1/2 only"
    Real x, y(start = 2);
  equation
    der(x) + der(y) - sin(time) = 0;
    x + y^2 - cos(time) = 0;
    annotation(experiment(StopTime = 1));
  end TwoEquations;

  partial model Chain "Point masses in a plane, each on a rod at the one before"
    parameter Integer n;
    parameter Real m[n] = fill(1.0, n), g = 9.81, L = 1;
    Real x[n](start = {i*L for i in 1:n}), y[n](each start = 0), lambda[n];
  equation
    for k in 1:n loop
      m[k]*der(der(x[k])) = -lambda[k]*(x[k] - (if k > 1 then x[max(k - 1, 1)] else 0))
        + (if k < n then lambda[min(k + 1, n)]*(x[min(k + 1, n)] - x[k]) else 0);
      m[k]*der(der(y[k])) = -lambda[k]*(y[k] - (if k > 1 then y[max(k - 1, 1)] else 0))
        + (if k < n then lambda[min(k + 1, n)]*(y[min(k + 1, n)] - y[k]) else 0) - m[k]*g;
      (x[k] - (if k > 1 then x[max(k - 1, 1)] else 0))^2 + (y[k] - (if k > 1 then y[max(k - 1, 1)] else 0))^2 = L^2;
    end for;
  end Chain;

  model Chain2
    extends Chain(n = 2);
    annotation(experiment(StopTime = 1));
  end Chain2;

  model Chain4
    extends Chain(n = 4);
    annotation(experiment(StopTime = 1));
  end Chain4;

  model ConstraintTwice "The structure tells of no freedom; in truth there are two degrees of it, and one multiplier too many"
    parameter Real G = -1;
    Real x(start = 1), y(start = 0), lambda, mu;
  equation
    der(der(x)) + x*(lambda + 2*mu) = 0;
    der(der(y)) + y*(lambda + 2*mu) - G = 0;
    x^2 + y^2 - 1 = 0;
    2*x^2 + 2*y^2 - 2 = 0;
    annotation(experiment(StopTime = 1));
  end ConstraintTwice;

  partial model Amplifier "What both forms of the transistor amplifier share"
    parameter Real Ub = 6, UF = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000, R = 9000;
    parameter Real C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6;
    Real y1(start = 0), y2(start = 3), y3(start = 3), y4(start = 6), y5(start = 3), y6(start = 3), y7(start = 6), y8(start = 0);
  protected
    constant Real pi = 3.14159265358979323846;
  end Amplifier;

  model TransistorAmplifier "As published (IVP test set): eight states by its structure, five in truth"
    extends Amplifier;
  equation
    C1*(der(y2) - der(y1)) + 0.1*sin(200*pi*time)/R0 - y1/R0 = 0;
    C1*(der(y1) - der(y2)) + Ub/R - 2*y2/R - (1 - alpha)*(beta*(exp((y2 - y3)/UF) - 1)) = 0;
    -C2*der(y3) + beta*(exp((y2 - y3)/UF) - 1) - y3/R = 0;
    C3*(der(y5) - der(y4)) + Ub/R - y4/R - alpha*(beta*(exp((y2 - y3)/UF) - 1)) = 0;
    C3*(der(y4) - der(y5)) + Ub/R - 2*y5/R - (1 - alpha)*(beta*(exp((y5 - y6)/UF) - 1)) = 0;
    -C4*der(y6) + beta*(exp((y5 - y6)/UF) - 1) - y6/R = 0;
    C5*(der(y8) - der(y7)) + Ub/R - y7/R - alpha*(beta*(exp((y5 - y6)/UF) - 1)) = 0;
    C5*(der(y7) - der(y8)) - y8/R = 0;
    annotation(experiment(StopTime = 0.02));
  end TransistorAmplifier;

  model CombinedAmplifier "With sums of equations in place of the second, fifth and eighth (Tan, Nedialkov and Pryce)"
    extends Amplifier;
  equation
    C1*(der(y2) - der(y1)) + 0.1*sin(200*pi*time)/R0 - y1/R0 = 0;
    0.1*sin(200*pi*time)/R0 - y1/R0 + Ub/R - 2*y2/R - (1 - alpha)*(beta*(exp((y2 - y3)/UF) - 1)) = 0;
    -C2*der(y3) + beta*(exp((y2 - y3)/UF) - 1) - y3/R = 0;
    C3*(der(y5) - der(y4)) + Ub/R - y4/R - alpha*(beta*(exp((y2 - y3)/UF) - 1)) = 0;
    2*Ub/R - y4/R - alpha*(beta*(exp((y2 - y3)/UF) - 1)) - 2*y5/R - (1 - alpha)*(beta*(exp((y5 - y6)/UF) - 1)) = 0;
    -C4*der(y6) + beta*(exp((y5 - y6)/UF) - 1) - y6/R = 0;
    C5*(der(y8) - der(y7)) + Ub/R - y7/R - alpha*(beta*(exp((y5 - y6)/UF) - 1)) = 0;
    Ub/R - y7/R - alpha*(beta*(exp((y5 - y6)/UF) - 1)) - y8/R = 0;
    annotation(experiment(StopTime = 0.02));
  end CombinedAmplifier;

  model CarAxis "Four equations of motion, a constraint that depends on time and one that does not"
    parameter Real eps = 0.01, M = 10, L = 1, L0 = 0.5, r = 0.1, w = 10, g = 1, k = M*eps^2/2;
    Real xl(start = 0), yl(start = 0.5), xr(start = 1), yr(start = 0.5), lambda1, lambda2;
  equation
    k*der(der(xl)) = (L0 - sqrt(xl^2 + yl^2))*xl/sqrt(xl^2 + yl^2)
      + lambda1*sqrt(L^2 - (r*sin(w*time))^2) + 2*lambda2*(xl - xr);
    k*der(der(yl)) = (L0 - sqrt(xl^2 + yl^2))*yl/sqrt(xl^2 + yl^2)
      + lambda1*r*sin(w*time) + 2*lambda2*(yl - yr) - k*g;
    k*der(der(xr)) = (L0 - sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2))
      *(xr - sqrt(L^2 - (r*sin(w*time))^2))
      /sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2) - 2*lambda2*(xl - xr);
    k*der(der(yr)) = (L0 - sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2))
      *(yr - r*sin(w*time))
      /sqrt((xr - sqrt(L^2 - (r*sin(w*time))^2))^2 + (yr - r*sin(w*time))^2) - 2*lambda2*(yl - yr) - k*g;
    0 = xl*sqrt(L^2 - (r*sin(w*time))^2) + yl*r*sin(w*time);
    0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
    annotation(experiment(StopTime = 1));
  end CarAxis;

  model ChemicalAkzo "Five substances and an equilibrium (IVP test set)"
    Real y1(start = 0.444), y2(start = 0.00123), y3(start = 0), y4(start = 0.007), y5(start = 0), y6;
  equation
    der(y1) = -2*18.7*y1^4*sqrt(y2) + 0.58*y3*y4 - 0.58/34.4*y1*y5 - 0.09*y1*y4^2;
    der(y2) = -0.5*18.7*y1^4*sqrt(y2) - 0.09*y1*y4^2 - 0.5*0.42*y6^2*sqrt(y2) + 3.3*(0.9/737 - y2);
    der(y3) = 18.7*y1^4*sqrt(y2) - 0.58*y3*y4 + 0.58/34.4*y1*y5;
    der(y4) = -0.58*y3*y4 + 0.58/34.4*y1*y5 - 2*0.09*y1*y4^2;
    der(y5) = 0.58*y3*y4 - 0.58/34.4*y1*y5 + 0.42*y6^2*sqrt(y2);
    0 = 115.83*y1*y4 - y6;
    annotation(experiment(StopTime = 1));
  end ChemicalAkzo;

  model CapacitorLoop "Two capacitors on one source of voltage"
    parameter Real Ca = 1, Cb = 2;
    Real v1, v2, i1, i2;
  equation
    Ca*der(v1) - i1 = 0;
    Cb*der(v2) - i2 = 0;
    v1 - sin(time) = 0;
    v1 - v2 = 0;
    annotation(experiment(StopTime = 1));
  end CapacitorLoop;

  model RigidGear "Two inertias: a linear constraint, for which one choice of states is good for good"
    parameter Real J1 = 1, J2 = 2, n = 3;
    Real p1, p2, w1, w2, tau;
  equation
    der(p1) = w1;
    der(p2) = w2;
    J1*der(w1) = sin(time) + tau;
    J2*der(w2) = -n*tau;
    p1 = n*p2;
    annotation(experiment(StopTime = 1));
  end RigidGear;

  model SeriesCircuit "Resistor, inductor and capacitor in series"
    parameter Real R = 1, L = 1, C = 1;
    Real i, vc, vr, vl;
  equation
    vr = R*i;
    L*der(i) = vl;
    C*der(vc) = i;
    vr + vl + vc = sin(time);
    annotation(experiment(StopTime = 1));
  end SeriesCircuit;

  model BlockTriangular "Two blocks: {1, 2} for v1 and v3, then {3} for v2"
    Real v1(start = -1), v2(start = 1), v3(start = 1);
  equation
    v1 + exp(v3) = 1;
    v1*v3 = -2;
    v1 + v2^3 = 3;
    annotation(experiment(StopTime = 1));
  end BlockTriangular;

  partial model Crank "Data and forces of the planar slider crank with a spring and a damper (SUNDIALS, idaSlCrank)"
    parameter Real a = 0.5, J1 = 1, J2 = 2, m2 = 1, k = 1, c = 1, l0 = 1, F = 1;
    Real q(start = 1.5), x(start = 0.6), p(start = -0.5), lambda1, lambda2;

    function length
      input Real a, q, x, p;
      output Real l = sqrt(x^2 - x*(cos(p) + a*cos(q)) + (1 + a^2)/4 + a*cos(p - q)/2);
      annotation(Inline = true);
    end length;

    function force "Of spring and damper, over the length"
      input Real a, k, l0, c, q, x, p, qd, xd, pd;
      output Real f = (k*(length(a, q, x, p) - l0) + c*(2*x*xd - xd*(cos(p) + a*cos(q))
        + x*(sin(p)*pd + a*sin(q)*qd) - a*sin(p - q)*(pd - qd)/2)/(2*length(a, q, x, p)))/length(a, q, x, p);
      annotation(Inline = true);
    end force;
  end Crank;

  model SliderCrank "Positions constrained: index 3"
    extends Crank;
  equation
    J1*der(der(q)) = -force(a, k, l0, c, q, x, p, der(q), der(x), der(p))*a*(sin(p - q)/2 + x*sin(q))/2
      - a*sin(q)*lambda1 + a*cos(q)*lambda2;
    m2*der(der(x)) = force(a, k, l0, c, q, x, p, der(q), der(x), der(p))*(cos(p)/2 - x + a*cos(q)/2) + F - lambda1;
    J2*der(der(p)) = -force(a, k, l0, c, q, x, p, der(q), der(x), der(p))*(x*sin(p) - a*sin(p - q)/2)/2
      - F*sin(p) - sin(p)*lambda1 + cos(p)*lambda2;
    0 = x - cos(p) - a*cos(q);
    0 = -sin(p) - a*sin(q);
    annotation(experiment(StopTime = 1));
  end SliderCrank;

  model StabilisedSliderCrank "After Gear, Gupta and Leimkuhler: index 2, ten unknowns"
    extends Crank;
    Real qd, xd, pd, mu1, mu2;
  equation
    der(q) = qd - a*sin(q)*mu1 + a*cos(q)*mu2;
    der(x) = xd - mu1;
    der(p) = pd - sin(p)*mu1 + cos(p)*mu2;
    J1*der(qd) = -force(a, k, l0, c, q, x, p, qd, xd, pd)*a*(sin(p - q)/2 + x*sin(q))/2
      - a*sin(q)*lambda1 + a*cos(q)*lambda2;
    m2*der(xd) = force(a, k, l0, c, q, x, p, qd, xd, pd)*(cos(p)/2 - x + a*cos(q)/2) + F - lambda1;
    J2*der(pd) = -force(a, k, l0, c, q, x, p, qd, xd, pd)*(x*sin(p) - a*sin(p - q)/2)/2
      - F*sin(p) - sin(p)*lambda1 + cos(p)*lambda2;
    0 = x - cos(p) - a*cos(q);
    0 = -sin(p) - a*sin(q);
    0 = a*sin(q)*qd + xd + sin(p)*pd;
    0 = -a*cos(q)*qd - cos(p)*pd;
    annotation(experiment(StopTime = 1));
  end StabilisedSliderCrank;

  model ChaplyginSleigh "A constraint of velocity takes no position away"
    parameter Real m = 1, I = 2, a = 0.5;
    Real X, Y, theta, lambda;
  equation
    m*der(der(X)) - lambda*sin(theta) = 0;
    m*der(der(Y)) + lambda*cos(theta) = 0;
    I*der(der(theta)) - a*lambda = 0;
    -der(X)*sin(theta) + der(Y)*cos(theta) - a*der(theta) = 0;
    annotation(experiment(StopTime = 1));
  end ChaplyginSleigh;

  model ModifiedPendula "The tension of one is the length of the next: the index grows (Pryce 2001)"
    parameter Integer n = 2;
    parameter Real G = -1, L = 1, c = 0.1;
    Real x[n](each start = 1), y[n](each start = 0), lambda[n](each start = 0);
  equation
    for k in 1:n loop
      der(der(x[k])) + x[k]*lambda[k] = 0;
      der(der(y[k])) + y[k]*lambda[k] - G = 0;
      x[k]^2 + y[k]^2 - (if k == 1 then L else L + c*lambda[max(k - 1, 1)])^2 = 0;
    end for;
    annotation(experiment(StopTime = 0.1));
  end ModifiedPendula;

  model OverestimatedIndex "Index 1; the structure says 2 and still succeeds (Reissig, Martinson and Barton 2000)"
    Real x1, x2, x3;
  equation
    der(x2) + der(x3) + x1 = sin(time);
    der(x2) + der(x3) + x2 = cos(time);
    x3 = time;
    annotation(experiment(StopTime = 1));
  end OverestimatedIndex;

  model TwoMassInverse "The force that moves the second of two masses along a given path: index 5"
    parameter Real m = 1, k = 10;
    Real z1, z2, F;
  equation
    m*der(der(z1)) = F - k*(z1 - z2);
    m*der(der(z2)) = k*(z1 - z2);
    z2 = sin(time);
    annotation(experiment(StopTime = 1));
  end TwoMassInverse;

  model FourBar "Two moving points on three rods"
    parameter Real m = 1, G = 9.81, L1 = 1, L2 = 2, L3 = 1, Ln = 2;
    Real xa(start = 0), ya(start = 1), xb(start = 2), yb(start = 1), lambda1, lambda2, lambda3;
  equation
    m*der(der(xa)) + 2*lambda1*xa - 2*lambda2*(xb - xa) = 0;
    m*der(der(ya)) + 2*lambda1*ya - 2*lambda2*(yb - ya) + m*G = 0;
    m*der(der(xb)) + 2*lambda2*(xb - xa) + 2*lambda3*(xb - Ln) = 0;
    m*der(der(yb)) + 2*lambda2*(yb - ya) + 2*lambda3*yb + m*G = 0;
    xa^2 + ya^2 = L1^2;
    (xb - xa)^2 + (yb - ya)^2 = L2^2;
    (xb - Ln)^2 + yb^2 = L3^2;
    annotation(experiment(StopTime = 0.3));
  end FourBar;

  model Snakeboard "Five coordinates, two constraints of velocity"
    parameter Real m = 1, I = 1, l = 1;
    Real q1, q2, q3, q4(start = 0.3), q5(start = -0.2), lambda1, lambda2;
  equation
    3*m*der(der(q1)) = -lambda1*sin(q3 + q4) - lambda2*sin(q3 + q5);
    3*m*der(der(q2)) = lambda1*cos(q3 + q4) + lambda2*cos(q3 + q5);
    (m*l^2/2 + 3*I)*der(der(q3)) + I*der(der(q4)) + I*der(der(q5)) = l/2*lambda1*cos(q4) - l/2*lambda2*cos(q5);
    I*(der(der(q3)) + der(der(q4))) = 0;
    I*(der(der(q3)) + der(der(q5))) = 0;
    -sin(q3 + q4)*der(q1) + cos(q3 + q4)*der(q2) + l/2*cos(q4)*der(q3) = 0;
    -sin(q3 + q5)*der(q1) + cos(q3 + q5)*der(q2) - l/2*cos(q5)*der(q3) = 0;
    annotation(experiment(StopTime = 1));
  end Snakeboard;

  model SphericalPendulum "A mass in space on a rod"
    parameter Real G = 9.81, L = 1;
    Real x(start = 1), y(start = 0), z(start = 0), lambda;
  equation
    der(der(x)) = -lambda*x;
    der(der(y)) = -lambda*y;
    der(der(z)) = -lambda*z - G;
    x^2 + y^2 + z^2 = L^2;
    annotation(experiment(StopTime = 1));
  end SphericalPendulum;

  model Inductors "Two in series on one source of current"
    parameter Real L1 = 1, L2 = 2;
    Real i1, i2, v1, v2;
  equation
    L1*der(i1) - v1 = 0;
    L2*der(i2) - v2 = 0;
    i1 - sin(time) = 0;
    i1 - i2 = 0;
    annotation(experiment(StopTime = 1));
  end Inductors;

  model Singular "Two equations for x and none for z: no number of differentiations makes it regular"
    parameter Real k = 1;
    Real x, y, z;
  equation
    der(x) = 1;
    x = 2;
    y = k;
  end Singular;

  model FlexibleSliderCrank "Index 2, 24 equations (Simeon): numbers stand where the published data are not zero"
    parameter Real Fm = 0.15, Fk = 4e7, Fb = 2e-5, rho = 7870, l1 = 0.15, l2 = 0.3, Omega = 150;
    parameter Real M11 = 0.006, M12 = 0.003, J2 = 0.0045, m3 = 0.0755, b1 = 0.5, b2 = 0.06, b3 = 0.16;
    Real p1, p2, p3(start = 0.45), p4, p5, p6, p7;
    Real v1(start = 150), v2(start = -75), v3, v4, v5, v6, v7;
    Real w1, w2, w3, w4, w5, w6, w7, lambda1, lambda2, lambda3;
  equation
    der(p1) = v1;
    der(p2) = v2;
    der(p3) = v3;
    der(p4) = v4;
    der(p5) = v5;
    der(p6) = v6;
    der(p7) = v7;
    der(v1) = w1;
    der(v2) = w2;
    der(v3) = w3;
    der(v4) = w4;
    der(v5) = w5;
    der(v6) = w6;
    der(v7) = w7;
    M11*w1 + (M12*cos(p1 - p2) + rho*l1*Fb*(sin(p1 - p2)*2*p4 + cos(p1 - p2)*(p6 + p7/4)))*w2
      + rho*l1*Fb*(2*cos(p1 - p2)*w4 - sin(p1 - p2)*(w6 + w7/4))
      = -M12*v2^2*sin(p1 - p2) + rho*l1*Fb*v2^2*(-sin(p1 - p2)*(p6 + p7/4) + cos(p1 - p2)*2*p4)
      - 2*rho*l1*Fb*v2*(cos(p1 - p2)*(v6 + v7/4) + sin(p1 - p2)*2*v4)
      - (l1*cos(p1)*lambda1 + l1*sin(p1)*lambda2 + lambda3);
    (M12*cos(p1 - p2) + rho*l1*Fb*(sin(p1 - p2)*2*p4 + cos(p1 - p2)*(p6 + p7/4)))*w1
      + (J2 + Fm*(p4^2/2 + p5^2/2 + 8*p6^2 + 2*p6*p7 + 2*p7^2) + 2*rho*l2*Fb*(p6 + p7/2))*w2
      + rho*Fb*((1 + b1*p6 + b2*p7)*w4 + (b3*p7 - 0.5)*w5 - b1*p4*w6 - (b2*p4 + b3*p5)*w7)
      = M12*v1^2*sin(p1 - p2) + rho*l1*Fb*v1^2*(sin(p1 - p2)*(p6 + p7/4) - cos(p1 - p2)*2*p4)
      - 2*rho*l2*Fb*v2*(v6 + v7/2) - 2*v2*Fm*(v4*p4/2 + v5*p5/2 + v6*(8*p6 + p7) + v7*(p6 + 2*p7))
      - ((l2 + p7)*cos(p2)*lambda1 + (l2 + p7)*sin(p2)*lambda2);
    m3*w3 = -lambda2;
    2*rho*l1*Fb*cos(p1 - p2)*w1 + rho*Fb*(1 + b1*p6 + b2*p7)*w2 + Fm/2*w4
      = v2^2*Fm/2*p4 + rho*Fb*(l1*v1^2*2*sin(p1 - p2) - 2*v2*(b1*v6 + b2*v7)) - Fk*p4;
    rho*Fb*(b3*p7 - 0.5)*w2 + Fm/2*w5 = v2^2*Fm/2*p5 + 2*rho*Fb*v2*b3*v7 - 16*Fk*p5;
    -rho*l1*Fb*sin(p1 - p2)*w1 - rho*Fb*b1*p4*w2 + 8*Fm*w6 + Fm*w7
      = v2^2*Fm*(8*p6 + p7) + rho*Fb*(v2^2*l2 + l1*v1^2*cos(p1 - p2) + 2*v2*b1*v4) - Fk*(16*p6 - 8*p7)/3;
    -rho*l1*Fb*sin(p1 - p2)/4*w1 - rho*Fb*(b2*p4 + b3*p5)*w2 + Fm*w6 + 2*Fm*w7
      = v2^2*Fm*(p6 + 2*p7) + rho*Fb*(v2^2*l2/2 + l1*v1^2*cos(p1 - p2)/4 + 2*v2*(b2*v4 - b3*v5))
      - Fk*(7*p7 - 8*p6)/3 - (sin(p2)*lambda1 - cos(p2)*lambda2);
    l1*cos(p1)*v1 + (l2 + p7)*cos(p2)*v2 + sin(p2)*v7 = 0;
    l1*sin(p1)*v1 + (l2 + p7)*sin(p2)*v2 + v3 - cos(p2)*v7 = 0;
    v1 = Omega;
    annotation(experiment(StopTime = 0.01));
  end FlexibleSliderCrank;
end Structures;
