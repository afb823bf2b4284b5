// SPDX-License-Identifier: Apache-2.0
// A function in C that is declared neither pure nor impure may keep something for the next call: at
// an event it is called once.
// expect y = 10
// stop 0.95
model FunctionsInCThatKeepSomething
  function draw
    input Real t;
    output Real y;
    external "C" y = alembert_draw(t) annotation(Include = "
static double alembert_draws = 0;
double alembert_draw(double t) { (void)t; return alembert_draws += 1; }");
  end draw;
  discrete Real y(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    y = draw(time);
  end when;
end FunctionsInCThatKeepSomething;
