// SPDX-License-Identifier: Apache-2.0
// An operator record with constructors, arrays and conversions.
// expect a.x = 5
// expect b.x = 12
// expect c[2].y = 8
// expect d.x = 9
// expect s = 5
// expect ok = 1
// expect e[1,2].x = 4
// expect n.x = -1
// expect z.x = 20
model OperatorRecords
  operator record V
    Real x;
    Real y;
    encapsulated operator 'constructor'
      import OperatorRecords.V;
      function fromReal
        input Real r;
        input Real y = 0;
        output V v(x = r, y = y);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator function '0'
      import OperatorRecords.V;
      output V v;
    algorithm
      v := V(0, 0);
    end '0';
    encapsulated operator function '+'
      import OperatorRecords.V;
      input V a;
      input V b;
      output V c;
    algorithm
      c := V(a.x + b.x, a.y + b.y);
    end '+';
    encapsulated operator '-'
      import OperatorRecords.V;
      function neg
        input V a;
        output V c = V(-a.x, -a.y);
      algorithm
      end neg;
      function sub
        input V a;
        input V b;
        output V c = V(a.x - b.x, a.y - b.y);
      algorithm
      end sub;
    end '-';
    encapsulated operator '*'
      import OperatorRecords.V;
      function mul
        input V a;
        input V b;
        output V c;
      algorithm
        c := V(a.x * b.x, a.y * b.y);
      end mul;
      function scale
        input V a;
        input Real k;
        output V c = V(k * a.x, k * a.y);
      algorithm
      end scale;
    end '*';
    encapsulated operator function '=='
      import OperatorRecords.V;
      input V a;
      input V b;
      output Boolean r = a.x == b.x and a.y == b.y;
    algorithm
    end '==';
    encapsulated operator function 'String'
      import OperatorRecords.V;
      input V a;
      output String s = "<" + String(a.x) + ">";
    algorithm
    end 'String';
  end V;
  V a = V(2, 3) + V(3, 4);
  V b = a * V(2) + 2.0;
  V w[2] = {V(1, 2), V(3, 4)};
  V c[2] = w + w;
  V d = sum({V(i, 0) for i in 1:3}) + 3;
  Real s = w[1].x * w[2].x + w[1].y;
  parameter Boolean ok = V(1, 2) == V(1, 2) and String(V(1, 2)) == "<1>";
  V e[2, 2] = [w[1], w[2] + 1; V(1), V(2)];
  V n = -w[1];
  V z = w * w * V(2);
end OperatorRecords;
