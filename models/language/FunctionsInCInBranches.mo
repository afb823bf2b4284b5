// SPDX-License-Identifier: Apache-2.0
// What is in C is called where its branch is taken only.
// expect a = 0
// expect b = 0.5
// expect c = 3
// expect d = 1
model FunctionsInCInBranches
  function root
    input Real x;
    output Real y;
    external "C" y = alembert_root(x) annotation(Include = "
#include <math.h>
#include \"ModelicaUtilities.h\"
double alembert_root(double x) { if (x < 0) ModelicaFormatError(\"no root of %g\", x); return sqrt(x); }");
  end root;
  function guarded
    input Real x;
    output Real y;
  algorithm
    y := 0;
    if x > 0 then
      y := root(x);
    end if;
  end guarded;
  Real x = 0.25 - time;
  Real a = if x > 0 then root(x) else 0;
  Real b = if x > 0 then 0 else root(0.25);
  Real c = if time > 5 then root(-1) else 3;
  Real d = if noEvent(x > 0) then root(x) else 1 + guarded(x);
end FunctionsInCInBranches;
