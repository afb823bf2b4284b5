// SPDX-License-Identifier: Apache-2.0
package Mechanics "Motion from natural equations at their own index: published problems with reference digits"
  constant Real pi = 3.14159265358979323846;

  model PendulumIndex3 "J. Cash's pendulum: x, y, speeds and the force, constraint of position"
    Real x(start = 1), y(start = 0), u(start = 0), v(start = 1), lambda(start = 1);
  equation
    der(x) = u;
    der(y) = v;
    der(u) = -lambda*x;
    der(v) = -lambda*y - 1;
    0 = x^2 + y^2 - 1;
    annotation(experiment(StopTime = 1));
  end PendulumIndex3;

  model PendulumIndex2 "The same with the constraint of velocity"
    Real x(start = 1, fixed = true), y(start = 0, fixed = true), u(start = 0), v(start = 1, fixed = true), lambda(start = 1);
  equation
    der(x) = u;
    der(y) = v;
    der(u) = -lambda*x;
    der(v) = -lambda*y - 1;
    0 = x*u + y*v;
    annotation(experiment(StopTime = 1));
  end PendulumIndex2;

  model PendulumIndex1 "The same with the constraint of acceleration"
    Real x(start = 1, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), v(start = 1, fixed = true), lambda;
  equation
    der(x) = u;
    der(y) = v;
    der(u) = -lambda*x;
    der(v) = -lambda*y - 1;
    0 = u^2 + v^2 - y - lambda*(x^2 + y^2);
    annotation(experiment(StopTime = 1));
  end PendulumIndex1;

  model LargeAmplitude "Nearly upright at the start; the constraint with its square root"
    parameter Real m = 1, g = 1, L = 1, phi0 = 0.9*pi;
    Real x(start = sin(phi0)), y(start = -cos(phi0)), lambda;
    Real phi = atan2(x, -y);
  equation
    m*der(der(x)) = -lambda*x/L;
    m*der(der(y)) = -m*g - lambda*y/L;
    sqrt(x^2 + y^2) = L;
    annotation(experiment(StopTime = 100));
  end LargeAmplitude;

  model CarAxis "A constraint that depends on time"
    parameter Real k = 5e-4, L = 1, L0 = 0.5, r = 0.1, w = 10, g = 1;
    Real xl(start = 0), yl(start = 0.5), xr(start = 1), yr(start = 0.5), lambda1, lambda2;
    Real ul(start = -0.5), vl(start = 0), ur(start = -0.5), vr(start = 0);
    Real yb = r*sin(w*time), xb = sqrt(L^2 - yb^2);
    Real Ll = sqrt(xl^2 + yl^2), Lr = sqrt((xr - xb)^2 + (yr - yb)^2);
  equation
    der(xl) = ul;
    der(yl) = vl;
    der(xr) = ur;
    der(yr) = vr;
    k*der(ul) = (L0 - Ll)*xl/Ll + lambda1*xb + 2*lambda2*(xl - xr);
    k*der(vl) = (L0 - Ll)*yl/Ll + lambda1*yb + 2*lambda2*(yl - yr) - k*g;
    k*der(ur) = (L0 - Lr)*(xr - xb)/Lr - 2*lambda2*(xl - xr);
    k*der(vr) = (L0 - Lr)*(yr - yb)/Lr - 2*lambda2*(yl - yr) - k*g;
    0 = xl*xb + yl*yb;
    0 = (xl - xr)^2 + (yl - yr)^2 - L^2;
    annotation(experiment(StopTime = 3));
  end CarAxis;

  model SliderCrank "With a spring and a damper; the crank goes through the dead centre (SUNDIALS, idaSlCrank)"
    parameter Real a = 0.5, J1 = 1, m2 = 1, J2 = 2, k = 1, c = 1, l0 = 1, F = 1;
    Real q(start = pi/2), x(start = cos(asin(-a))), p(start = asin(-a)), lambda1, lambda2;
    Real qd(start = 0) = der(q), xd(start = 0) = der(x), pd(start = 0) = der(p);
    Real l = sqrt(x^2 - x*(cos(p) + a*cos(q)) + (1 + a^2)/4 + a*cos(p - q)/2);
    Real ld = (2*x*xd - xd*(cos(p) + a*cos(q)) + x*(sin(p)*pd + a*sin(q)*qd) - a*sin(p - q)*(pd - qd)/2)/(2*l);
    Real f = (k*(l - l0) + c*ld)/l;
  equation
    J1*der(qd) = -f*a*(sin(p - q)/2 + x*sin(q))/2 - a*sin(q)*lambda1 + a*cos(q)*lambda2;
    m2*der(xd) = f*(cos(p)/2 - x + a*cos(q)/2) + F - lambda1;
    J2*der(pd) = -f*(x*sin(p) - a*sin(p - q)/2)/2 - F*sin(p) - sin(p)*lambda1 + cos(p)*lambda2;
    0 = x - cos(p) - a*cos(q);
    0 = -sin(p) - a*sin(q);
    annotation(experiment(StopTime = 10));
  end SliderCrank;

  model FlexibleSliderCrank "The rod bends and stretches (Simeon); index 2, velocities constrained, 24 equations"
    // The digits of pi are those of the published program.
    parameter Real p0 = 3.1415927, m2 = 0.151104, m3 = 0.075552, l1 = 0.15, l2 = 0.3, J1 = 0.002727, J2 = 0.0045339259;
    parameter Real E = 2e11, b = 0.008, h = 0.008, rho = 7870, Omega = 150;
    parameter Real Fm = rho*b*h*l2, Fk = E*b*h/l2, Fb = b*h*l2;
    parameter Real MQ[4, 4] = [Fm/2, 0, 0, 0; 0, Fm/2, 0, 0; 0, 0, 8*Fm, Fm; 0, 0, Fm, 2*Fm];
    parameter Real KQ[4, 4] = [Fk*p0^4/24*(h/l2)^2, 0, 0, 0; 0, Fk*2*p0^4/3*(h/l2)^2, 0, 0;
      0, 0, 16*Fk/3, -8*Fk/3; 0, 0, -8*Fk/3, 7*Fk/3];
    parameter Real b13 = -16*Fb/p0^3, b14 = Fb*(8/p0^3 - 1/p0), b24 = Fb/(2*p0);
    parameter Real BQ[4, 4] = [0, 0, b13, b14; 0, 0, 0, b24; -b13, 0, 0, 0; -b14, -b24, 0, 0];
    parameter Real c1[4] = {0, 0, 2*Fb/3, Fb/6}, c2[4] = {2*Fb/p0, 0, 0, 0};
    parameter Real c12[4] = {0, 0, l2*Fb/3, l2*Fb/6}, c21[4] = {l2*Fb/p0, -l2*Fb/(2*p0), 0, 0};
    Real p[7](start = {0, 0, 0.450016933, 0, 0, 0.103339863e-4, 0.169327969e-4}, each fixed = true,
      nominal = {1, 1, 1, 1e-3, 1e-3, 1e-5, 1e-5});
    Real v[7](start = {150, -74.9957670, -0.268938672e-5, 0.444896105, 0.463434311e-2, -0.178591076e-5, -0.268938672e-5});
    Real w[7], lambda[3];
    Real q[4] = p[4:7], qd[4] = v[4:7];
    Real C = cos(p[1] - p[2]), S = sin(p[1] - p[2]);
    Real M[7, 7], f[7], G[3, 7];
  equation
    der(p) = v;
    der(v) = w;
    M[1, 1] = J1 + m2*l1^2;
    M[1, 2] = l1*l2*m2*C/2 + rho*l1*(S*(c2*q) + C*(c1*q));
    M[2, 2] = J2 + q*(MQ*q) + 2*rho*(c12*q);
    M[3, 3] = m3;
    M[1, 3] = 0;
    M[2, 3] = 0;
    M[1, 4:7] = rho*l1*(-S*c1 + C*c2);
    M[2, 4:7] = rho*c21 + rho*(q*BQ);
    M[3, 4:7] = zeros(4);
    M[4:7, 4:7] = MQ;
    M[2, 1] = M[1, 2];
    M[3, 1:2] = M[1:2, 3];
    M[4:7, 1:3] = transpose(M[1:3, 4:7]);
    f[1] = -l1*l2*m2*v[2]^2*S/2 + rho*l1*v[2]^2*(-S*(c1*q) + C*(c2*q)) - 2*rho*l1*v[2]*(C*(c1*qd) + S*(c2*qd));
    f[2] = l1*l2*m2*v[1]^2*S/2 + rho*l1*v[1]^2*(S*(c1*q) - C*(c2*q)) - 2*rho*v[2]*(c12*qd) - 2*v[2]*(qd*(MQ*q))
      - rho*(qd*(BQ*qd));
    f[3] = 0;
    f[4:7] = v[2]^2*(MQ*q) + rho*(v[2]^2*c12 + l1*v[1]^2*(C*c1 + S*c2) + 2*v[2]*(BQ*qd)) - KQ*q;
    G = [l1*cos(p[1]), (l2 + p[7])*cos(p[2]), 0, 0, 0, 0, sin(p[2]);
      l1*sin(p[1]), (l2 + p[7])*sin(p[2]), 1, 0, 0, 0, -cos(p[2]); 1, 0, 0, 0, 0, 0, 0];
    M*w = f - transpose(G)*lambda;
    G*v = {0, 0, Omega};
    annotation(experiment(StopTime = 0.1));
  end FlexibleSliderCrank;

  model Pleiades "Seven stars in a plane, with near collisions"
    parameter Integer n = 7;
    Real x[n](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true), y[n](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true);
    Real u[n](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true), v[n](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true);
  equation
    for i in 1:n loop
      der(x[i]) = u[i];
      der(y[i]) = v[i];
      der(u[i]) = sum(if i == j then 0 else j*(x[j] - x[i])/((x[j] - x[i])^2 + (y[j] - y[i])^2)^1.5 for j in 1:n);
      der(v[i]) = sum(if i == j then 0 else j*(y[j] - y[i])/((x[j] - x[i])^2 + (y[j] - y[i])^2)^1.5 for j in 1:n);
    end for;
    annotation(experiment(StopTime = 3));
  end Pleiades;

  model Beam "An elastic beam in 40 pieces, pulled at its end until t = pi (Hairer and Wanner)"
    parameter Integer n = 40;
    Real theta[n](each start = 0, each fixed = true), omega[n](each start = 0, each fixed = true);
    Real u[n], v[n], g[n];
    Real c[n], s[n] "of the angle from the piece before";
    Real phi = if time <= pi then 1.5*sin(time)^2 else 0;
  equation
    der(theta) = omega;
    c[1] = 1;
    s[1] = 0;
    for l in 2:n loop
      c[l] = cos(theta[l] - theta[l - 1]);
      s[l] = sin(theta[l] - theta[l - 1]);
    end for;
    for l in 1:n loop
      v[l] = n^4*((if l == 1 then -theta[1] else theta[max(l - 1, 1)]) - 2*theta[l] + theta[min(l + 1, n)])
        + n^2*(cos(theta[l])*phi + sin(theta[l])*phi);
      g[l] = (if l > 1 then -s[l]*v[max(l - 1, 1)] else 0) + (if l < n then s[min(l + 1, n)]*v[min(l + 1, n)] else 0)
        + omega[l]^2;
      (if l == 1 then 1 elseif l == n then 3 else 2)*u[l] - (if l > 1 then c[l]*u[max(l - 1, 1)] else 0)
        - (if l < n then c[min(l + 1, n)]*u[min(l + 1, n)] else 0) = g[l];
      der(omega[l]) = (if l == 1 then 1 elseif l == n then 3 else 2)*v[l] - (if l > 1 then c[l]*v[max(l - 1, 1)] else 0)
        - (if l < n then c[min(l + 1, n)]*v[min(l + 1, n)] else 0)
        - (if l > 1 then s[l]*u[max(l - 1, 1)] else 0) + (if l < n then s[min(l + 1, n)]*u[min(l + 1, n)] else 0);
    end for;
    annotation(experiment(StopTime = 5));
  end Beam;

  model Fekete "Charges on a sphere come to rest: stabilised index 2, 160 equations"
    parameter Integer n = 20;
    parameter Real alpha = 0.5;
    parameter Real w[n] = {if i <= 3 then 2*pi*i/3 + pi/13 elseif i <= 10 then 2*pi*(i - 3)/7 + pi/29
      elseif i <= 16 then 2*pi*(i - 10)/6 + pi/7 else 2*pi*(i - 17)/4 + pi/17 for i in 1:n};
    parameter Real b[n] = {if i <= 3 then 3*pi/8 elseif i <= 10 then pi/8 elseif i <= 16 then -2*pi/15 else -3*pi/10 for i in 1:n};
    Real p[n, 3](start = {{cos(w[i])*cos(b[i]), sin(w[i])*cos(b[i]), sin(b[i])} for i in 1:n});
    Real q[n, 3](each start = 0), lambda[n], mu[n](each start = 0);
  equation
    for i in 1:n loop
      der(p[i, :]) = q[i, :] + 2*mu[i]*p[i, :];
      der(q[i, :]) = sum((if i == j then zeros(3) else (p[i, :] - p[j, :])/((p[i, :] - p[j, :])*(p[i, :] - p[j, :]))) for j in 1:n)
        - alpha*q[i, :] + 2*lambda[i]*p[i, :];
      0 = p[i, :]*p[i, :] - 1;
      0 = 2*p[i, :]*q[i, :];
    end for;
    annotation(experiment(StopTime = 1000));
  end Fekete;

  model FlyballGovernor "Stiff springs between a slider and two rods (IFToMM A05); a rod is its direction (a, c)"
    parameter Real It = 0.3*1.0001/12, Il = 5e-6, K = 8e5, C = 4e4, g = 9.81, I = It + 0.3/4 + 5;
    Real a(start = sin(pi/3)), c(start = cos(pi/3)), s(start = 0.5), sd(start = 0), lambda;
    Real omega(start = 2*pi, fixed = true), psi(start = 0, fixed = true);
    Real h = 1 - c/2 - s, L = sqrt(a^2/4 + h^2);
    Real F = K*(L - 0.5) + C*(a*der(a)/4 - h*(der(c)/2 + sd))/L;
    Real Jz = 2*(0.3*(0.05 + a/2)^2 + It*a^2 + Il*c^2 + 5*(0.05 + a)^2) + 0.005005;
    Real theta = atan2(a, c);
    Real Lz = Jz*omega "momentum about the shaft";
  equation
    der(s) = sd;
    der(psi) = omega;
    I*der(der(a)) = (0.3*(0.05 + a/2) + 2*It*a + 10*(0.05 + a))*omega^2/2 - F*a/(4*L) + lambda*a;
    I*der(der(c)) = Il*c*omega^2 + F*h/(2*L) + 5.15*g + lambda*c;
    3*der(sd) = 2*F*h/L - 3*g;
    a^2 + c^2 = 1;
    der(Lz) = 0;
    annotation(experiment(StopTime = 1));
  end FlyballGovernor;

  model Snakeboard "Two steered trucks roll without slipping; multipliers"
    parameter Real l = 0.7, I = 0.1, m = 1;
    Real q[5](start = {0, 0, 0, 5*pi/180, -5*pi/180}, each fixed = true);
    Real u1 = der(q[1]), u2 = der(q[2]), u3 = l/2*der(q[3]), u4 = der(q[4]), u5 = der(q[5]);
    Real lambda[2];
  initial equation
    u3 = 0.1;
    u4 = 0.01;
    u5 = -0.01;
  equation
    3*m*der(der(q[1])) = -sin(q[3] + q[4])*lambda[1] - sin(q[3] + q[5])*lambda[2];
    3*m*der(der(q[2])) = cos(q[3] + q[4])*lambda[1] + cos(q[3] + q[5])*lambda[2];
    (m*l^2/2 + 3*I)*der(der(q[3])) + I*(der(der(q[4])) + der(der(q[5]))) = l/2*cos(q[4])*lambda[1] - l/2*cos(q[5])*lambda[2];
    I*(der(der(q[3])) + der(der(q[4]))) = 0;
    I*(der(der(q[3])) + der(der(q[5]))) = 0;
    -sin(q[3] + q[4])*der(q[1]) + cos(q[3] + q[4])*der(q[2]) + l/2*cos(q[4])*der(q[3]) = 0;
    -sin(q[3] + q[5])*der(q[1]) + cos(q[3] + q[5])*der(q[2]) - l/2*cos(q[5])*der(q[3]) = 0;
    annotation(experiment(StopTime = 8));
  end Snakeboard;

  model RollingDisc "A thin disc rolls without slipping: six coordinates, three forces of contact"
    parameter Real m = 2, r = 0.5, g = 9.81, Id = m*r^2/4, Ia = m*r^2/2;
    Real X(start = 0, fixed = true), Y(start = 0, fixed = true), Z(start = r*cos(0.2));
    Real yaw(start = 0, fixed = true), lean(start = 0.2, fixed = true), spin(start = 0, fixed = true);
    Real u1(start = 0.1, fixed = true) = der(lean), u2 = der(spin) + der(yaw)*sin(lean), u3 = der(yaw)*cos(lean);
    Real F[3] "on the disc, where it touches the ground";
    Real T1, T2, T3 "torques about the lean frame: heading, axle, in the plane of the disc";
    Real energy = m/2*(der(X)^2 + der(Y)^2 + der(Z)^2) + (Id*u1^2 + Ia*u2^2 + Id*u3^2)/2 + m*g*Z;
  initial equation
    der(yaw) = 0.8;
    der(spin) = 6;
  equation
    m*der(der(X)) = F[1];
    m*der(der(Y)) = F[2];
    m*der(der(Z)) = F[3] - m*g;
    // The arm from the centre to the contact is -r times the third axis of the lean frame.
    T1 = r*(-sin(yaw)*F[1] + cos(yaw)*F[2])*cos(lean) + r*sin(lean)*F[3];
    T2 = -r*(cos(yaw)*F[1] + sin(yaw)*F[2]);
    T3 = 0;
    // Euler's equations in the lean frame, which turns with (u1, u3*tan(lean), u3).
    Id*der(u1) + u3*tan(lean)*Id*u3 - u3*Ia*u2 = T1;
    Ia*der(u2) + u3*Id*u1 - u1*Id*u3 = T2;
    Id*der(u3) + u1*Ia*u2 - u3*tan(lean)*Id*u1 = T3;
    der(X) = r*u2*cos(yaw) + r*u1*sin(yaw)*cos(lean);
    der(Y) = r*u2*sin(yaw) - r*u1*cos(yaw)*cos(lean);
    Z = r*cos(lean);
    annotation(experiment(StopTime = 5));
  end RollingDisc;

  model Swing "The pendulum by its angle"
    Real q(start = 2, fixed = true), p(start = 0, fixed = true);
    Real H = p^2/2 - cos(q);
  equation
    der(q) = p;
    der(p) = -sin(q);
    annotation(experiment(StopTime = 100));
  end Swing;

  model Kepler "A planet on an ellipse of eccentricity e"
    parameter Real e = 0.6;
    Real q[2](start = {1 - e, 0}, each fixed = true), p[2](start = {0, sqrt((1 + e)/(1 - e))}, each fixed = true);
    Real H = p*p/2 - 1/sqrt(q*q), momentum = q[1]*p[2] - q[2]*p[1];
  equation
    der(q) = p;
    der(p) = -q/(q*q)^1.5;
    annotation(experiment(StopTime = 100));
  end Kepler;

  model ChaplyginSleigh "A body on a knife edge, with the force on the edge"
    parameter Real m = 1, I = 0.1, a = 0.2;
    Real X(start = a), Y(start = 0), theta(start = 0, fixed = true), lambda "X, Y: centre of mass";
    Real x = X - a*cos(theta), y = Y - a*sin(theta) "knife edge";
    Real v = cos(theta)*der(X) + sin(theta)*der(Y), omega = der(theta);
  initial equation
    x = 0;
    y = 0;
    v = -1;
    omega = 0.5;
  equation
    m*der(der(X)) - lambda*sin(theta) = 0;
    m*der(der(Y)) + lambda*cos(theta) = 0;
    I*der(der(theta)) - a*lambda = 0;
    -der(X)*sin(theta) + der(Y)*cos(theta) - a*der(theta) = 0;
    annotation(experiment(StopTime = 10));
  end ChaplyginSleigh;
end Mechanics;
