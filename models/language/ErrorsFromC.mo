// SPDX-License-Identifier: Apache-2.0
// What a function in C says when it gives up ends the run.
// error no root of -
// error 'root' ends with an error
model ErrorsFromC
  function root
    input Real x;
    output Real y;
    external "C" y = alembert_root(x) annotation(Include = "
#include <math.h>
#include \"ModelicaUtilities.h\"
double alembert_root(double x) { if (x < 0) ModelicaFormatError(\"no root of %g\", x); return sqrt(x); }");
  end root;
  Real x(start = 1, fixed = true);
equation
  der(x) = -1 - root(0.25 - time);
end ErrorsFromC;
