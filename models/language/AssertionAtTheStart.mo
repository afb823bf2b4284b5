// SPDX-License-Identifier: Apache-2.0
// An assertion of a function in an initial section is heard.
// error assertion in 'checked' failed: 2 is too large
model AssertionAtTheStart
  function checked
    input Real u;
    output Real y;
  algorithm
    assert(u < 1.5, String(u) + " is too large");
    y := u;
  end checked;
  Real x;
  Real z(start = 2, fixed = true);
initial equation
  x = checked(z);
equation
  der(x) = 1;
  der(z) = -z;
end AssertionAtTheStart;
