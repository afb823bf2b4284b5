// SPDX-License-Identifier: Apache-2.0
// pre, edge and change with arrays.
// expect x[1] = 3
// expect x[2] = 6
// expect ch = 3
// expect y[2] = 1
// stop 3.5
model PreOfArrays
  discrete Real x[2](start = {0, 0}, each fixed = true);
  Integer ch(start = 0, fixed = true);
  Boolean b[2](each start = false, each fixed = true);
  Real y[2];
equation
  when sample(1, 1) then
    x = pre(x) + {1, 2};
  end when;
  when change(x[1]) then
    ch = pre(ch) + 1;
  end when;
  b = {x[1] > 1.5, x[2] > 100};
  y = {if edge(b[1]) then 5 else 0, if pre(b[1]) then 1 else 0};
end PreOfArrays;
