// SPDX-License-Identifier: Apache-2.0
package Linkages "Mechanisms in natural coordinates"
  constant Real g = 9.81;

  model Rhombus "Four-bar of equal links, turning through its flat configurations"
    Real xb(start = 0), yb(start = 1, fixed = true), ub(start = 6, fixed = true), vb;
    Real xc(start = 1), yc(start = 1), uc, vc;
    Real f1, f2, f3;
    Real energy = (ub^2 + vb^2 + uc^2 + vc^2)/2 + g*(yb + yc);
  equation
    der(xb) = ub; der(yb) = vb; der(xc) = uc; der(yc) = vc;
    xb^2 + yb^2 = 1;
    (xc - xb)^2 + (yc - yb)^2 = 1;
    (xc - 1)^2 + yc^2 = 1;
    der(ub) = f1*xb - f2*(xc - xb);
    der(vb) = f1*yb - f2*(yc - yb) - g;
    der(uc) = f2*(xc - xb) + f3*(xc - 1);
    der(vc) = f2*(yc - yb) + f3*yc - g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Rhombus;

  model Parallelogram "Cranks of 1 on a ground of 2, turning"
    Real xb(start = 0), yb(start = 1, fixed = true), ub(start = -7, fixed = true), vb;
    Real xc(start = 2), yc(start = 1), uc, vc;
    Real f1, f2, f3;
    Real energy = (ub^2 + vb^2 + 3*(uc^2 + vc^2))/2 + g*(yb + 3*yc);
  equation
    der(xb) = ub; der(yb) = vb; der(xc) = uc; der(yc) = vc;
    xb^2 + yb^2 = 1;
    (xc - xb)^2 + (yc - yb)^2 = 4;
    (xc - 2)^2 + yc^2 = 1;
    der(ub) = f1*xb - f2*(xc - xb);
    der(vb) = f1*yb - f2*(yc - yb) - g;
    3*der(uc) = f2*(xc - xb) + f3*(xc - 2);
    3*der(vc) = f2*(yc - yb) + f3*yc - 3*g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Parallelogram;

  connector Pin "A point of the plane"
    Real x, y;
    flow Real fx, fy;
  end Pin;
  model Ground
    parameter Real x = 0, y = 0;
    Pin p;
  equation
    p.x = x; p.y = y;
  end Ground;
  model Mass
    parameter Real m = 1;
    Pin p;
    Real u, v;
    Real e = m*(u^2 + v^2)/2 + m*g*p.y;
  equation
    u = der(p.x); v = der(p.y);
    m*der(u) = p.fx;
    m*der(v) = p.fy - m*g;
  end Mass;
  model Rod
    parameter Real l = 1;
    Pin a, b;
    Real s;
  equation
    (b.x - a.x)^2 + (b.y - a.y)^2 = l^2;
    a.fx = s*(a.x - b.x); a.fy = s*(a.y - b.y);
    a.fx + b.fx = 0; a.fy + b.fy = 0;
  end Rod;
  model Plate "Three points, rigid: two rods and a third point that follows"
    parameter Real l = 1, c = 0.5, d = 0.5 "third point at c along and d across";
    Pin a, b, p;
    Real s;
  equation
    (b.x - a.x)^2 + (b.y - a.y)^2 = l^2;
    p.x = a.x + c*(b.x - a.x) - d*(b.y - a.y);
    p.y = a.y + c*(b.y - a.y) + d*(b.x - a.x);
    a.fx = s*(a.x - b.x) - ((1 - c)*p.fx - d*p.fy);
    a.fy = s*(a.y - b.y) - ((1 - c)*p.fy + d*p.fx);
    a.fx + b.fx + p.fx = 0; a.fy + b.fy + p.fy = 0;
  end Plate;

  model Watt "Six-bar of Watt: two four-bars that share a plate"
    Ground g1, g2(x = 4), g3(x = 9, y = 0.5);
    Mass m1(p(x(start = 0), y(start = 1.5)), u(start = 3)), m2(p(x(start = 4), y(start = 3))), m3(p(x(start = 5.6), y(start = 2.1))), m4(p(x(start = 9), y(start = 3)));
    Rod r1(l = 1.5), r2(l = 4.2), r5(l = 3.3), r6(l = 2.5);
    Plate plate(l = 3, c = 0.7, d = -0.5);
    Real energy = m1.e + m2.e + m3.e + m4.e;
  equation
    connect(g1.p, r1.a); connect(r1.b, m1.p);
    connect(m1.p, r2.a); connect(r2.b, m2.p);
    connect(plate.a, g2.p); connect(plate.b, m2.p); connect(plate.p, m3.p);
    connect(r5.a, m3.p); connect(r5.b, m4.p);
    connect(r6.a, m4.p); connect(r6.b, g3.p);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Watt;

  model Stephenson "Six-bar of Stephenson: the coupler carries a second loop"
    Ground g1, g2(x = 4), g3(x = 8, y = 1);
    Mass m1(p(x(start = 0), y(start = 1)), u(start = -4)), m2(p(x(start = 4.5), y(start = 3))), m3(p(x(start = 3), y(start = 4))), m4(p(x(start = 7), y(start = 3.5)));
    Rod r1(l = 1), r3(l = 3), r5(l = 4), r6(l = 2.8);
    Plate coupler(l = 4.4, c = 0.5, d = 0.4);
    Real energy = m1.e + m2.e + m3.e + m4.e;
  equation
    connect(g1.p, r1.a); connect(r1.b, m1.p);
    connect(coupler.a, m1.p); connect(coupler.b, m2.p); connect(coupler.p, m3.p);
    connect(r3.a, m2.p); connect(r3.b, g2.p);
    connect(r5.a, m3.p); connect(r5.b, m4.p);
    connect(r6.a, m4.p); connect(r6.b, g3.p);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Stephenson;

  model SliderCrank "Crank, rod and slider as points"
    parameter Real r = 1, l = 3, omega = 8;
    Real x(start = 0), y(start = r, fixed = true), u(start = -omega*r, fixed = true), v, s(start = sqrt(l^2 - r^2)), w;
    Real f, h;
    Real energy = (u^2 + v^2 + w^2)/2 + g*y;
  equation
    der(x) = u; der(y) = v; der(s) = w;
    x^2 + y^2 = r^2;
    (s - x)^2 + y^2 = l^2;
    der(u) = f*x + h*(x - s);
    der(v) = f*y + h*y - g;
    der(w) = h*(s - x);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end SliderCrank;
  model ShortRod "The rod is shorter than the crank: it swings between dead centres"
    extends SliderCrank(l = 0.8, omega = 2, y(start = 0.5), x(start = sqrt(0.75)), s(start = sqrt(0.75) + sqrt(0.64 - 0.25)), u(start = -1));
  end ShortRod;
  model EqualRod
    extends SliderCrank(l = 1, y(start = 0.5), x(start = sqrt(0.75)), s(start = 2*sqrt(0.75)), u(start = -4));
  end EqualRod;

  model Bar "Ends and middle of a bar without mass"
    parameter Real l = 1;
    Pin a, b, m;
    Real s;
  equation
    (b.x - a.x)^2 + (b.y - a.y)^2 = l^2;
    2*m.x = a.x + b.x; 2*m.y = a.y + b.y;
    a.fx = s*(a.x - b.x) - m.fx/2; a.fy = s*(a.y - b.y) - m.fy/2;
    a.fx + b.fx + m.fx = 0; a.fy + b.fy + m.fy = 0;
  end Bar;
  model Guide "Keeps a point on a vertical line"
    Pin p;
  equation
    p.x = 0;
    p.fy = 0;
  end Guide;
  model Floor "Keeps a point on the ground"
    Pin p;
  equation
    p.y = 0;
    p.fx = 0;
  end Floor;
  model ScissorLift "Crossed bars; the guides at each stage repeat what the bars say"
    parameter Integer n = 3;
    Ground ground;
    Floor floor;
    Guide guide[n];
    Bar rising[n](each l = 2), falling[n](each l = 2);
    Mass left[n](p(x(each start = 0), y(start = {1.2*i for i in 1:n}))), right[n](p(x(each start = 1.6), y(start = {1.2*i for i in 1:n})));
    Mass foot(p(x(start = 1.6, fixed = true)), u(start = 0, fixed = true));
    Real energy = sum(left.e) + sum(right.e) + foot.e;
  equation
    connect(foot.p, floor.p);
    connect(ground.p, rising[1].a); connect(foot.p, falling[1].a);
    for i in 1:n loop
      connect(rising[i].b, right[i].p); connect(falling[i].b, left[i].p);
      connect(rising[i].m, falling[i].m);
      connect(left[i].p, guide[i].p);
    end for;
    for i in 2:n loop
      connect(left[i - 1].p, rising[i].a); connect(right[i - 1].p, falling[i].a);
    end for;
    annotation(experiment(StopTime = 0.3, Tolerance = 1e-8));
  end ScissorLift;

  model Peaucellier "Straight line by links"
    Ground g1, g2(x = 1);
    Mass q(p(x(start = 1.8), y(start = 0.6)), v(start = 1)), a(p(x(start = 2.5), y(start = 1.9))), b(p(x(start = 3), y(start = -0.8))), t(p(x(start = 3.8), y(start = 0.8)));
    Rod r0(l = 1), r1(l = 3.1), r2(l = 3.1), k1(l = 1.5), k2(l = 1.5), k3(l = 1.5), k4(l = 1.5);
    Real energy = q.e + a.e + b.e + t.e;
  equation
    connect(g2.p, r0.a); connect(r0.b, q.p);
    connect(g1.p, r1.a); connect(r1.b, a.p);
    connect(g1.p, r2.a); connect(r2.b, b.p);
    connect(q.p, k1.a); connect(k1.b, a.p);
    connect(q.p, k2.a); connect(k2.b, b.p);
    connect(t.p, k3.a); connect(k3.b, a.p);
    connect(t.p, k4.a); connect(k4.b, b.p);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Peaucellier;

  model SwingingAtwood "A rope over a small pulley, one weight swings"
    parameter Real L = 3, M = 2.3, m = 1;
    Real x(start = 1, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), v(start = 0, fixed = true), z(start = 2), w;
    Real s;
    Real energy = m*(u^2 + v^2)/2 + M*w^2/2 + m*g*y - M*g*z;
  equation
    der(x) = u; der(y) = v; der(z) = w;
    sqrt(x^2 + y^2) + z = L;
    m*der(u) = -s*x/sqrt(x^2 + y^2);
    m*der(v) = -s*y/sqrt(x^2 + y^2) - m*g;
    M*der(w) = M*g - s;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end SwingingAtwood;

  model Surface "A point on a hilly bowl"
    Real x(start = 2, fixed = true), y(start = 0, fixed = true), z, u(start = 0, fixed = true), v(start = 1.5, fixed = true), w, f;
    Real h = z - (0.3*(x^2 + 2*y^2)/2 + 0.2*sin(3*x)*cos(2*y));
    Real energy = (u^2 + v^2 + w^2)/2 + g*z;
  equation
    der(x) = u; der(y) = v; der(z) = w;
    h = 0;
    der(u) = -f*(0.3*x + 0.6*cos(3*x)*cos(2*y));
    der(v) = -f*(0.6*y - 0.4*sin(3*x)*sin(2*y));
    der(w) = f - g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Surface;

  model Torus "A point on a torus that stands upright"
    parameter Real R = 2, r = 0.7;
    Real x(start = R + r, fixed = true), y(start = 0, fixed = true), z, u, v(start = 2, fixed = true), w(start = 3, fixed = true), f;
    Real energy = (u^2 + v^2 + w^2)/2 + g*x;
  equation
    der(x) = u; der(y) = v; der(z) = w;
    (x^2 + y^2 + z^2 + R^2 - r^2)^2 = 4*R^2*(x^2 + y^2);
    der(u) = f*(4*x*(x^2 + y^2 + z^2 + R^2 - r^2) - 8*R^2*x) - g;
    der(v) = f*(4*y*(x^2 + y^2 + z^2 + R^2 - r^2) - 8*R^2*y);
    der(w) = f*4*z*(x^2 + y^2 + z^2 + R^2 - r^2);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Torus;

  model Ring "A chain closed into a ring, spinning and falling"
    parameter Integer n = 8;
    parameter Real l = 2*sin(pi/n), pi = 3.14159265358979323846;
    Real x[n](start = {cos(2*pi*i/n) for i in 1:n}), y[n](start = {sin(2*pi*i/n) for i in 1:n});
    Real u[n](start = {-2*sin(2*pi*i/n) + (if i == 3 then 1 else 0) for i in 1:n}), v[n](start = {2*cos(2*pi*i/n) for i in 1:n});
    Real f[n];
    Real energy = sum((u[i]^2 + v[i]^2)/2 + g*y[i] for i in 1:n);
    Real momentum = sum(x[i]*v[i] - y[i]*u[i] for i in 1:n) - (sum(x)*sum(v) - sum(y)*sum(u))/n;
  equation
    der(x) = u; der(y) = v;
    for i in 1:n loop
      (x[mod(i, n) + 1] - x[i])^2 + (y[mod(i, n) + 1] - y[i])^2 = l^2;
      der(u[i]) = f[i]*(x[i] - x[mod(i, n) + 1]) + f[mod(i - 2, n) + 1]*(x[i] - x[mod(i - 2, n) + 1]);
      der(v[i]) = f[i]*(y[i] - y[mod(i, n) + 1]) + f[mod(i - 2, n) + 1]*(y[i] - y[mod(i - 2, n) + 1]) - g;
    end for;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Ring;

  model HangingRing "A ring of rods whose uppermost joint is held"
    parameter Integer n = 5;
    Ground top;
    parameter Real c = 2*3.14159265358979/(n + 1), rho = 1/(2*sin(c/2)) "of the regular polygon";
    Mass m[n](p(x(start = {rho*sin(c*i + 0.3) - rho*sin(0.3) for i in 1:n}), y(start = {rho*cos(c*i + 0.3) - rho*cos(0.3) for i in 1:n})), each u(start = 1));
    Rod r[n + 1](each l = 1);
    Real energy = sum(m.e);
  equation
    connect(top.p, r[1].a);
    for i in 1:n loop
      connect(r[i].b, m[i].p);
      connect(m[i].p, r[i + 1].a);
    end for;
    connect(r[n + 1].b, top.p);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end HangingRing;

  model HeavyTop "Rigid body with one point held, by a quaternion"
    parameter Real m = 1, l = 1, I1 = 1.2, I3 = 0.5;
    Real q0(start = cos(0.3)), q1(start = sin(0.3)), q2(start = 0), q3(start = 0);
    Real w1(start = 0.2, fixed = true), w2(start = 0, fixed = true), w3(start = 20, fixed = true) "in the body";
    Real lambda;
    Real zx = 2*(q1*q3 - q0*q2), zy = 2*(q2*q3 + q0*q1), zz = 1 - 2*(q1^2 + q2^2);
    Real energy = (I1*(w1^2 + w2^2) + I3*w3^2)/2 + m*g*l*zz;
    Real momentum = I1*(w1*zx + w2*zy) + I3*w3*zz;
  equation
    der(q0) = -(q1*w1 + q2*w2 + q3*w3)/2 + lambda*q0;
    der(q1) = (q0*w1 - q3*w2 + q2*w3)/2 + lambda*q1;
    der(q2) = (q3*w1 + q0*w2 - q1*w3)/2 + lambda*q2;
    der(q3) = (-q2*w1 + q1*w2 + q0*w3)/2 + lambda*q3;
    q0^2 + q1^2 + q2^2 + q3^2 = 1;
    I1*der(w1) = (I1 - I3)*w2*w3 + m*g*l*zy;
    I1*der(w2) = (I3 - I1)*w3*w1 - m*g*l*zx;
    I3*der(w3) = 0;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end HeavyTop;

  model Tetrahedron "A rigid body by four points and their six distances, tumbling"
    parameter Real p0[4,3] = {{0,0,0},{1,0,0},{0,1,0},{0,0,1.3}};
    parameter Real w0[3] = {2, 1, 5};
    Real p[4,3](start = p0), v[4,3](start = {{w0[2]*p0[i,3] - w0[3]*p0[i,2], w0[3]*p0[i,1] - w0[1]*p0[i,3], w0[1]*p0[i,2] - w0[2]*p0[i,1]} for i in 1:4});
    Real f[6];
    Real energy = sum(v[i,k]^2 for i in 1:4, k in 1:3)/2;
    Real momentum = sum(p[i,1]*v[i,2] - p[i,2]*v[i,1] for i in 1:4);
  protected
    parameter Integer a[6] = {1,1,1,2,2,3}, b[6] = {2,3,4,3,4,4};
  equation
    der(p) = v;
    for k in 1:6 loop
      (p[a[k],:] - p[b[k],:])*(p[a[k],:] - p[b[k],:]) = (p0[a[k],:] - p0[b[k],:])*(p0[a[k],:] - p0[b[k],:]);
    end for;
    der(v[1,:]) = f[1]*(p[1,:] - p[2,:]) + f[2]*(p[1,:] - p[3,:]) + f[3]*(p[1,:] - p[4,:]);
    der(v[2,:]) = f[1]*(p[2,:] - p[1,:]) + f[4]*(p[2,:] - p[3,:]) + f[5]*(p[2,:] - p[4,:]);
    der(v[3,:]) = f[2]*(p[3,:] - p[1,:]) + f[4]*(p[3,:] - p[2,:]) + f[6]*(p[3,:] - p[4,:]);
    der(v[4,:]) = f[3]*(p[4,:] - p[1,:]) + f[5]*(p[4,:] - p[2,:]) + f[6]*(p[4,:] - p[3,:]);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Tetrahedron;

  model Bennett "Four skew hinges: over-constrained by three, and moves"
    parameter Real alpha = 0.6, beta = 1.1, a = sin(alpha), b = sin(beta);
    parameter Real th = 1.2 "angle of the first hinge";
    Real p3[3](start = 2*(mid - d*(d*mid))), p4[3](start = q), u3[3](start = 2*d[3]*d - u1), u4[3](start = t), v3[3], v4[3], w3[3], w4[3];
    Real f[14];
    Real energy = (v3*v3 + v4*v4 + w3*w3 + w4*w4)/2 + g*(p3[2] + p4[2]);
  protected
    parameter Real p1[3] = {0,0,0}, p2[3] = {a,0,0}, u1[3] = {0,0,1}, u2[3] = {0,-sin(alpha),cos(alpha)};
    parameter Real q[3] = {b*cos(th), b*sin(th), 0}, t[3] = {-sin(beta)*sin(th), sin(beta)*cos(th), cos(beta)} "where the half-turn about d swaps the joints";
    parameter Real mid[3] = (p2 + q)/2, d[3] = (u2 + t)/sqrt((u2 + t)*(u2 + t));
  initial equation
    p4[1] = b*cos(th);
    v4[1] = 1;
  equation
    der(p3) = v3; der(p4) = v4; der(u3) = w3; der(u4) = w4;
    (p3 - p2)*(p3 - p2) = b^2;
    (p3 - p2)*u2 = 0;
    (p3 - p2)*u3 = 0;
    u2*u3 = cos(beta);
    (p4 - p3)*(p4 - p3) = a^2;
    (p4 - p3)*u3 = 0;
    (p4 - p3)*u4 = 0;
    u3*u4 = cos(alpha);
    (p4 - p1)*(p4 - p1) = b^2;
    (p4 - p1)*u1 = 0;
    (p4 - p1)*u4 = 0;
    u1*u4 = cos(beta);
    u3*u3 = 1;
    u4*u4 = 1;
    der(v3) = 2*f[1]*(p3 - p2) + f[2]*u2 + f[3]*u3 - 2*f[5]*(p4 - p3) - f[6]*u3 - f[7]*u4 + {0,-g,0};
    der(v4) = 2*f[5]*(p4 - p3) + f[6]*u3 + f[7]*u4 + 2*f[9]*(p4 - p1) + f[10]*u1 + f[11]*u4 + {0,-g,0};
    der(w3) = f[3]*(p3 - p2) + f[4]*u2 + f[6]*(p4 - p3) + f[8]*u4 + 2*f[13]*u3;
    der(w4) = f[7]*(p4 - p3) + f[8]*u3 + f[11]*(p4 - p1) + f[12]*u1 + 2*f[14]*u4;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Bennett;

  model Stewart "A platform on six legs whose lengths are given: all motion is prescribed, forces follow"
    parameter Real R = 1.5, r = 0.8, m = 10, J[3] = {1, 1.2, 2};
    parameter Real ga[6] = {0.2, 1.9, 2.3, 4.0, 4.4, 6.1}, pa[6] = {0.8, 1.3, 2.9, 3.4, 5.0, 5.5};
    Real p[3](start = {0,0,1.5}), v[3], q[4](start = {1,0,0,0}), w[3], T[3,3], f[6], mu;
    Real c[6,3], s[6];
  equation
    T = [q[1]^2 + q[2]^2 - q[3]^2 - q[4]^2, 2*(q[2]*q[3] - q[1]*q[4]), 2*(q[2]*q[4] + q[1]*q[3]);
         2*(q[2]*q[3] + q[1]*q[4]), q[1]^2 - q[2]^2 + q[3]^2 - q[4]^2, 2*(q[3]*q[4] - q[1]*q[2]);
         2*(q[2]*q[4] - q[1]*q[3]), 2*(q[3]*q[4] + q[1]*q[2]), q[1]^2 - q[2]^2 - q[3]^2 + q[4]^2];
    der(p) = v;
    der(q) = 0.5*{-q[2]*w[1] - q[3]*w[2] - q[4]*w[3], q[1]*w[1] - q[4]*w[2] + q[3]*w[3], q[4]*w[1] + q[1]*w[2] - q[2]*w[3], -q[3]*w[1] + q[2]*w[2] + q[1]*w[3]} + mu*q;
    q*q = 1;
    for i in 1:6 loop
      c[i,:] = T*{r*cos(pa[i]), r*sin(pa[i]), 0};
      s[i] = sqrt(3.0) + 0.15*sin(2*time + i);
      (p + c[i,:] - {R*cos(ga[i]), R*sin(ga[i]), 0})*(p + c[i,:] - {R*cos(ga[i]), R*sin(ga[i]), 0}) = s[i]^2;
    end for;
    m*der(v) = {0,0,-m*g} + sum(f[i]*(p + c[i,:] - {R*cos(ga[i]), R*sin(ga[i]), 0}) for i in 1:6);
    {J[1]*der(w[1]), J[2]*der(w[2]), J[3]*der(w[3])} + cross(w, {J[1]*w[1], J[2]*w[2], J[3]*w[3]}) = transpose(T)*sum(f[i]*cross(c[i,:], p + c[i,:] - {R*cos(ga[i]), R*sin(ga[i]), 0}) for i in 1:6);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end Stewart;

  model Sleigh "A knife edge that carries a pendulum: between holonomic and not"
    parameter Real m = 2, J = 0.5, l = 0.7, mp = 0.3;
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = 0.3, fixed = true), u(start = 1.5), v, w(start = 1.2, fixed = true), lambda;
    Real px(start = l), py(start = 0, fixed = true), pu, pv(start = 0, fixed = true), s;
    Real energy = m*(u^2 + v^2)/2 + J*w^2/2 + mp*(pu^2 + pv^2)/2;
  equation
    der(x) = u; der(y) = v; der(phi) = w; der(px) = pu; der(py) = pv;
    u*sin(phi) - v*cos(phi) = 0;
    (px - x)^2 + (py - y)^2 = l^2;
    m*der(u) = lambda*sin(phi) + s*(x - px);
    m*der(v) = -lambda*cos(phi) + s*(y - py);
    J*der(w) = 0;
    mp*der(pu) = s*(px - x);
    mp*der(pv) = s*(py - y);
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end Sleigh;

  model MotorPendulum "A direct-current motor with its supply turns a pendulum of points"
    parameter Real R = 0.5, L = 0.01, k = 0.8, C = 0.02;
    Real x(start = 0), y(start = -1, fixed = true), u(start = 0, fixed = true), v, s, tau;
    Real i(start = 0, fixed = true), ic1, ic2, uc1(start = 12, fixed = true), uc2, uq;
  equation
    der(x) = u; der(y) = v;
    x^2 + y^2 = 1;
    tau = k*i;
    der(u) = s*x - tau*y;
    der(v) = s*y + tau*x - g;
    uq = 12 + 2*sin(5*time);
    C*der(uc1) = ic1; C*der(uc2) = ic2;
    uc1 = uc2;
    (uq - uc1)/R = ic1 + ic2 + i;
    L*der(i) = uc1 - R*i - k*(x*v - y*u);
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end MotorPendulum;

  model RotatingHoop "A bead on a hoop that turns at a given rate"
    parameter Real omega = 5;
    Real x(start = 0.6), y(start = 0), z(start = -0.8, fixed = true), u, v, w(start = 0, fixed = true), f, h;
    Real invariant = (u^2 + v^2 + w^2)/2 + g*z - omega*(x*v - y*u);
  equation
    der(x) = u; der(y) = v; der(z) = w;
    x^2 + y^2 + z^2 = 1;
    x*sin(omega*time) = y*cos(omega*time);
    der(u) = 2*f*x + h*sin(omega*time);
    der(v) = 2*f*y - h*cos(omega*time);
    der(w) = 2*f*z - g;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end RotatingHoop;

  model CraneControl "The load follows a given path; which force moves the trolley? Index 5"
    parameter Real M = 3, m = 1;
    Real x(start = 0), u, px(start = 0), py(start = -2), pu, pv, l(start = 2), w, s, F, T, xd, yd;
  equation
    xd = 0.5*sin(time);
    yd = -2 + 0.3*cos(1.3*time);
    der(x) = u; der(px) = pu; der(py) = pv; der(l) = w;
    M*der(u) = F + s*(px - x);
    m*der(pu) = -s*(px - x);
    m*der(pv) = -s*py - m*g;
    (px - x)^2 + py^2 = l^2;
    0.1*der(w) = T + s*l;
    px = xd; py = yd;
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end CraneControl;

  model Several "Mechanisms that have nothing to do with each other"
    Rhombus a;
    SliderCrank b(omega = 11);
    SwingingAtwood c;
    Torus d;
    HangingRing e(n = 3);
    Real energy = a.energy + b.energy + c.energy + d.energy + e.energy;
    annotation(experiment(StopTime = 3, Tolerance = 1e-8));
  end Several;

  model Jansen "A walking leg: eleven rods"
    Ground o(x = 0, y = 0), q(x = -3.8, y = -0.78);
    Mass c(p(x(start = 1.5), y(start = 0.0)), v(start = 15)), a(p(x(start = -2.5), y(start = 4)), m = 0.1), b(p(x(start = -7.5), y(start = 0.5)), m = 0.1), d(p(x(start = -3), y(start = -4.7)), m = 0.1), e(p(x(start = -7), y(start = -3.2)), m = 0.1), t(p(x(start = -5), y(start = -8)), m = 0.1);
    Rod m(l = 1.5), j(l = 5), bb(l = 4.15), ee(l = 5.58), dd(l = 4.01), k(l = 6.19), cc(l = 3.93), ff(l = 3.94), gg(l = 3.67), hh(l = 6.57), ii(l = 4.9);
    Real energy = a.e + b.e + c.e + d.e + e.e + t.e;
  equation
    connect(o.p, m.a); connect(m.b, c.p);
    connect(c.p, j.a); connect(j.b, a.p);
    connect(q.p, bb.a); connect(bb.b, a.p);
    connect(a.p, ee.a); connect(ee.b, b.p);
    connect(q.p, dd.a); connect(dd.b, b.p);
    connect(c.p, k.a); connect(k.b, d.p);
    connect(q.p, cc.a); connect(cc.b, d.p);
    connect(b.p, ff.a); connect(ff.b, e.p);
    connect(d.p, gg.a); connect(gg.b, e.p);
    connect(e.p, hh.a); connect(hh.b, t.p);
    connect(d.p, ii.a); connect(ii.b, t.p);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Jansen;

  model BodyFourBar "Bodies with angles and hinges, as multibody codes write them"
    parameter Real L[3] = {1, 2.5, 2}, D = 2.5;
    parameter Real m[3] = L, J[3] = {L[i]^3/12 for i in 1:3};
    Real x[3], y[3], phi[3](start = {1.5, 0.4, 1.8}), u[3], v[3], w[3](start = {6, 0, 0});
    Real fx[4], fy[4];
    Real energy = sum(m[i]*(u[i]^2 + v[i]^2)/2 + J[i]*w[i]^2/2 + m[i]*g*y[i] for i in 1:3);
  equation
    der(x) = u; der(y) = v; der(phi) = w;
    x[1] - L[1]/2*cos(phi[1]) = 0; y[1] - L[1]/2*sin(phi[1]) = 0;
    x[1] + L[1]/2*cos(phi[1]) = x[2] - L[2]/2*cos(phi[2]); y[1] + L[1]/2*sin(phi[1]) = y[2] - L[2]/2*sin(phi[2]);
    x[2] + L[2]/2*cos(phi[2]) = x[3] + L[3]/2*cos(phi[3]); y[2] + L[2]/2*sin(phi[2]) = y[3] + L[3]/2*sin(phi[3]);
    x[3] - L[3]/2*cos(phi[3]) = D; y[3] - L[3]/2*sin(phi[3]) = 0;
    for i in 1:2 loop
      m[i]*der(u[i]) = fx[i] - fx[i + 1];
      m[i]*der(v[i]) = fy[i] - fy[i + 1] - m[i]*g;
      J[i]*der(w[i]) = L[i]/2*sin(phi[i])*(fx[i] + fx[i + 1]) - L[i]/2*cos(phi[i])*(fy[i] + fy[i + 1]);
    end for;
    m[3]*der(u[3]) = fx[3] + fx[4];
    m[3]*der(v[3]) = fy[3] + fy[4] - m[3]*g;
    J[3]*der(w[3]) = L[3]/2*sin(phi[3])*(fx[4] - fx[3]) - L[3]/2*cos(phi[3])*(fy[4] - fy[3]);
    annotation(experiment(StopTime = 5, Tolerance = 1e-8));
  end BodyFourBar;
end Linkages;
