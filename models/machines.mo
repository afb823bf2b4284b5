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
end Machines;
