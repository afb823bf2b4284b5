// SPDX-License-Identifier: Apache-2.0
// What a condition keeps from being asked for is no mistake.
// expect y = 30
// expect z = 0
// expect n = 3
model GuardedSubscripts
  function find "the first entry above a level; 0 if there is none"
    input Real x[:];
    input Real level;
    output Integer i = 1;
  algorithm
    while i <= size(x, 1) and x[min(i, size(x, 1))] <= level loop
      i := i + 1;
    end while;
    if i > size(x, 1) then
      i := 0;
    end if;
  end find;
  parameter Real t[3] = {10, 20, 30};
  Integer i = if time > 0.5 then 3 else 1;
  Real y = t[i];
  Integer j = if time > 0.5 then 7 else 1;
  Real z = if j <= 3 then t[j] else 0;
  Integer n = find({time - 2, time - 1.5, time + 1}, 0);
end GuardedSubscripts;
