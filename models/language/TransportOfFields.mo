// SPDX-License-Identifier: Apache-2.0
// What enters a pipe leaves it when it has moved through all of it.
// expect a = 1
// expect b = 2.25
// stop 3
model TransportOfFields
  Real a "at the end where the flow enters";
  Real b "at the other end: what entered when x was 1 less";
  Real x(start = 0, fixed = true);
equation
  der(x) = 0.5;
  (a, b) = spatialDistribution(if time < 2 then 2 + time/4 else 1, 0, x, true, {0, 1}, {5, 3});
end TransportOfFields;
