// SPDX-License-Identifier: Apache-2.0
// Assertions of initial sections count at the start only.
// expect x = 2
model AssertionsAtTheStart
  function checked
    input Real u;
    output Real y;
  algorithm
    assert(u < 1.5, "too large");
    y := u;
  end checked;
  Real x;
  parameter Real p(fixed = false);
initial equation
  assert(x < 1.5, "x is too large");
  x = checked(1);
initial algorithm
  assert(time < 0.1, "not at the start");
  p := 3;
equation
  der(x) = 1;
end AssertionsAtTheStart;
