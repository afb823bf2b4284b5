// SPDX-License-Identifier: Apache-2.0
// Ranges follow from what an iterator is a subscript of.
// expect z[3] = 9
// expect s = 14
// expect t = 28
// expect m[2,3] = 23
// expect e[2] = 4
model LoopsWithoutRanges
  function squares
    input Real x[:];
    output Real y[size(x, 1)];
  algorithm
    for i loop
      y[i] := x[i]^2;
    end for;
  end squares;
  Real z[3] = squares({1, 2, 3});
  Real s;
  Real t = sum(2 * z[i] for i);
  Real m[2,3];
  Real e[2];
algorithm
  s := 0;
  for i loop
    s := s + z[i];
  end for;
  for i, j loop
    m[i, j] := 10 * i + j;
  end for;
equation
  for i loop
    e[i] = 2 * i;
  end for;
end LoopsWithoutRanges;
