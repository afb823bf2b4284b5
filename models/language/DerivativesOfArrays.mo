// SPDX-License-Identifier: Apache-2.0
// der of arrays, of records and of arrays of records.
// expect r.p[2] = 2
// expect x[2,1] = 3
// expect pos.x = 1
// expect v[1] = 0.5
// expect s.q[2].x = 4
// stop 1
model DerivativesOfArrays
  record P
    Real x(start = 0, fixed = true);
    Real y(start = 0, fixed = true);
  end P;
  record R
    Real p[2](each start = 0, each fixed = true);
  end R;
  record S
    P q[2];
  end S;
  R r;
  P pos;
  Real x[2, 2](each start = 0, each fixed = true);
  S s;
  Real v[2];
  Real acc[2] = der(v);
equation
  der(r.p) = {1, 2};
  der(x) = [1, 2; 3, 4];
  der(pos.x) = 1;
  der(pos.y) = 2;
  v = if time < 0 then {1, 2} * time else {time / 2, 0} * 1;
  der(s.q.x) = {3, 4};
  der(s.q.y) = {3, 4};
end DerivativesOfArrays;
