// SPDX-License-Identifier: Apache-2.0
package Events "Motion with switches, whose times are known in closed form"
  model BouncingBall "Rebounds until the speed after one is below `rest`"
    parameter Real g = 9.81, e = 0.7, height = 1, rest = 0.1;
    Real h(start = height, fixed = true), v(start = 0, fixed = true);
    Boolean flying(start = true, fixed = true);
    Integer impacts(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = if flying then -g else 0;
    when h <= 0 then
      flying = -e*pre(v) >= rest;
      impacts = pre(impacts) + 1;
      reinit(v, if flying then -e*pre(v) else 0);
    end when;
    annotation(experiment(StopTime = 3));
  end BouncingBall;

  model StickSlip "A block on a moving belt, held by a spring"
    parameter Real m = 1, k = 1, v0 = 0.2, Fs = 1, Fk = 0.5;
    Real x(start = 0, fixed = true), v(start = v0, fixed = true);
    Boolean stuck(start = true, fixed = true);
  equation
    der(x) = v;
    m*der(v) = if stuck then 0 else Fk - k*x;
    when {pre(stuck) and k*x > Fs, not pre(stuck) and v > v0} then
      stuck = not pre(stuck);
      reinit(v, v0);
    end when;
    annotation(experiment(StopTime = 40));
  end StickSlip;

  model CoulombOscillator "Dry friction: stops for good where the spring is too weak"
    parameter Real w = 2, F = 0.6, x0 = 1;
    Real x(start = x0, fixed = true), v(start = 0, fixed = true);
    Integer slides "the direction in which it slides; 0 where it rests";
  equation
    der(x) = v;
    der(v) = if slides == 0 then 0 else -w^2*x - F*slides;
    when {initial(), pre(slides) > 0 and v < 0, pre(slides) < 0 and v > 0} then
      slides = if -w^2*x > F then 1 elseif w^2*x > F then -1 else 0;
      reinit(v, 0);
    end when;
    annotation(experiment(StopTime = 10));
  end CoulombOscillator;

  model Rectifier "An ideal diode, a resistor and an inductance"
    parameter Real V = 325, R = 10, L = 0.05, f = 50;
    Real u = V*sin(2*3.14159265358979323846*f*time);
    Real i(start = 0, fixed = true);
    Boolean on(start = true, fixed = true);
  equation
    L*der(i) = if on then u - R*i else 0;
    when {u > 0, i < 0} then
      on = u > 0;
      reinit(i, 0);
    end when;
    annotation(experiment(StopTime = 0.1));
  end Rectifier;

  model ConstrainedPendulum "The string meets a pin (EUROSIM C7)"
    parameter Real m = 1.02, l = 1, lp = 0.7, g = 9.81, d = 0.2;
    parameter Real phi_pin = -3.14159265358979323846/12, phi0 = 3.14159265358979323846/6;
    Real phi(start = phi0, fixed = true), w(start = 0, fixed = true);
    Boolean short = phi < phi_pin;
    Real length = if short then l - lp else l;
  equation
    der(phi) = w;
    m*length*der(w) = -m*g*sin(phi) - d*length*w;
    when short then
      reinit(w, pre(w)*l/(l - lp));
    elsewhen not short then
      reinit(w, pre(w)*(l - lp)/l);
    end when;
    annotation(experiment(StopTime = 10));
  end ConstrainedPendulum;

  model Tanks "Two tanks and one tap: switches accumulate at t = 8"
    parameter Real v1 = 0.5, v2 = 0.5, w = 0.75;
    Real x1(start = 1, fixed = true), x2(start = 1, fixed = true);
    Integer tap(start = 1, fixed = true);
  equation
    der(x1) = -v1 + (if tap == 1 then w else 0);
    der(x2) = -v2 + (if tap == 2 then w else 0);
    when {x2 <= 0, x1 <= 0} then
      tap = if x2 <= 0 then 2 else 1;
    end when;
    annotation(experiment(StopTime = 8));
  end Tanks;
end Events;
