// SPDX-License-Identifier: Apache-2.0
// Statements of a model: choices, loops with steps, records and elements assigned.
// expect a = 5
// expect b = 1
// expect s = 55
// expect i1 = 3
// expect r.x = 2
// expect arr[2,2] = 4
// expect c = 1
// stop 1
model StatementsInOrder
  Real a;
  Real b;
  Real s;
  Real arr[2, 2];
  Integer i1;
  Boolean c;
  record R
    Real x;
    Real y;
  end R;
  R r;
algorithm
  a := 1;
  if time > 0.5 then
    a := a + 4;
  elseif time > 0.2 then
    a := 2;
  else
    a := 0;
  end if;
  b := if a > 3 then 1 else 0;
  s := 0;
  for i in 10:-1:1 loop
    s := s + i;
  end for;
  i1 := 0;
  while i1 < 3 loop
    i1 := i1 + 1;
  end while;
  r := R(2, 3);
  r.y := r.x + 1;
  for i in 1:2 loop
    for j in 1:2 loop
      arr[i, j] := i * j;
    end for;
  end for;
  c := a > 1 and not b < 0.5;
end StatementsInOrder;
