// SPDX-License-Identifier: Apache-2.0
// Operators and functions of vectors and matrices.
// expect c[3] = -3
// expect sk[1,2] = -3
// expect op[2,3] = 12
// expect sy[2,1] = 2
// expect d = 32
// expect inv[1] = 2
// expect pw[1,1] = 37
// expect tr[1,2] = 3
// expect cat2[2,3] = 6
// expect cc[3] = 1
// expect ew[2] = 10
// expect em[2,2] = 0.25
// expect nd = 3
// expect li[3] = 3
// expect dg[2,2] = 5
// expect sc = 7
// expect vv[2] = 2
// expect mm[1,2] = 2
// expect pr = 24
// expect rows[2] = 4
// expect neg[1,1] = -1
// expect last = 4
// expect sl[2] = 3
// expect mn = 1
// expect pm[3] = 6
// expect qq[2,1] = 4
model MatrixOperations
  Real a[3] = {1, 2, 3};
  Real b[3] = {4, 5, 6};
  Real M[2, 2] = [1, 2; 3, 4];
  Real c[3] = cross(a, b);
  Real sk[3, 3] = skew(a);
  Real op[3, 3] = outerProduct(a, b);
  Real sy[2, 2] = symmetric(M);
  Real d = a * b;
  Real inv[2];
  Real pw[2, 2] = M^3;
  Real tr[2, 2] = transpose(M);
  Real cat2[2, 3] = cat(2, M, [5; 6]);
  Real cc[4] = cat(1, {1}, {2, 1, 5}) + {0, 0, 0, 0};
  Real ew[3] = a .* b;
  Real em[2, 2] = 1 ./ M;
  Integer nd = ndims(zeros(1, 2, 3));
  Real li[5] = linspace(1, 5, 5);
  Real dg[3, 3] = diagonal({4, 5, 6});
  Real sc = scalar({{7}});
  Real vv[3] = vector([1; 2; 3]);
  Real mm[3, 2] = [a, {2, 2, 2}];
  Real pr = product(M);
  Real rows[2] = M[2, {1, 2}] + {0, 0};
  Real neg[2, 2] = -M;
  Real last = M[end, end];
  Real sl[2] = a[2:end];
  Real mn = min(M);
  Real pm[3] = promote_(a) * {6};
  Real qq[2, 2] = [M[:, 2], M[:, 1]];
  function promote_
    input Real v[:];
    output Real m[size(v, 1), 1] = matrix(v / 3);
  algorithm
  end promote_;
equation
  M * inv = {2 + 2 * 0, 6};
end MatrixOperations;
