// SPDX-License-Identifier: Apache-2.0
model BouncingBall "A ball that loses speed at every impact, until it lies"
  parameter Real e(min = 0, max = 1) = 0.7 "coefficient of restitution";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  Real h(start = 1, fixed = true, unit = "m") "height";
  Real v(start = 0, fixed = true, unit = "m/s") "velocity";
  Boolean flying(start = true, fixed = true);
  discrete Real v_new(start = 0, fixed = true) "velocity after the last impact";
  Integer n_bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h <= 0 and v <= 0 then
    v_new = -e*pre(v);
    flying = v_new > 0.01;
    n_bounces = pre(n_bounces) + 1;
    reinit(v, if flying then v_new else 0);
    reinit(h, 0);
  end when;
  annotation(experiment(StopTime = 3));
end BouncingBall;
