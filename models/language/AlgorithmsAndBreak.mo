// SPDX-License-Identifier: Apache-2.0
// Initial algorithms, while, break, return, results that are not wanted.
// expect x = 3
// expect y[3] = 8
// expect z = 6
// expect k = 7
// expect s = 2
// expect mat[2,2] = 4
// expect br = 3
model AlgorithmsAndBreak
  Real x(fixed = false);
  Real y[3];
  Real z;
  Real mat[2, 2];
  Integer k;
  Integer br;
  Real s;
  parameter Real p(fixed = false);
  function early
    input Integer n;
    output Integer r;
  algorithm
    r := 0;
    while true loop
      r := r + 1;
      if r * r > n then
        return;
      end if;
    end while;
    r := -1;
  end early;
  function Modelica_div
    input Real a;
    input Real b;
    output Real q = a / b;
    output Real r = mod(a, b);
  algorithm
  end Modelica_div;
initial equation
  x = p;
equation
  der(x) = 0;
initial algorithm
  p := 2;
  for i in 1:2 loop
    p := p + 0.5;
  end for;
algorithm
  y := zeros(3);
  for i in 1:3 loop
    y[i] := 2^i;
  end for;
  z := 0;
  for i in {1, 2, 3} loop
    z := z + i;
  end for;
  k := early(40);
  (s, ) := Modelica_div(8, 4);
  mat := identity(2);
  mat[2, :] := {3, 4};
  br := 0;
  for i in 1:10 loop
    if i > 3 then
      break;
    end if;
    br := br + 1;
  end for;
end AlgorithmsAndBreak;
