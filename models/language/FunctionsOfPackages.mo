// SPDX-License-Identifier: Apache-2.0
// Functions redeclared in packages that other functions call.
// expect a = 6
// expect b = 12
// expect c = 3
model FunctionsOfPackages
  package Base
    replaceable partial function f
      input Real x;
      output Real y;
    end f;
    function twice
      input Real x;
      output Real y = f(f(x));
    algorithm
    end twice;
  end Base;
  package Dbl
    extends Base;
    redeclare function extends f
    algorithm
      y := 2 * x;
    end f;
  end Dbl;
  package Inc = Base(redeclare function f = inc);
  function inc
    input Real x;
    output Real y = x + 1;
  algorithm
  end inc;
  replaceable package P = Dbl constrainedby Base;
  Real a = P.f(3);
  Real b = Dbl.twice(3);
  Real c = Inc.twice(1);
end FunctionsOfPackages;
