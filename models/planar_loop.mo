// SPDX-License-Identifier: Apache-2.0
package Planar "Mechanisms in a plane, of rods and joints"
  connector Frame
    Real x, y, phi "position and angle";
    flow Real fx, fy, t "cut force and torque";
  end Frame;

  model Ground
    Frame frame;
    parameter Real x = 0, y = 0;
  equation
    frame.x = x;
    frame.y = y;
    frame.phi = 0;
  end Ground;

  model Hinge "Turns freely, or is driven by a torque"
    Frame a, b;
    Real phi(start = 0) "angle from a to b";
    Real w(start = 0);
  equation
    b.x = a.x;
    b.y = a.y;
    b.phi = a.phi + phi;
    w = der(phi);
    a.fx + b.fx = 0;
    a.fy + b.fy = 0;
    b.t = 0;
    a.t + b.t = 0;
  end Hinge;

  model Rod "A slender rod with its mass in the middle"
    Frame a, b;
    parameter Real length = 1;
    parameter Real m = 1;
    parameter Real I = m*length^2/12;
    parameter Real g = 9.81;
    Real x, y "centre of mass";
    Real vx, vy;
    Real w;
  protected
    Real c = length/2*cos(a.phi);
    Real s = length/2*sin(a.phi);
  equation
    b.phi = a.phi;
    x = a.x + c;
    y = a.y + s;
    b.x = x + c;
    b.y = y + s;
    vx = der(x);
    vy = der(y);
    w = der(a.phi);
    m*der(vx) = a.fx + b.fx;
    m*der(vy) = a.fy + b.fy - m*g;
    I*der(w) = a.t + b.t + s*a.fx - c*a.fy - s*b.fx + c*b.fy;
  end Rod;

  model FourBar "Three rods between two fixed points: one degree of freedom, one closed loop"
    Ground left;
    Ground right(x = 2);
    Hinge h1(phi(start = 1.2, fixed = true), w(fixed = true));
    Hinge h2(phi(start = -1.0));
    Hinge h3(phi(start = -1.4));
    Hinge h4(phi(start = 1.2));
    Rod crank(length = 0.8);
    Rod coupler(length = 2);
    Rod rocker(length = 1.2);
  equation
    connect(left.frame, h1.a);
    connect(h1.b, crank.a);
    connect(crank.b, h2.a);
    connect(h2.b, coupler.a);
    connect(coupler.b, h3.a);
    connect(h3.b, rocker.a);
    connect(rocker.b, h4.a);
    connect(h4.b, right.frame);
    annotation(experiment(StopTime = 5));
  end FourBar;
end Planar;
