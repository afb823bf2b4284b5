// SPDX-License-Identifier: Apache-2.0
// Packages redeclared inside of packages.
// model PackagesInPackages.Test
// expect a.y = 6
// expect b.y = 42
// expect c.y = 1005
package PackagesInPackages
  package Iface
    replaceable package Inner
      constant Real k = 2;
      replaceable function f
        input Real x;
        output Real y;
      algorithm
        y := k * x;
      end f;
    end Inner;
    constant Integer n = 3;
  end Iface;
  package Special
    extends Iface(redeclare package Inner = Other);
  end Special;
  package Other
    extends Iface.Inner(k = 14);
  end Other;
  package Third
    extends Iface(n = 5);
    redeclare package extends Inner
      redeclare function extends f
      algorithm
        y := 1000 + x + 2 * k - 2;
      end f;
    end Inner;
  end Third;
  model Block
    replaceable package P = Iface constrainedby Iface;
    Real x[P.n] = fill(3, P.n);
    Real y = P.Inner.f(x[P.n]);
  end Block;
  model Test
    Block a;
    Block b(redeclare package P = Special);
    Block c(redeclare package P = Third);
  end Test;
end PackagesInPackages;
