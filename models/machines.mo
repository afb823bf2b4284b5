// SPDX-License-Identifier: Apache-2.0
package Machines "More mechanisms in natural coordinates, with partly given starts"
  constant Real g = 9.81;

  model Chebyshev "Straight line by three bars, with a weight in the middle of the coupler"
    Real ax(start = 0), ay(start = 2), bx(start = 3.6), by(start = 4), px(start = 2), py(start = 3);
    Real f1, f2, f3, f4, f5;
    Real energy = (der(ax)^2 + der(ay)^2 + der(bx)^2 + der(by)^2 + 0.5*(der(px)^2 + der(py)^2))/2 + g*(ay + by + 0.5*py);
  equation
    ax^2 + ay^2 = 25;
    (bx - 4)^2 + by^2 = 25;
    (ax - bx)^2 + (ay - by)^2 = 4;
    2*px = ax + bx;
    2*py = ay + by;
    der(der(ax)) = f1*ax + f3*(ax - bx) - f4;
    der(der(ay)) = f1*ay + f3*(ay - by) - f5 - g;
    der(der(bx)) = f2*(bx - 4) - f3*(ax - bx) - f4;
    der(der(by)) = f2*by - f3*(ay - by) - f5 - g;
    0.5*der(der(px)) = 2*f4;
    0.5*der(der(py)) = 2*f5 - 0.5*g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Chebyshev;

  model Hoeken "Crank of 1 on a ground of 2, the point beyond the coupler draws a line"
    Real ax(start = -1), ay(start = 0), bx(start = 0.9), by(start = 2.2), tx, ty;
    Real ua(start = 0), va(start = -9), ub, vb;
    Real f1, f2, f3, fx, fy;
    Real energy = (2*(ua^2 + va^2) + ub^2 + vb^2 + 0.2*(der(tx)^2 + der(ty)^2))/2 + g*(2*ay + by + 0.2*ty);
  equation
    der(ax) = ua; der(ay) = va; der(bx) = ub; der(by) = vb;
    ax*ax + ay*ay = 1;
    (bx - 2)*(bx - 2) + by*by = 6.25;
    (bx - ax)^2 + (by - ay)^2 = 6.25;
    tx = 2*bx - ax; ty = 2*by - ay;
    0.2*der(der(tx)) = fx; 0.2*der(der(ty)) = fy - 0.2*g;
    2*der(ua) = f1*ax - f3*(bx - ax) + fx;
    2*der(va) = f1*ay - f3*(by - ay) - 2*g + fy;
    der(ub) = f2*(bx - 2) + f3*(bx - ax) - 2*fx;
    der(vb) = f2*by + f3*(by - ay) - 2*fy - g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Hoeken;

  model Sarrus "Two pairs of hinged plates in planes across each other carry a platform: over-constrained"
    Real p[3](start = {0, 0, 1.2}), e1[3](start = {1,0,0}), e2[3](start = {0,1,0}), e3[3](start = {0,0,1});
    Real k1[3](start = {1.8, 0, 0.6}), k2[3](start = {0, 1.8, 0.6}) "knees";
    Real lam[6], f[4], c[2], d[4];
    Real energy = (der(p)*der(p) + der(k1)*der(k1) + der(k2)*der(k2))/2 + 0.05*(der(e1)*der(e1) + der(e2)*der(e2) + der(e3)*der(e3)) + g*(p[3] + k1[3] + k2[3]);
  protected
    parameter Real l1[3] = {1, 0, 0}, l2[3] = {0, 1, 0};
  initial equation
    p[3] = 1.2;
    der(p[3]) = 0;
  equation
    e1*e1 = 1; e2*e2 = 1; e3*e3 = 1; e1*e2 = 0; e2*e3 = 0; e1*e3 = 0;
    (k1 - l1)*(k1 - l1) = 1; (k1 - p - e1)*(k1 - p - e1) = 1;
    (k2 - l2)*(k2 - l2) = 1; (k2 - p - e2)*(k2 - p - e2) = 1;
    k1[2] = 0; k2[1] = 0;
    (k1 - p - e1)*e2 = 0; e2[3] = 0;
    (k2 - p - e2)*e1 = 0; e1[3] = 0;
    der(der(p)) = -2*f[2]*(k1 - p - e1) - 2*f[4]*(k2 - p - e2) - d[1]*e2 - d[3]*e1 + {0,0,-g};
    der(der(k1)) = 2*f[1]*(k1 - l1) + 2*f[2]*(k1 - p - e1) + {0,c[1],0} + d[1]*e2 + {0,0,-g};
    der(der(k2)) = 2*f[3]*(k2 - l2) + 2*f[4]*(k2 - p - e2) + {c[2],0,0} + d[3]*e1 + {0,0,-g};
    0.1*der(der(e1)) = 2*lam[1]*e1 + lam[4]*e2 + lam[6]*e3 - 2*f[2]*(k1 - p - e1) - d[1]*e2 + d[3]*(k2 - p - e2) + {0,0,d[4]};
    0.1*der(der(e2)) = 2*lam[2]*e2 + lam[4]*e1 + lam[5]*e3 - 2*f[4]*(k2 - p - e2) + d[1]*(k1 - p - e1) - d[3]*e1 + {0,0,d[2]};
    0.1*der(der(e3)) = 2*lam[3]*e3 + lam[5]*e2 + lam[6]*e1;
    annotation(experiment(StopTime = 0.4, Tolerance = 1e-8));
  end Sarrus;


  model SphericalFourBar "Four hinges whose axes meet in a point"
    parameter Real a[3] = {1,0,0}, d[3] = {cos(1.4), sin(1.4), 0};
    parameter Real c1 = cos(0.6), c2 = cos(1.3), c3 = cos(1.1);
    Real b[3](start = {0.82, 0.0, 0.56}), c[3](start = {0.3, 0.5, 0.8});
    Real vb[3](start = {0, 5, 0}), vc[3];
    Real f[5];
    Real energy = (vb*vb + 2*vc*vc)/2 + g*(b[3] + 2*c[3]);
  equation
    der(b) = vb; der(c) = vc;
    b*b = 1; c*c = 1; a*b = c1; b*c = c2; c*d = c3;
    der(vb) = f[1]*b + f[3]*a + f[4]*c + {0,0,-g};
    2*der(vc) = f[2]*c + f[4]*b + f[5]*d + {0,0,-2*g};
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end SphericalFourBar;

  model HookePair "Two universal joints one after the other"
    parameter Real beta = 0.5;
    parameter Real n1[3] = {0,0,1}, n2[3] = {sin(beta),0,cos(beta)}, n3[3] = {sin(2*beta),0,cos(2*beta)};
    Real p[3](start = {1,0,0}), q[3](start = {0,1,0}), r[3](start = {0.1,1,0}), s[3](start = {1,0,-1});
    Real f[8];
    Real energy = (2*der(p)*der(p) + 0.3*der(q)*der(q) + 0.3*der(r)*der(r) + der(s)*der(s))/2 + 3*p[1];
  initial equation
    p[1] = 1; der(p[2]) = 3;
  equation
    p*n1 = 0; p*p = 1;
    q*p = 0; q*q = 1; q*n2 = 0;
    r = q;
    s*r = 0; s*s = 1; s*n3 = 0;
    2*der(der(p)) = f[1]*n1 + 2*f[2]*p + f[3]*q + {-3,0,0};
    0.6*der(der(q)) = f[3]*p + 2*f[4]*q + f[5]*n2 + f[6]*s;
    der(der(s)) = f[6]*r + 2*f[7]*s + f[8]*n3;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end HookePair;

  model ScotchYoke "A crank pin moves a yoke against a spring"
    Real x(start = 1), y, u, v(start = 3), s(start = 1), w, f, h;
    Real energy = (u^2 + v^2 + 2*w^2)/2 + g*y + 20*(s - 0.3)^2/2;
  equation
    der(x) = u; der(y) = v; der(s) = w;
    x^2 + y^2 = 1;
    s = x;
    der(u) = 2*f*x - h;
    der(v) = 2*f*y - g;
    2*der(w) = h - 20*(s - 0.3);
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end ScotchYoke;

  model BeadKnot "A bead on a trefoil knot, whose parameter is an unknown"
    Real x, y, z, th(start = 0.1, fixed = true), fx, fy, fz;
    Real energy = (der(x)^2 + der(y)^2 + der(z)^2)/2 + g*z;
  initial equation
    der(th) = 1;
  equation
    x = sin(th) + 2*sin(2*th);
    y = cos(th) - 2*cos(2*th);
    z = -sin(3*th);
    der(der(x)) = fx;
    der(der(y)) = fy;
    der(der(z)) = fz - g;
    fx*(cos(th) + 4*cos(2*th)) + fy*(-sin(th) + 4*sin(2*th)) + fz*(-3*cos(3*th)) = 0;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end BeadKnot;

  model Viviani "A bead on the curve where sphere and cylinder meet: it crosses itself"
    Real x(start = 0), y(start = 0), z(start = 2), vx, vy(start = 1), vz, a, b;
    Real energy = (vx^2 + vy^2 + vz^2)/2 + z;
  initial equation
    z = 1.9; vz = -3;
  equation
    der(x) = vx; der(y) = vy; der(z) = vz;
    x^2 + y^2 + z^2 = 4;
    (x - 1)^2 + y^2 = 1;
    der(vx) = 2*a*x + 2*b*(x - 1);
    der(vy) = 2*a*y + 2*b*y;
    der(vz) = 2*a*z - 1;
    annotation(experiment(StopTime = 6, Tolerance = 1e-8));
  end Viviani;

  model ConePendulum "A point on a cone, on a spring"
    Real x(start = 1), y, z(start = 1), f;
    Real energy = (der(x)^2 + der(y)^2 + der(z)^2)/2 + g*z + 3*(x^2 + y^2 + (z - 2)^2)/2;
  initial equation
    x = 1; y = 0; der(y) = 2; der(x) = 0;
  equation
    x^2 + y^2 = z^2;
    der(der(x)) = 2*f*x - 3*x;
    der(der(y)) = 2*f*y - 3*y;
    der(der(z)) = -2*f*z - g - 3*(z - 2);
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end ConePendulum;

  model MovingSupport "A pendulum whose pivot moves"
    Real x(start = 0.5), y(start = -1), px, py, s;
  equation
    px = 0.4*cos(3*time);
    py = 0.3*sin(7*time);
    der(der(x)) = s*(x - px);
    der(der(y)) = s*(y - py) - g;
    (x - px)^2 + (y - py)^2 = 1;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end MovingSupport;

  model RollingDisc "A disc that rolls on a plane: yaw, lean and spin"
    parameter Real R = 0.5, m = 1, I = 0.25*0.25, I3 = 0.125;
    Real p[3](start = {0,0,0.48}), v[3];
    Real phi(start = 0, fixed = true), th(start = 0.3, fixed = true), psi(start = 0, fixed = true);
    Real dphi(start = 0.5, fixed = true), dth(start = 0, fixed = true), dpsi(start = 6, fixed = true);
    Real F[3], w1, w2, w3;
    Real energy = m*(v*v)/2 + I*(w1^2 + w2^2)/2 + I3*w3^2/2 + m*g*p[3];
  initial equation
    p[1] = 0; p[2] = 0;
  equation
    der(p) = v; der(phi) = dphi; der(th) = dth; der(psi) = dpsi;
    // Frame: heading e, axle a and u across both, up where the disc stands.
    w1 = dth;
    w2 = dphi*cos(th);
    w3 = dpsi + dphi*sin(th);
    v = R*(w3*{cos(phi), sin(phi), 0} - w1*{-sin(phi)*cos(th), cos(phi)*cos(th), sin(th)});
    m*der(v) = F + {0,0,-m*g};
    I*der(w1) + dphi*sin(th)*I*w2 - dphi*cos(th)*I3*w3 = R*(-F[1]*sin(phi)*cos(th) + F[2]*cos(phi)*cos(th) + F[3]*sin(th));
    I3*der(w3) + dphi*cos(th)*I*w1 - dth*I*w2 = -R*(F[1]*cos(phi) + F[2]*sin(phi));
    I*der(w2) + dth*I3*w3 - dphi*sin(th)*I*w1 = 0;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end RollingDisc;

  model MatrixTop "Heavy top by the nine entries of its rotation matrix and six constraints"
    parameter Real j[3] = {0.6, 0.6, 0.25};
    Real e1[3](start = {1,0,0}), e2[3](start = {0, 0.95, 0.3}), e3[3](start = {0,-0.3,0.95});
    Real v1[3], v2[3], v3[3], lam[6];
    Real energy = (j[1]*v1*v1 + j[2]*v2*v2 + j[3]*v3*v3)/2 + 2*e3[3];
    Real momentum_z = j[1]*(e1[1]*v1[2] - e1[2]*v1[1]) + j[2]*(e2[1]*v2[2] - e2[2]*v2[1]) + j[3]*(e3[1]*v3[2] - e3[2]*v3[1]);
  initial equation
    e3[1] = 0; e3[2] = -0.3; e1[2] = 0;
    v3[1] = 0.2; v3[2] = 0; v1[2] = 8;
  equation
    der(e1) = v1; der(e2) = v2; der(e3) = v3;
    e1*e1 = 1; e2*e2 = 1; e3*e3 = 1; e1*e2 = 0; e2*e3 = 0; e3*e1 = 0;
    j[1]*der(v1) = lam[1]*e1 + lam[4]*e2 + lam[6]*e3;
    j[2]*der(v2) = lam[2]*e2 + lam[4]*e1 + lam[5]*e3;
    j[3]*der(v3) = lam[3]*e3 + lam[5]*e2 + lam[6]*e1 + {0,0,-2};
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end MatrixTop;

  model QuaternionBody "A free body about its middle axis, by a quaternion"
    parameter Real J[3] = {1, 2, 3};
    Real q[4](start = {0.1, 0.9, 0.3, 0.2}), dq[4], w[3];
    Real energy = (J[1]*w[1]^2 + J[2]*w[2]^2 + J[3]*w[3]^2)/2;
  initial equation
    q[1] = 0.0; q[2] = 0.6; q[3] = 0; w[1] = 0.01; w[2] = 2; w[3] = 0.02;
  equation
    der(q) = dq;
    w = 2*{-q[2]*dq[1] + q[1]*dq[2] + q[4]*dq[3] - q[3]*dq[4],
           -q[3]*dq[1] - q[4]*dq[2] + q[1]*dq[3] + q[2]*dq[4],
           -q[4]*dq[1] + q[3]*dq[2] - q[2]*dq[3] + q[1]*dq[4]};
    q*q = 1;
    J[1]*der(w[1]) + (J[3] - J[2])*w[2]*w[3] = 0;
    J[2]*der(w[2]) + (J[1] - J[3])*w[1]*w[3] = 0;
    J[3]*der(w[3]) + (J[2] - J[1])*w[1]*w[2] = 0;
    annotation(experiment(StopTime = 20, Tolerance = 1e-8));
  end QuaternionBody;

  model ClosedChain "A chain held at both ends"
    parameter Integer n = 6;
    Real x[n](start = {3*i/(n + 1) for i in 1:n}), y[n](start = {-1.2*sin(3.14*i/(n + 1)) for i in 1:n}), u[n], v[n](start = {if i == 2 then 6 else 0 for i in 1:n}), s[n + 1];
    Real energy = sum(u[i]^2 + v[i]^2 for i in 1:n)/2 + g*sum(y);
  protected
    Real X[n + 2] = cat(1, {0}, x, {3}), Y[n + 2] = cat(1, {0}, y, {0});
  equation
    der(x) = u; der(y) = v;
    for i in 1:n + 1 loop
      (X[i + 1] - X[i])^2 + (Y[i + 1] - Y[i])^2 = 0.36;
    end for;
    for i in 1:n loop
      der(u[i]) = s[i]*(X[i] - X[i + 1]) + s[i + 1]*(X[i + 2] - X[i + 1]);
      der(v[i]) = s[i]*(Y[i] - Y[i + 1]) + s[i + 1]*(Y[i + 2] - Y[i + 1]) - g;
    end for;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end ClosedChain;

  model AngleParallelogram "By the angles of its bars, turning through its flat positions"
    Real a(start = 1, fixed = true), b(start = 0), c(start = 1), wa(start = 6, fixed = true), wb, wc, f, h;
    Real energy = (2*wa^2 + 0.5*wb^2 + 3*wc^2)/2 + 4*sin(a);
  equation
    der(a) = wa; der(b) = wb; der(c) = wc;
    cos(a) + 2*cos(b) = 2 + cos(c);
    sin(a) + 2*sin(b) = sin(c);
    2*der(wa) = -4*cos(a) - f*sin(a) + h*cos(a);
    0.5*der(wb) = -2*f*sin(b) + 2*h*cos(b);
    3*der(wc) = f*sin(c) - h*cos(c);
    annotation(experiment(StopTime = 4, Tolerance = 1e-8));
  end AngleParallelogram;

  model CamFollower "A smooth cam lifts a follower"
    Real th(start = 0), w(start = 8), y, v, N;
    Real energy = 0.3*w^2/2 + 0.5*v^2/2 + 0.5*g*y + 200*(y - 0.5)^2/2;
  equation
    der(th) = w; der(y) = v;
    y = 1 + 0.3*cos(th) + 0.05*cos(3*th);
    0.5*der(v) = N - 0.5*g - 200*(y - 0.5);
    0.3*der(w) = N*(0.3*sin(th) + 0.15*sin(3*th));
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end CamFollower;

  model SwingingSlot "A crank pin in the slot of a bar that swings"
    Real x(start = 0.5), y, u, v(start = 4), th(start = 1.01), w, f, h;
    Real energy = (u^2 + v^2)/2 + 0.2*w^2/2 + g*y;
  equation
    der(x) = u; der(y) = v; der(th) = w;
    x^2 + y^2 = 0.25;
    x*sin(th) - (y + 0.8)*cos(th) = 0;
    der(u) = 2*f*x + h*sin(th);
    der(v) = 2*f*y - h*cos(th) - g;
    0.2*der(w) = h*(x*cos(th) + (y + 0.8)*sin(th));
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end SwingingSlot;

  model Klann "Walking leg of six bars"
    Real ax(start = -1), ay(start = 0), bx(start = -3.2), by(start = -1.5), cx(start = -5.5), cy(start = -1), dx(start = -5.2), dy(start = 1.5);
    Real f[7];
    parameter Real o[2] = {0,0}, p[2] = {-2.6, -2.9}, q[2] = {-3.6, 2.2};
    parameter Real a0[2] = {-1,0}, b0[2] = {-3.2, -1.4}, c0[2] = {-5.4, -1.9}, d0[2] = {-5.6, 1.2};
    Real energy = (der(ax)^2 + der(ay)^2 + der(bx)^2 + der(by)^2 + der(cx)^2 + der(cy)^2 + der(dx)^2 + der(dy)^2)/2 + g*(ay + by + cy + dy);
  initial equation
    der(ay) = 3;
    ay = 0;
  equation
    (ax - o[1])^2 + (ay - o[2])^2 = 1;
    (bx - ax)^2 + (by - ay)^2 = (b0 - a0)*(b0 - a0);
    (bx - p[1])^2 + (by - p[2])^2 = (b0 - p)*(b0 - p);
    (cx - bx)^2 + (cy - by)^2 = (c0 - b0)*(c0 - b0);
    (cx - ax)^2 + (cy - ay)^2 = (c0 - a0)*(c0 - a0);
    (dx - cx)^2 + (dy - cy)^2 = (d0 - c0)*(d0 - c0);
    (dx - q[1])^2 + (dy - q[2])^2 = (d0 - q)*(d0 - q);
    der(der(ax)) = f[1]*ax - f[2]*(bx - ax) - f[5]*(cx - ax);
    der(der(ay)) = f[1]*ay - f[2]*(by - ay) - f[5]*(cy - ay) - g;
    der(der(bx)) = f[2]*(bx - ax) + f[3]*(bx - p[1]) - f[4]*(cx - bx);
    der(der(by)) = f[2]*(by - ay) + f[3]*(by - p[2]) - f[4]*(cy - by) - g;
    der(der(cx)) = f[4]*(cx - bx) + f[5]*(cx - ax) - f[6]*(dx - cx);
    der(der(cy)) = f[4]*(cy - by) + f[5]*(cy - ay) - f[6]*(dy - cy) - g;
    der(der(dx)) = f[6]*(dx - cx) + f[7]*(dx - q[1]);
    der(der(dy)) = f[6]*(dy - cy) + f[7]*(dy - q[2]) - g;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Klann;

  model TripleBodies "Three rods as bodies with hinges"
    parameter Integer n = 3;
    Real x[n], y[n], phi[n](start = {1.5, 1.2, 2.0}), w[n](start = {9, 9, 9}), X[n], Y[n];
    Real energy = sum((der(x[i])^2 + der(y[i])^2)/2 + w[i]^2/24 + g*y[i] for i in 1:n);
  equation
    der(phi) = w;
    for i in 1:n loop
      x[i] - 0.5*sin(phi[i]) = if i == 1 then 0 else x[i - 1] + 0.5*sin(phi[i - 1]);
      y[i] + 0.5*cos(phi[i]) = if i == 1 then 0 else y[i - 1] - 0.5*cos(phi[i - 1]);
      der(der(x[i])) = X[i] - (if i < n then X[i + 1] else 0);
      der(der(y[i])) = Y[i] - (if i < n then Y[i + 1] else 0) - g;
      der(w[i])/12 = -0.5*cos(phi[i])*(X[i] + (if i < n then X[i + 1] else 0)) - 0.5*sin(phi[i])*(Y[i] + (if i < n then Y[i + 1] else 0));
    end for;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end TripleBodies;

  model HangingFromTwo "A point on two rods, another point below it"
    Real p[3](start = {0.3, 0.2, -1}), v[3], f[2];
    Real a[3](start = {1.1, 0.1, -0.2}), va[3](start = {0, 1, 0}), h;
    Real energy = (v*v + va*va)/2 + g*(p[3] + a[3]);
  equation
    der(p) = v; der(a) = va;
    p*p = 1.2;
    (p - {1,0,0})*(p - {1,0,0}) = 1.6;
    (p - a)*(p - a) = 1;
    der(v) = f[1]*p + f[2]*(p - {1,0,0}) + h*(p - a) + {0,0,-g};
    der(va) = -h*(p - a) + {0,0,-g};
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end HangingFromTwo;

  model Kite "Four-bar of pairwise equal links, through its flat position"
    Real ax(start = 0.2), ay(start = 0.98), bx(start = 1.9), by(start = 1.5), f1, f2, f3;
    Real energy = (der(ax)^2 + der(ay)^2 + der(bx)^2 + der(by)^2)/2 + g*(ay + by);
  initial equation
    ay = 0.98; der(ax) = -6;
  equation
    ax^2 + ay^2 = 1;
    (bx - ax)^2 + (by - ay)^2 = 4;
    (bx - 1)^2 + by^2 = 4;
    der(der(ax)) = f1*ax - f2*(bx - ax);
    der(der(ay)) = f1*ay - f2*(by - ay) - g;
    der(der(bx)) = f2*(bx - ax) + f3*(bx - 1);
    der(der(by)) = f2*(by - ay) + f3*by - g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Kite;

  model Trammel "Two sliders on crossed lines, a rod between them with a point beyond"
    Real x(start = 1), y(start = 0), px, py, lam, fx, fy;
    Real energy = (der(x)^2 + 2*der(y)^2 + 0.5*(der(px)^2 + der(py)^2))/2 + g*(2*y + 0.5*py);
  initial equation
    der(y) = 4; y = 0;
  equation
    x^2 + y^2 = 1;
    px = 1.5*x; py = -0.5*y;
    0.5*der(der(px)) = fx; 0.5*der(der(py)) = fy - 0.5*g;
    der(der(x)) = 2*lam*x - 1.5*fx;
    2*der(der(y)) = 2*lam*y + 0.5*fy - 2*g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Trammel;

  model RopeOnTwoNails "A ring on a rope: the sum of two lengths"
    Real x(start = 0), y(start = -1.2), lam;
    Real energy = (der(x)^2 + der(y)^2)/2 + g*y;
  initial equation
    x = 0.3; der(x) = 7;
  equation
    sqrt((x - 1)^2 + y^2) + sqrt((x + 1)^2 + y^2) = 3;
    der(der(x)) = -lam*((x - 1)/sqrt((x - 1)^2 + y^2) + (x + 1)/sqrt((x + 1)^2 + y^2));
    der(der(y)) = -lam*(y/sqrt((x - 1)^2 + y^2) + y/sqrt((x + 1)^2 + y^2)) - g;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end RopeOnTwoNails;

  model FreeHoop "A bead on a hoop that turns freely about its vertical diameter; the hoop is a direction"
    parameter Real R = 1, J = 0.5;
    Real x(start = 0.1), y, z(start = -1), c(start = 1), s(start = 0), f1, f2, f3;
    Real energy = (der(x)^2 + der(y)^2 + der(z)^2)/2 + J*(der(c)^2 + der(s)^2)/2 + g*z;
    Real momentum = x*der(y) - y*der(x) + J*(c*der(s) - s*der(c));
  initial equation
    x = 0.1; s = 0; der(s) = 3; der(x) = 6.4;
  equation
    c^2 + s^2 = 1;
    x*s = y*c;
    x^2 + y^2 + z^2 = R^2;
    der(der(x)) = f2*s + f3*x;
    der(der(y)) = -f2*c + f3*y;
    der(der(z)) = f3*z - g;
    J*der(der(c)) = f1*c - f2*y;
    J*der(der(s)) = f1*s + f2*x;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end FreeHoop;

  model QuaternionCoin "A coin rolls without slipping; quaternion, position, three velocities constrained"
    parameter Real R = 0.5, m = 1, I = 0.25*R^2, I3 = 0.5*R^2;
    Real p[3](start = {0,0,0.48}), v[3], q[4](start = {0.8,0.5,0.2,0.1}), w[3] "in the body, axis 3 is the axle";
    Real F[3], T[3,3], mu, n[3] "down the disc, across the axle", r[3] "middle to contact";
    Real energy = m*v*v/2 + (I*w[1]^2 + I*w[2]^2 + I3*w[3]^2)/2 + m*g*p[3];
  initial equation
    q[1] = cos(0.6); q[2] = sin(0.6); q[3] = 0; p[1] = 0; p[2] = 0; w[1] = 0.1; w[2] = 0.8; w[3] = 8;
  equation
    T = [q[1]^2 + q[2]^2 - q[3]^2 - q[4]^2, 2*(q[2]*q[3] - q[1]*q[4]), 2*(q[2]*q[4] + q[1]*q[3]);
         2*(q[2]*q[3] + q[1]*q[4]), q[1]^2 - q[2]^2 + q[3]^2 - q[4]^2, 2*(q[3]*q[4] - q[1]*q[2]);
         2*(q[2]*q[4] - q[1]*q[3]), 2*(q[3]*q[4] + q[1]*q[2]), q[1]^2 - q[2]^2 - q[3]^2 + q[4]^2];
    der(q) = 0.5*{-q[2]*w[1] - q[3]*w[2] - q[4]*w[3], q[1]*w[1] - q[4]*w[2] + q[3]*w[3], q[4]*w[1] + q[1]*w[2] - q[2]*w[3], -q[3]*w[1] + q[2]*w[2] + q[1]*w[3]} + mu*q;
    q*q = 1;
    der(p) = v;
    n = ({0,0,-1} + T[3,3]*T[:,3])/sqrt(1 - T[3,3]^2);
    r = R*n;
    v + cross(T*w, r) = {0,0,0};
    m*der(v) = F + {0,0,-m*g};
    {I*der(w[1]), I*der(w[2]), I3*der(w[3])} + cross(w, {I*w[1], I*w[2], I3*w[3]}) = transpose(T)*cross(r, F);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end QuaternionCoin;

  model Delta "Parallel robot: three arms that turn in their planes, rods to a platform that does not turn"
    parameter Real L = 1, l = 1.8, R = 0.6, pi = 3.14159265358979323846;
    Real k[3,3](start = {{(R + 0.8)*cos(2*pi*i/3), (R + 0.8)*sin(2*pi*i/3), -0.6} for i in 1:3});
    Real p[3](start = {0.1, 0, -1.9}), f[3], h[3], e[3];
    Real energy = sum(der(k[i,:])*der(k[i,:]) for i in 1:3)/2 + der(p)*der(p)/2 + g*(p[3] + sum(k[:,3]));
  initial equation
    p[1] = 0.1; p[2] = 0; p[3] = -1.9; der(p) = {0.3,0.2,0};
  equation
    for i in 1:3 loop
      (k[i,:] - R*{cos(2*pi*i/3), sin(2*pi*i/3), 0})*(k[i,:] - R*{cos(2*pi*i/3), sin(2*pi*i/3), 0}) = L^2;
      -k[i,1]*sin(2*pi*i/3) + k[i,2]*cos(2*pi*i/3) = 0;
      (k[i,:] - p - 0.2*{cos(2*pi*i/3), sin(2*pi*i/3), 0})*(k[i,:] - p - 0.2*{cos(2*pi*i/3), sin(2*pi*i/3), 0}) = l^2;
      der(der(k[i,:])) = {0,0,-g} + f[i]*(k[i,:] - R*{cos(2*pi*i/3), sin(2*pi*i/3), 0}) + h[i]*{-sin(2*pi*i/3), cos(2*pi*i/3), 0} + e[i]*(k[i,:] - p - 0.2*{cos(2*pi*i/3), sin(2*pi*i/3), 0});
    end for;
    der(der(p)) = {0,0,-g} - sum(e[i]*(k[i,:] - p - 0.2*{cos(2*pi*i/3), sin(2*pi*i/3), 0}) for i in 1:3);
    annotation(experiment(StopTime = 0.8, Tolerance = 1e-8));
  end Delta;

  model Governor "Watt's governor in space: balls and a sleeve in the plane of a shaft that turns freely"
    parameter Real L = 1, J = 0.3, ms = 2;
    Real c(start = 1), s(start = 0), a[3](start = {0.6,0,-0.8}), b[3](start = {-0.6,0,-0.8}), z(start = -1.6);
    Real f[7];
    Real energy = (der(a)*der(a) + der(b)*der(b) + ms*der(z)^2)/2 + J*(der(c)^2 + der(s)^2)/2 + g*(a[3] + b[3] + ms*z);
    Real momentum = a[1]*der(a[2]) - a[2]*der(a[1]) + b[1]*der(b[2]) - b[2]*der(b[1]) + J*(c*der(s) - s*der(c));
  initial equation
    c = 1; der(s) = 5; z = -1.6; der(z) = 0;
  equation
    c^2 + s^2 = 1;
    a*a = L^2; b*b = L^2;
    a[1]*s = a[2]*c; b[1]*s = b[2]*c;
    (a - {0,0,z})*(a - {0,0,z}) = L^2;
    (b - {0,0,z})*(b - {0,0,z}) = L^2;
    J*der(der(c)) = 2*f[1]*c - f[4]*a[2] - f[5]*b[2];
    J*der(der(s)) = 2*f[1]*s + f[4]*a[1] + f[5]*b[1];
    der(der(a)) = 2*f[2]*a + f[4]*{s,-c,0} + 2*f[6]*(a - {0,0,z}) + {0,0,-g};
    der(der(b)) = 2*f[3]*b + f[5]*{s,-c,0} + 2*f[7]*(b - {0,0,z}) + {0,0,-g};
    ms*der(der(z)) = -2*f[6]*(a[3] - z) - 2*f[7]*(b[3] - z) - ms*g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Governor;

  model Hart "Crossed parallelogram of Hart's inversor: flat twice a turn"
    Real ax(start = 0.1), ay(start = 1), bx(start = 0.9), by(start = -0.8), u, v(start=0), w, z, f1, f2, f3;
    Real energy = (u^2 + v^2 + w^2 + z^2)/2 + g*(ay + by);
  initial equation
    ax = 0.1; u = 5;
  equation
    der(ax) = u; der(ay) = v; der(bx) = w; der(by) = z;
    ax^2 + ay^2 = 1;
    (bx - 2)^2 + by^2 = 1;
    (ax - bx)^2 + (ay - by)^2 = 4;
    der(u) = 2*f1*ax + 2*f3*(ax - bx);
    der(v) = 2*f1*ay + 2*f3*(ay - by) - g;
    der(w) = 2*f2*(bx - 2) - 2*f3*(ax - bx);
    der(z) = 2*f2*by - 2*f3*(ay - by) - g;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Hart;

  model BracedSquare "A square of points with both diagonals, hung at a corner: one distance more than needed"
    Real x[3](start = {1,1,0}), y[3](start = {0,-1,-1}), u[3], v[3], f[6];
    Real energy = sum(u[i]^2 + v[i]^2 for i in 1:3)/2 + g*sum(y);
  equation
    der(x) = u; der(y) = v;
    x[1]^2 + y[1]^2 = 1; x[2]^2 + y[2]^2 = 2; x[3]^2 + y[3]^2 = 1;
    (x[1] - x[2])^2 + (y[1] - y[2])^2 = 1;
    (x[2] - x[3])^2 + (y[2] - y[3])^2 = 1;
    (x[1] - x[3])^2 + (y[1] - y[3])^2 = 2;
    der(u[1]) = f[1]*x[1] + f[4]*(x[1] - x[2]) + f[6]*(x[1] - x[3]);
    der(v[1]) = f[1]*y[1] + f[4]*(y[1] - y[2]) + f[6]*(y[1] - y[3]) - g;
    der(u[2]) = f[2]*x[2] + f[4]*(x[2] - x[1]) + f[5]*(x[2] - x[3]);
    der(v[2]) = f[2]*y[2] + f[4]*(y[2] - y[1]) + f[5]*(y[2] - y[3]) - g;
    der(u[3]) = f[3]*x[3] + f[5]*(x[3] - x[2]) + f[6]*(x[3] - x[1]);
    der(v[3]) = f[3]*y[3] + f[5]*(y[3] - y[2]) + f[6]*(y[3] - y[1]) - g;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end BracedSquare;

  model DrivenCrank "One coordinate of a crank pin is given: where it is farthest it says nothing of the other"
    Real x, y(start = -1), s, F, w;
  equation
    x = sin(2*time);
    x^2 + y^2 = 1;
    der(der(x)) = s*x + F;
    der(der(y)) = s*y - g;
    der(w) = -w + y;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end DrivenCrank;

  model TwoWheels "A cart on an axle with two wheels: both forbid the same side slip, each rolls for itself"
    parameter Real b = 0.5, r = 0.2, l = 0.3, m = 2, J = 0.4, Jw = 0.02;
    Real x, y, th, u(start = 1), v, w(start = 0.7), pl, pr, wl(start = 5), wr(start = 6), F[4];
    Real energy = m*(u^2 + v^2)/2 + J*w^2/2 + Jw*(wl^2 + wr^2)/2;
  initial equation
    x = 0; y = 0; th = 0; pl = 0; pr = 0;
    w = 0.7; wl + wr = 12;
  equation
    der(x) = u; der(y) = v; der(th) = w; der(pl) = wl; der(pr) = wr;
    // Wheels at (0, +-b) in the body, the mass l ahead of the axle.
    -(u + l*w*sin(th))*sin(th) + (v - l*w*cos(th))*cos(th) = 0;
    -(u + l*w*sin(th) + b*w*cos(th))*sin(th) + (v - l*w*cos(th) + b*w*sin(th))*cos(th) = 0;
    (u*cos(th) + v*sin(th)) - b*w = r*wl;
    (u*cos(th) + v*sin(th)) + b*w = r*wr;
    m*der(u) = -(F[1] + F[2])*sin(th) + (F[3] + F[4])*cos(th);
    m*der(v) = (F[1] + F[2])*cos(th) + (F[3] + F[4])*sin(th);
    J*der(w) = -l*(F[1] + F[2]) - b*F[3] + b*F[4];
    Jw*der(wl) = -r*F[3];
    Jw*der(wr) = -r*F[4];
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end TwoWheels;

  model RopeRings "Three beads on a closed rope over a nail; its parts are squares, with starts that nobody gave"
    Real x[3](start = {0.9, 0.2, -0.9}), y[3](start = {-1, -1.4, -1}), u[3], v[3], T, d[4];
    Real energy = sum(u[i]^2 + v[i]^2 for i in 1:3)/2 + g*sum(y);
  equation
    der(x) = u; der(y) = v;
    d[1]^2 = x[1]^2 + y[1]^2;
    d[2]^2 = (x[2] - x[1])^2 + (y[2] - y[1])^2;
    d[3]^2 = (x[3] - x[2])^2 + (y[3] - y[2])^2;
    d[4]^2 = x[3]^2 + y[3]^2;
    sum(d) = 4.6;
    der(u[1]) = -T*(x[1]/d[1] + (x[1] - x[2])/d[2]);
    der(v[1]) = -T*(y[1]/d[1] + (y[1] - y[2])/d[2]) - g;
    der(u[2]) = -T*((x[2] - x[1])/d[2] + (x[2] - x[3])/d[3]);
    der(v[2]) = -T*((y[2] - y[1])/d[2] + (y[2] - y[3])/d[3]) - g;
    der(u[3]) = -T*((x[3] - x[2])/d[3] + x[3]/d[4]);
    der(v[3]) = -T*((y[3] - y[2])/d[3] + y[3]/d[4]) - g;
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end RopeRings;

  model Gimbals "A gyroscope in two rings, by unit vectors of ring axes; the inner axis meets the outer one"
    Real a[3](start = {1,0,0}) "outer ring's hinge for the inner, turns about z", b[3](start = {0,0.8,0.6}) "spin axis", f[4], h(start = 10, fixed = true);
    parameter Real J1 = 0.1, J2 = 0.3;
    Real energy = (J1*der(a)*der(a) + J2*der(b)*der(b))/2 + 2*b[3];
  initial equation
    a[2] = 0; der(a[2]) = 0.3; b[3] = 0.9; der(b[3]) = 2;
  equation
    a[3] = 0; a*a = 1; b*b = 1; a*b = 0;
    J1*der(der(a)) = {0,0,f[1]} + 2*f[2]*a + f[4]*b;
    J2*der(der(b)) = 2*f[3]*b + f[4]*a - h*cross(b, der(b)) + {0,0,-2};
    der(h) = 0;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Gimbals;

  model Pantograph "A parallelogram that copies a point at twice the distance"
    Real a[2](start = {1, 0.2}), b[2](start = {0.6, -0.8}), c[2](start = {1.5, -0.8}), d[2](start = {3, -1.6}), e[2](start = {2, 0.4});
    Real f[4], ft[2], fd[2];
    Real energy = (der(a)*der(a) + der(b)*der(b) + der(c)*der(c) + der(d)*der(d) + der(e)*der(e))/2 + g*(a[2] + b[2] + c[2] + d[2] + e[2]);
  equation
    a*a = 1; b*b = 1;
    (c - a)*(c - a) = 1; (c - b)*(c - b) = 1;
    e = 2*a;
    d - e = 2*(c - a);
    der(der(a)) = f[1]*a + f[3]*(a - c) + {0,-g} + 2*ft - 2*fd;
    der(der(b)) = f[2]*b + f[4]*(b - c) + {0,-g};
    der(der(c)) = f[3]*(c - a) + f[4]*(c - b) + {0,-g} + 2*fd;
    der(der(e)) = {0,-g} - ft + fd;
    der(der(d)) = {0,-g} - fd;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Pantograph;

  model DuplicatedSpherical "Length given three times in different words"
    Real x(start = 0.6), y(start = 0.1), z(start = -0.8), a, b, c;
    Real energy = (der(x)^2 + der(y)^2 + der(z)^2)/2 + g*z;
  initial equation
    der(x) = 0.2; der(y) = 3; x = 0.6; y = 0.1;
  equation
    x^2 + y^2 + z^2 = 1;
    sqrt(x^2 + y^2 + z^2) = 1;
    (x + y)^2 + (x - y)^2 + 2*z^2 = 2;
    der(der(x)) = 2*a*x + b*x + 4*c*x;
    der(der(y)) = 2*a*y + b*y + 4*c*y;
    der(der(z)) = 2*a*z + b*z + 4*c*z - g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end DuplicatedSpherical;

  model BallInBowl "A ball rolls inside of a sphere; quaternion and contact without slip"
    parameter Real R = 2, r = 0.3, m = 1, J = 0.4*r^2;
    Real p[3](start = {0.9,0,-1.4}), v[3], q[4](start = {1,0,0,0}), w[3], F[3], n[3], mu;
    Real energy = m*v*v/2 + J*w*w/2 + m*g*p[3];
  initial equation
    p[1] = 0.9; p[2] = 0; v[1] = 0; v[2] = 2; q[2:4] = {0,0,0}; w*n = 3;
  equation
    der(p) = v;
    p*p = (R - r)^2;
    n = p/(R - r);
    der(q) = 0.5*{-q[2]*w[1] - q[3]*w[2] - q[4]*w[3], q[1]*w[1] + q[4]*w[2] - q[3]*w[3], -q[4]*w[1] + q[1]*w[2] + q[2]*w[3], q[3]*w[1] - q[2]*w[2] + q[1]*w[3]} + mu*q;
    q*q = 1;
    // No slip; the third direction is that of the constraint above.
    v[1] + r*(w[2]*n[3] - w[3]*n[2]) = 0;
    v[2] + r*(w[3]*n[1] - w[1]*n[3]) = 0;
    m*der(v) = F + {0,0,-m*g};
    J*der(w) = r*cross(n, F);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end BallInBowl;

  model QuaternionAlgebraic "A free body by a quaternion whose first entry follows from the others, and goes through zero"
    parameter Real J[3] = {1, 2, 3};
    Real q0(start = 1), q1(start = 0, fixed = true), q2(start = 0, fixed = true), q3(start = 0, fixed = true);
    Real w[3](start = {0.01, 2, 0.02}, each fixed = true);
    Real energy = (J[1]*w[1]^2 + J[2]*w[2]^2 + J[3]*w[3]^2)/2;
  equation
    q0^2 + q1^2 + q2^2 + q3^2 = 1;
    der(q1) = (q0*w[1] - q3*w[2] + q2*w[3])/2;
    der(q2) = (q3*w[1] + q0*w[2] - q1*w[3])/2;
    der(q3) = (-q2*w[1] + q1*w[2] + q0*w[3])/2;
    J[1]*der(w[1]) + (J[3] - J[2])*w[2]*w[3] = 0;
    J[2]*der(w[2]) + (J[1] - J[3])*w[1]*w[3] = 0;
    J[3]*der(w[3]) + (J[2] - J[1])*w[1]*w[2] = 0;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end QuaternionAlgebraic;

  model Oldham "Oldham's coupling: two shafts side by side, a disc between them on crossed slots"
    parameter Real e = 0.3, J = 0.2, m = 0.5, Jd = 0.1;
    Real c1(start = 1), s1, c2(start = 1), s2, x(start = 0.15), y, cd(start = 1), sd, f[6], h;
    Real energy = J*(der(c1)^2 + der(s1)^2 + der(c2)^2 + der(s2)^2)/2 + m*(der(x)^2 + der(y)^2)/2 + Jd*(der(cd)^2 + der(sd)^2)/2 + m*g*y;
  initial equation
    s1 = 0; der(s1) = 4;
  equation
    c1^2 + s1^2 = 1; c2^2 + s2^2 = 1; cd^2 + sd^2 = 1;
    // slots: disc centre on the line through shaft 1 along (c1,s1), and on the line through shaft 2 across (c2,s2); the disc turns with both
    x*s1 - y*c1 = 0;
    (x - e)*c2 + y*s2 = 0;
    cd*s1 - sd*c1 = 0;
    cd*s2 - sd*c2 = 0;
    J*der(der(c1)) = 2*f[1]*c1 - f[4]*y - f[6]*sd;
    J*der(der(s1)) = 2*f[1]*s1 + f[4]*x + f[6]*cd;
    J*der(der(c2)) = 2*f[2]*c2 + f[5]*(x - e) - h*sd;
    J*der(der(s2)) = 2*f[2]*s2 + f[5]*y + h*cd;
    Jd*der(der(cd)) = 2*f[3]*cd + f[6]*s1 + h*s2;
    Jd*der(der(sd)) = 2*f[3]*sd - f[6]*c1 - h*c2;
    m*der(der(x)) = f[4]*s1 + f[5]*c2;
    m*der(der(y)) = -f[4]*c1 + f[5]*s2 - m*g;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Oldham;

  model FourCranks "A plate on four equal cranks: two constraints too many, and dead points of all"
    parameter Real r = 1;
    Real x(start = 0.7), y(start = 0.7), c(start = 1), s(start = 0), f[5];
    Real energy = (der(x)^2 + der(y)^2)/2*2 + 0.5*(der(c)^2 + der(s)^2)/2 + 2*g*y;
  initial equation
    x = 0.7; der(x) = -6;
  equation
    c^2 + s^2 = 1;
    x^2 + y^2 = r^2;
    (x + 2*c - 2)^2 + (y + 2*s)^2 = r^2;
    (x - s)^2 + (y + c - 1)^2 = r^2;
    (x + 2*c - s - 2)^2 + (y + 2*s + c - 1)^2 = r^2;
    2*der(der(x)) = f[2]*x + f[3]*(x + 2*c - 2) + f[4]*(x - s) + f[5]*(x + 2*c - s - 2);
    2*der(der(y)) = f[2]*y + f[3]*(y + 2*s) + f[4]*(y + c - 1) + f[5]*(y + 2*s + c - 1) - 2*g;
    0.5*der(der(c)) = f[1]*c + 2*f[3]*(x + 2*c - 2) + f[4]*(y + c - 1) + f[5]*(2*(x + 2*c - s - 2) + (y + 2*s + c - 1));
    0.5*der(der(s)) = f[1]*s + 2*f[3]*(y + 2*s) - f[4]*(x - s) + f[5]*(-(x + 2*c - s - 2) + 2*(y + 2*s + c - 1));
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end FourCranks;
end Machines;
