// SPDX-License-Identifier: Apache-2.0
// Events, assertions, reinit, delays and clocks may ask for derivatives that the equations do not have: of an alias,
// and of what is not differentiated anywhere else. x = cos(t) up to t = 0.5, v = der(x), y = x^2.
// expect sampled = -0.8414709848078965
// expect alias = -0.479425538604203
// expect rises = 0
// expect late = 0.9
// expect slope = -1
// expect delayed = -2.4342857848405512
// expect held = 0.40527102864163
// expect x = -0.9683091096700589
model DerivativesAtEvents
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Real a = x, y = x^2, z = 0.5 - v;
  discrete Real sampled(start = 0, fixed = true) "der(y) = -sin(2 t)";
  discrete Real alias(start = 0, fixed = true);
  discrete Real late(start = 0, fixed = true);
  Boolean rises = der(z) > -0.7;
  Real u = x^3, w = x^4;
  Real delayed = delay(der(2*w), 0.6) "of before the event: w = cos(t)^4";
  Real held = hold(sample(der(w), Clock(0.45)));
  Real slope = if der(u) > 0 then 1 else -1 "der(u) is compared, and nothing else has it";
equation
  der(x) = v;
  der(v) = -x;
  assert(der(y) > -1.1, "y falls too fast");
  when time >= 0.5 then
    sampled = der(y);
    alias = der(a);
    reinit(x, der(y));
  end when;
  when time >= 0.9 and der(a) < 0 then
    late = time;
  end when;
end DerivativesAtEvents;
