// SPDX-License-Identifier: Apache-2.0
// Imports of every form, of a value of an enumeration too, encapsulated, names from the top.
// model ImportsAndLookup.Outer.Test
// expect a = 2
// expect b = 2
// expect c = 3
// expect d = 14
// expect e = 5
// expect ff = 100
// expect g = 6
// expect i = 2
package ImportsAndLookup
  constant Real k = 1;
  package Lib
    constant Real k = 2;
    package Sub
      constant Real m = 3;
      function f
        input Real x;
        output Real y = x + k;
      algorithm
      end f;
    end Sub;
    model Switched
      type Kind = enumeration(first, second);
      parameter Kind kind = Kind.first;
    end Switched;
    function sq
      input Real x;
      output Real y = x^2;
    algorithm
    end sq;
  end Lib;
  encapsulated package Caps
    import ImportsAndLookup.Lib;
    import S = ImportsAndLookup.Lib.Sub;
    constant Real v = Lib.k * S.m;
  end Caps;
  package Outer
    import ImportsAndLookup.Lib.*;
    import ImportsAndLookup.Lib.Sub.{m, f};
    constant Real h = 10;
    model Test
      import L = ImportsAndLookup.Lib;
      import ImportsAndLookup.Lib.Switched.Kind.second;
      L.Switched switched(kind = second);
      Real a = k;
      Real b = L.k;
      Real c = m;
      Real d = f(12);
      Real e = sq(2) + 1;
      Real ff = .ImportsAndLookup.Outer.h^2;
      Real g = Caps.v;
      Real i = Integer(switched.kind);
    end Test;
  end Outer;
end ImportsAndLookup;
