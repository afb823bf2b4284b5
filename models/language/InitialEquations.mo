// SPDX-License-Identifier: Apache-2.0
// Steady starts, parameters found at the start, loops.
// expect x = 2
// expect p = 4
// expect y[2] = 3
// expect q = 5
// expect m0 = 1
model InitialEquations
  Real x;
  Real y[2];
  parameter Real p(fixed = false);
  parameter Integer q(fixed = false);
  Boolean m0;
  parameter Boolean steady = true;
initial equation
  if steady then
    der(x) = 0;
  else
    x = 1;
  end if;
  p = x^2;
  for i in 1:2 loop
    y[i] = i + 1;
  end for;
  q = 5;
equation
  der(x) = 2 - x;
  der(y) = {0, 0};
  m0 = x > 1;
end InitialEquations;
