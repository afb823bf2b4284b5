// SPDX-License-Identifier: Apache-2.0
// A text that uses every rule of the grammar at least once.
#pragma once

namespace alembert::modelica {

inline constexpr const char* every_construct = R"modelica(within Root.Sub;
encapsulated package Everything "a package" + " in pieces"
  import A.B;
  import X = A.B "renamed";
  import A.B.{C, D};
  import A.B.*;
  extends Base;
  extends .Other.Base(x = 1, break y, break connect(a.b[1], c), final each z(start = 2) = 3)
    annotation(Evaluate = true);
  type Angle = Real(final quantity = "Angle", unit = "rad") "an angle" annotation(absoluteValue);
  type Vector = input Real[3];
  type Empty = enumeration();
  type Open = enumeration(:);
  type Colour = enumeration(red "the first", green annotation(Icon()), 'blue green');
  connector Pin
    Real v;
    flow Real i;
    stream Real h;
  end Pin;
  expandable connector Bus
  end Bus;
  connector In = input Real;
  record Point
    Real x, y[2, :] "two of them";
  end Point;
  operator record Number
    Real re;
    encapsulated operator 'constructor'
      function fromReal
        input Real re;
        output Number result(re = re);
      algorithm
      end fromReal;
    end 'constructor';
    operator function '+' = add;
  end Number;
  partial function shape
    input Real u;
    output Real y;
  end shape;
  pure function f
    extends shape;
    input Integer n = 2;
    output Real z[n];
  protected
    Real t := 0;
  algorithm
    y := u^2;
    z[1] := y;
    (y, , z[2:end]) := g(u, n = 3);
    (y) := f(u);
    print("done");
    if u > 0 then
      y := 1;
    elseif u < 0 and not u == -1 then
      y := 2;
    else
      return;
    end if;
    for i in 1:n, j loop
      while true loop
        break;
      end while;
    end for;
    when initial() then
      y := 0;
    elsewhen {sample(0, 1), u >= 2} then
      y := pre(y);
    end when;
  end f;
  impure function log_it
    external "C" status = log_it(text, size(a, 1), 2.5) annotation(Include = "x");
  end log_it;
  function plain
    external;
  end plain;
  function df = der(f, u, n) "derivative";
  block B
    parameter Integer n(min = 1) = 3 annotation(Dialog(group = "sizes"));
    constant Real[n] c[2] = {{1, 2, 3}, {4, 5, 6}};
    discrete output Boolean b(start = false, fixed = true);
    inner outer World world;
    replaceable model M = N constrainedby P(k = 1) "must be a P" annotation(choices());
    replaceable Pin pin[n](each v(start = 0)) if n > 2 "maybe" constrainedby Pin;
    redeclare final replaceable model extends Inherited(a = 1) "longer"
      Real extra;
    end Inherited;
    M m(redeclare model K = L(x = 1), redeclare each final Real y = 2 "y",
        replaceable package Medium = Air constrainedby Gas, redeclare replaceable Real w,
        a.b.c(d = break), e() = 4, f(g := 5));
    model Inner = .Top.Level;
  public
    Real x;
  protected
    Real p;
  initial equation
    x = 0;
  equation
    der(x) = -x + (if b then 1 elseif n > 2 then 2 else if c > 1 then 3 else 4);
    x .+ 1 = (2 .* x) .^ 2 ./ 3 .- 4;
    connect(pin[1], pin[2]) "wire" annotation(Line(points = {{0, 0}, {1.5e-3, -2}}));
    for i in 1:n - 1, j in {1, 2} loop
      pin[i].v = pin[j].v;
    end for;
    if n == 1 then
      p = 1;
    elseif n <> 2 or b then
      p = 2;
    else
      p = 3;
    end if;
    when x <= 0 then
      reinit(x, -x) "bounce";
    elsewhen time > 1 then
      terminate("enough");
    end when;
    (a, , b) = several(x);
    assert(true, "never", AssertionLevel.warning);
    [1, 2; 3, 4] * {x, p} = {i * j for i in 1:2, j in 1:2} + sum(k for k in 1:2:n) * ones(2);
    (a + b)[1, :] = (f(x)).re;
    y = integrate(function shape(k = 1, h = function g()), from = 0, to = 1);
    y = .Modelica.Math.sin(x) + Complex.'+'(1, 2) + "text \"with\" \\ escapes\n";
  initial algorithm
    p := 9223372036854775807 + 9223372036854775808 + 1e-400;
  algorithm
    p := pure(random());
    annotation(Icon(graphics = {Line(origin = {0, 0})}), experiment(StopTime = 1));
  end B;
  class C
  end C;
end Everything;
)modelica";

}  // namespace alembert::modelica
