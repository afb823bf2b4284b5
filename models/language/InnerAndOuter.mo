// SPDX-License-Identifier: Apache-2.0
// inner redeclared, nested, and for functions.
// expect x.y = 3
// expect m.sub.y = 30
// expect m.sub.d.y = 300
// expect f = 8
// expect uf.part.q = 10
model InnerAndOuter
  partial function fp
    input Real u;
    output Real y;
  end fp;
  model World
    parameter Real g = 1;
    replaceable Real k = 3;
  end World;
  model BigWorld
    extends World(g = 10);
    Real extra = 5;
  end BigWorld;
  model Use
    outer World world;
    Real y = world.g * world.k;
  end Use;
  model Deep
    inner World world(g = 100);
    Use d2;
    Real y = d2.y;
  end Deep;
  model Sub
    outer World world;
    Real y = world.g * 3;
    Deep d;
  end Sub;
  model Mid
    inner replaceable World world;
    Sub sub;
  end Mid;
  model UseF
    outer function ff = fp;
    Real y = ff(2);
    outer model Shape = AnyShape;
    Shape part;
  end UseF;
  partial model AnyShape
    Real q;
  end AnyShape;
  model Square
    extends AnyShape(q = 10);
  end Square;
  inner model Shape = Square;
  function cube
    extends fp;
  algorithm
    y := u^3;
  end cube;
  inner World world;
  inner function ff = cube;
  Use x;
  UseF uf;
  Mid m(redeclare BigWorld world);
  Real f = uf.y;
end InnerAndOuter;
