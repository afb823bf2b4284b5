// SPDX-License-Identifier: Apache-2.0
// Modifications of arrays with and without each.
// expect a[2].k = 3
// expect a[1].v[2] = 5
// expect b[2].v[1] = 6
// expect c[2,1].k = 7
// expect st[2] = 2
model EachAndArrays
  model A
    parameter Real k = 1;
    parameter Real v[2] = {0, 0};
    Real y = k;
  end A;
  A a[2](each k = 3, v = {{4, 5}, {6, 7}});
  A b[2](each v = {6, 8});
  A c[2, 2](each k = 7);
  Real st[2](start = {1, 2}, each fixed = true);
equation
  der(st) = zeros(2);
end EachAndArrays;
