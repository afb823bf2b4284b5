// SPDX-License-Identifier: Apache-2.0
// Components and models redeclared, constraining classes, arrays of them.
// model Redeclarations.Test
// expect a.c.y = 6
// expect b.c.y = 16
// expect d.c.y = 8
// expect e.arr[2].y = 12
// expect f.c.k = 4
// expect g.c.y = 9
package Redeclarations
  partial model Base
    parameter Real k = 1;
    Real y;
  end Base;
  model A
    extends Base;
  equation
    y = 2 * k;
  end A;
  model B
    extends Base(k = 4);
    parameter Real extra = 0;
  equation
    y = k^2 + extra;
  end B;
  model Holder
    replaceable A c(k = 3) constrainedby Base(k = 3);
  end Holder;
  model Arr
    replaceable model M = A constrainedby Base;
    M arr[2](each k = 1);
  end Arr;
  model Nested
    Holder h(redeclare replaceable B c(extra = 1));
  end Nested;
  model Test
    Holder a;
    Holder b(redeclare B c(k = 4));
    Holder d(redeclare A c(k = 4));
    Arr e(redeclare model M = B(extra = 11));
    Holder f(redeclare B c(k = 4));
    Holder g(redeclare B c);
    Nested n(h(redeclare A c));
  end Test;
end Redeclarations;
