// SPDX-License-Identifier: Apache-2.0
// Several iterators, in arrays and reductions.
// expect b2[2,3] = 32
// expect a[2,3] = 23
// expect b[3,2] = 32
// expect c = 36
// expect d = 4
// expect e[2] = 4
// expect f = 6
// expect g = 2
// expect h[2,1,2] = 212
// expect mn = -4
model Comprehensions
  Real a[2, 3] = {{10 * i + j for j in 1:3} for i in 1:2};
  Real b[3, 2] = {10 * i + j for j in 1:2, i in 1:3};
  Real b2[2, 3] = {10 * i + j for i in 1:3, j in 1:2};
  Real c = sum(i * j for i in 1:3, j in 1:3);
  Real d = max(i + j for i in 1:2, j in 1:2);
  Real e[:] = {i^2 for i in 1:3};
  Real f = product(i for i in {1, 2, 3});
  Real g = size({i for i in 1:0.5:1.5}, 1);
  Real h[2, 1, 2] = {100 * i + 10 * j + k for k in 1:2, j in 1:1, i in 1:2};
  Real mn = min(-i * j for i in 1:2, j in 1:2);
end Comprehensions;
