// SPDX-License-Identifier: Apache-2.0
// spatialDistribution is refused.
// error spatialDistribution
// error TransportOfFields.mo:10:
model TransportOfFields
  Real a;
  Real b;
  Real x = time;
equation
  (a, b) = spatialDistribution(1, 2, x, true, {0, 1}, {0, 0});
end TransportOfFields;
