// SPDX-License-Identifier: Apache-2.0
// Recursion without an end is told.
// error M210
model EndlessRecursion
  function f
    input Integer n;
    output Integer r;
  algorithm
    r := f(n + 1);
  end f;
  Integer a = f(1);
end EndlessRecursion;
