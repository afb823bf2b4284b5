// SPDX-License-Identifier: Apache-2.0
// Several base classes, each modified.
// expect y = 5
// expect z = 6
// expect u = 3
model SeveralBases
  partial model B1
    Real y;
    parameter Real k = 1;
  end B1;
  partial model B2
    Real z;
    parameter Real k = 1;
  end B2;
  model D
    extends B1(k = 5);
  equation
    y = k;
  end D;
  model DD
    extends D;
    extends Base3(u = 3);
    Real z = y + 1;
  end DD;
  model Base3
    Real u;
  end Base3;
  extends DD;
end SeveralBases;
