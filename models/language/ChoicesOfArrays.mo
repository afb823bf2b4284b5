// SPDX-License-Identifier: Apache-2.0
// if with arrays, empty arrays, sizes that a parameter chooses.
// expect a[2] = 4
// expect b[1] = 0
// expect e = 0
// expect n = 0
// expect big[3] = 9
// expect nested = 3
// stop 1
model ChoicesOfArrays
  parameter Boolean sw = false;
  Real a[2] = if time > 0.5 then {3, 4} else {1, 2};
  Real b[:] = if sw then {1, 2, 3} else zeros(2);
  Real z[0];
  Real zz[:] = fill(1.0, 0);
  Real e = sum(zz);
  Integer n = size(zz, 1);
  Real big[3];
  Real nested = if time < 0.2 then 1 elseif time < 0.6 then 2 else 3;
equation
  if time > 0.4 then
    big[1:2] = {1, 4};
    big[3] = 9;
  else
    big = {0, 0, 0};
  end if;
end ChoicesOfArrays;
