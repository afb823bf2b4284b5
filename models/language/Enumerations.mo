// SPDX-License-Identifier: Apache-2.0
// Enumerations and Booleans as subscripts, dimensions and ranges.
// expect k[1] = 10
// expect s = 60
// expect i = 2
// expect t = 20
// expect bs = 3
// expect u = 2
// expect next = 3
// expect m = 200
// expect cmp = 1
model Enumerations
  type E = enumeration(red "r", green, blue);
  parameter E e = E.green;
  Real k[E] = {10, 20, 30};
  Real s = sum(k[c] for c in E);
  Integer i = Integer(e);
  Real t = k[e];
  Real b[Boolean] = {1, 3};
  Real bs = b[true];
  Real u = sum(1 for c in E.green:E.blue);
  E next = E(3);
  Real mm[E, Boolean] = {{1, 2}, {100, 200}, {5, 6}};
  Real m = mm[E.green, true];
  Boolean cmp = E.red < E.blue and e <> E.red and max(E.red, E.blue) == E.blue and String(E.green) == "green";
  E changing(start = E.red);
algorithm
  when time > 0.5 then
    changing := E.blue;
  end when;
end Enumerations;
