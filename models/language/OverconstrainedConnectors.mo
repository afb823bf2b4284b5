// SPDX-License-Identifier: Apache-2.0
// Roots, branches and potential roots.
// expect l1.a.r.T[1] = 0
// expect n = 1
model OverconstrainedConnectors
  record Rot
    Real T[2];
    function equalityConstraint
      input Rot R1;
      input Rot R2;
      output Real residue[1];
    algorithm
      residue := {R1.T[1] * R2.T[2] - R1.T[2] * R2.T[1]};
    end equalityConstraint;
  end Rot;
  connector F
    Rot r;
    flow Real f;
  end F;
  model Ground
    F f;
  equation
    Connections.root(f.r);
    f.r.T = {0, 1};
  end Ground;
  model Link
    F a;
    F b;
  equation
    Connections.branch(a.r, b.r);
    a.r.T = b.r.T;
    a.f + b.f = 0;
  end Link;
  model Any
    F f;
    Integer root;
  equation
    Connections.potentialRoot(f.r);
    if Connections.isRoot(f.r) then
      f.r.T = {1, 0};
      root = 1;
    else
      f.f = 0;
      root = 0;
    end if;
  end Any;
  Ground g;
  Link l1;
  Link l2;
  Any alone;
  Integer n = alone.root;
equation
  connect(g.f, l1.a);
  connect(l1.b, l2.a);
end OverconstrainedConnectors;
