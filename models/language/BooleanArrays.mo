// SPDX-License-Identifier: Apache-2.0
// Boolean arrays, and a subscript that changes in the run.
// expect any_ = 1
// expect all_ = 0
// expect k = 2
// expect n[2] = 0
// expect sel = 30
model BooleanArrays
  Boolean b[3] = {time > 0.2, time > 0.5, time > 2};
  Boolean any_ = max({if x then 1 else 0 for x in b}) > 0;
  Boolean all_ = b[1] and b[2] and b[3];
  Integer k = sum(if x then 1 else 0 for x in b);
  Boolean n[3] = not b;
  Integer idx(start = 1);
  Real tab[3] = {10, 20, 30};
  Real sel = tab[idx];
equation
  idx = if time > 0.7 then 3 else 1;
end BooleanArrays;
