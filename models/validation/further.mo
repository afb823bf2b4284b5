// SPDX-License-Identifier: Apache-2.0
package Further "More published problems, most with solutions in closed form"
  constant Real pi = 3.14159265358979323846;

  model Squeezer "Andrews' squeezing mechanism: seven bodies, six constraints, index 3 (Hairer and Wanner II, VII.7)"
    parameter Real m[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
    parameter Real I[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
    parameter Real xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
    parameter Real d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, zf = 0.02, fa = 0.01421, rr = 0.007, ra = 0.00092;
    parameter Real ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, zt = 0.04, ta = 0.02308, tb = 0.00916;
    parameter Real u = 0.04, ua = 0.01228, ub = 0.00449, c0 = 4530, l0 = 0.07785, mom = 0.033;
    Real beta(start = -0.0617138900142764496), Theta(start = 0), gamma(start = 0.455279819163070380);
    Real Phi(start = 0.222668390165885885), delta(start = 0.487364979543842550);
    Real Omega(start = -0.222668390165885885), epsilon(start = 1.23054744454982119);
    Real lambda[6];
    Real v[7](each start = 0) = {der(beta), der(Theta), der(gamma), der(Phi), der(delta), der(Omega), der(epsilon)};
    Real w[7] = der(v);
    Real xd = sd*cos(gamma) + sc*sin(gamma) + xb, yd = sd*sin(gamma) - sc*cos(gamma) + yb;
    Real l = sqrt((xd - xc)^2 + (yd - yc)^2), force = -c0*(l - l0)/l, fx = force*(xd - xc), fy = force*(yd - yc);
    Real M21 = m[2]*(da^2 - da*rr*cos(Theta)) + I[2];
    Real M54 = m[4]*((e - ea)^2 + zt*(e - ea)*sin(Phi)) + I[4];
    Real M76 = m[6]*((zf - fa)^2 - u*(zf - fa)*sin(Omega)) + I[6];
  equation
    rr*cos(beta) - d*cos(beta + Theta) - ss*sin(gamma) - xb = 0;
    rr*sin(beta) - d*sin(beta + Theta) + ss*cos(gamma) - yb = 0;
    rr*cos(beta) - d*cos(beta + Theta) - e*sin(Phi + delta) - zt*cos(delta) - xa = 0;
    rr*sin(beta) - d*sin(beta + Theta) + e*cos(Phi + delta) - zt*sin(delta) - ya = 0;
    rr*cos(beta) - d*cos(beta + Theta) - zf*cos(Omega + epsilon) - u*sin(epsilon) - xa = 0;
    rr*sin(beta) - d*sin(beta + Theta) - zf*sin(Omega + epsilon) + u*cos(epsilon) - ya = 0;
    (m[1]*ra^2 + m[2]*(rr^2 - 2*da*rr*cos(Theta) + da^2) + I[1] + I[2])*w[1] + M21*w[2]
      = mom - m[2]*da*rr*v[2]*(v[2] + 2*v[1])*sin(Theta)
      - (-rr*sin(beta) + d*sin(beta + Theta))*(lambda[1] + lambda[3] + lambda[5])
      - (rr*cos(beta) - d*cos(beta + Theta))*(lambda[2] + lambda[4] + lambda[6]);
    M21*w[1] + (m[2]*da^2 + I[2])*w[2] = m[2]*da*rr*v[1]^2*sin(Theta)
      - d*sin(beta + Theta)*(lambda[1] + lambda[3] + lambda[5]) + d*cos(beta + Theta)*(lambda[2] + lambda[4] + lambda[6]);
    (m[3]*(sa^2 + sb^2) + I[3])*w[3] = fx*(sc*cos(gamma) - sd*sin(gamma)) + fy*(sd*cos(gamma) + sc*sin(gamma))
      + ss*cos(gamma)*lambda[1] + ss*sin(gamma)*lambda[2];
    (m[4]*(e - ea)^2 + I[4])*w[4] + M54*w[5] = m[4]*zt*(e - ea)*v[5]^2*cos(Phi)
      + e*cos(Phi + delta)*lambda[3] + e*sin(Phi + delta)*lambda[4];
    M54*w[4] + (m[4]*(zt^2 + 2*zt*(e - ea)*sin(Phi) + (e - ea)^2) + m[5]*(ta^2 + tb^2) + I[4] + I[5])*w[5]
      = -m[4]*zt*(e - ea)*v[4]*(v[4] + 2*v[5])*cos(Phi)
      - (-e*cos(Phi + delta) + zt*sin(delta))*lambda[3] - (-e*sin(Phi + delta) - zt*cos(delta))*lambda[4];
    (m[6]*(zf - fa)^2 + I[6])*w[6] + M76*w[7] = -m[6]*u*(zf - fa)*v[7]^2*cos(Omega)
      - zf*sin(Omega + epsilon)*lambda[5] + zf*cos(Omega + epsilon)*lambda[6];
    M76*w[6] + (m[6]*((zf - fa)^2 - 2*u*(zf - fa)*sin(Omega) + u^2) + m[7]*(ua^2 + ub^2) + I[6] + I[7])*w[7]
      = m[6]*u*(zf - fa)*v[6]*(v[6] + 2*v[7])*cos(Omega)
      - (zf*sin(Omega + epsilon) - u*cos(epsilon))*lambda[5] - (-zf*cos(Omega + epsilon) - u*sin(epsilon))*lambda[6];
    annotation(experiment(StopTime = 0.03));
  end Squeezer;

  model Arenstorf "A satellite between earth and moon, on a closed orbit (Hairer, Norsett and Wanner I, II.0)"
    parameter Real mu = 0.012277471, mu1 = 1 - mu;
    Real x(start = 0.994, fixed = true), y(start = 0, fixed = true);
    Real u(start = 0, fixed = true), v(start = -2.00158510637908252240537862224, fixed = true);
    Real D1 = ((x + mu)^2 + y^2)^1.5, D2 = ((x - mu1)^2 + y^2)^1.5;
  equation
    der(x) = u;
    der(y) = v;
    der(u) = x + 2*v - mu1*(x + mu)/D1 - mu*(x - mu1)/D2;
    der(v) = y - 2*u - mu1*y/D1 - mu*y/D2;
    annotation(experiment(StopTime = 17.0652165601579625588917206249));
  end Arenstorf;

  model ConicalPendulum "A mass in space on a rod that goes round: x = 0.6 cos(w t)"
    parameter Real g = 9.81, radius = 0.6, depth = 0.8, w = sqrt(g/depth);
    Real x(start = radius), y(start = 0), z(start = -depth), u(start = 0), v(start = w*radius), s(start = 0), lambda;
    Real exact = radius*cos(w*time);
  equation
    der(x) = u;
    der(y) = v;
    der(z) = s;
    der(u) = lambda*x;
    der(v) = lambda*y;
    der(s) = lambda*z - g;
    x^2 + y^2 + z^2 = 1;
    annotation(experiment(StopTime = 20));
  end ConicalPendulum;

  model KnifeEdge "A skate on a slope: a cycloid, and no way down (Neimark and Fufaev)"
    parameter Real g = 9.81, slope = 0.3, m = 1, J = 1, w = 1.5;
    Real x(start = 0, fixed = true) "downhill", y(start = 0, fixed = true), phi(start = 0, fixed = true), lambda;
    Real exact_x = g*sin(slope)/(2*w^2)*sin(w*time)^2, exact_y = g*sin(slope)/(2*w^2)*(w*time - sin(2*w*time)/2);
  initial equation
    cos(phi)*der(x) + sin(phi)*der(y) = 0;
    der(phi) = w;
  equation
    m*der(der(x)) = m*g*sin(slope) + lambda*sin(phi);
    m*der(der(y)) = -lambda*cos(phi);
    J*der(der(phi)) = 0;
    der(x)*sin(phi) - der(y)*cos(phi) = 0;
    annotation(experiment(StopTime = 10));
  end KnifeEdge;

  model Relaxation "Stiff, with a solution in closed form (Curtiss and Hirschfelder; Prothero and Robinson)"
    parameter Real k = 2000;
    Real y(start = 0, fixed = true);
    Real exact = (k^2*cos(time) + k*sin(time) - k^2*exp(-k*time))/(k^2 + 1);
  equation
    der(y) = -k*(y - cos(time));
    annotation(experiment(StopTime = 1.5));
  end Relaxation;

  model Brusselator "Reaction and diffusion on n lines (Hairer and Wanner II, IV.10)"
    parameter Integer n = 40;
    parameter Real alpha = 1/50, A = 1, B = 3;
    Real u[n](start = {1 + sin(2*pi*i/(n + 1)) for i in 1:n}, each fixed = true), v[n](each start = 3, each fixed = true);
  equation
    for i in 1:n loop
      der(u[i]) = A + u[i]^2*v[i] - (B + 1)*u[i]
        + alpha*(n + 1)^2*((if i == 1 then 1 else u[max(i - 1, 1)]) - 2*u[i] + (if i == n then 1 else u[min(i + 1, n)]));
      der(v[i]) = B*u[i] - u[i]^2*v[i]
        + alpha*(n + 1)^2*((if i == 1 then 3 else v[max(i - 1, 1)]) - 2*v[i] + (if i == n then 3 else v[min(i + 1, n)]));
    end for;
    annotation(experiment(StopTime = 10));
  end Brusselator;
end Further;
