// SPDX-License-Identifier: Apache-2.0
operator record Complex "A complex number; the Modelica Standard Library, where it is loaded, brings its own"
  Real re "Real part";
  Real im "Imaginary part";

  encapsulated operator 'constructor' "Made from Reals"
    import Complex;
    function fromReal "From a real part, and an imaginary part that is 0 if it is not given"
      input Real re "Real part";
      input Real im = 0 "Imaginary part";
      output Complex result(re = re, im = im);
    algorithm
      annotation(Inline = true);
    end fromReal;
  end 'constructor';

  encapsulated operator function '0' "The sum of nothing"
    import Complex;
    output Complex result;
  algorithm
    result := Complex(0, 0);
    annotation(Inline = true);
  end '0';

  encapsulated operator function '+' "Sum"
    import Complex;
    input Complex a;
    input Complex b;
    output Complex result;
  algorithm
    result := Complex(a.re + b.re, a.im + b.im);
    annotation(Inline = true);
  end '+';

  encapsulated operator '-' "Difference, and the number with the other sign"
    import Complex;
    function negate
      input Complex a;
      output Complex result;
    algorithm
      result := Complex(-a.re, -a.im);
      annotation(Inline = true);
    end negate;
    function subtract
      input Complex a;
      input Complex b;
      output Complex result;
    algorithm
      result := Complex(a.re - b.re, a.im - b.im);
      annotation(Inline = true);
    end subtract;
  end '-';

  encapsulated operator '*' "Product"
    import Complex;
    function multiply
      input Complex a;
      input Complex b;
      output Complex result;
    algorithm
      result := Complex(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
      annotation(Inline = true);
    end multiply;
    function scalarProduct "Of two vectors; neither is conjugated"
      input Complex c1[:];
      input Complex c2[size(c1, 1)];
      output Complex result;
    algorithm
      result := Complex(0, 0);
      for i in 1:size(c1, 1) loop
        result := result + c1[i]*c2[i];
      end for;
    end scalarProduct;
  end '*';

  encapsulated operator function '/' "Quotient"
    import Complex;
    input Complex a;
    input Complex b;
    output Complex result;
  protected
    Real square = b.re^2 + b.im^2;
  algorithm
    result := Complex((a.re*b.re + a.im*b.im)/square, (a.im*b.re - a.re*b.im)/square);
    annotation(Inline = true);
  end '/';

  encapsulated operator function '^' "Power, on the main branch; 0 to any power but 0 is 0"
    import Complex;
    input Complex a;
    input Complex b;
    output Complex result;
  protected
    Real square = a.re^2 + a.im^2;
    Real logarithm = if square > 0 then log(square)/2 else 0;
    Real angle = if square > 0 then atan2(a.im, a.re) else 0;
    Real magnitude = exp(b.re*logarithm - b.im*angle);
    Real turned = b.im*logarithm + b.re*angle;
    Boolean is_zero = square <= 0 and b.re^2 + b.im^2 > 0;
  algorithm
    result := if is_zero then Complex(0, 0) else Complex(magnitude*cos(turned), magnitude*sin(turned));
  end '^';

  encapsulated operator function '==' "Both parts are equal"
    import Complex;
    input Complex a;
    input Complex b;
    output Boolean result = a.re == b.re and a.im == b.im;
  algorithm
    annotation(Inline = true);
  end '==';

  encapsulated operator function '<>' "The parts are not both equal"
    import Complex;
    input Complex a;
    input Complex b;
    output Boolean result = a.re <> b.re or a.im <> b.im;
  algorithm
    annotation(Inline = true);
  end '<>';

  encapsulated operator function 'String' "As a + b*j"
    import Complex;
    input Complex a;
    input String name = "j" "What the imaginary unit is called";
    input Integer significantDigits = 6;
    output String text;
  algorithm
    text := String(a.re, significantDigits = significantDigits);
    if a.im <> 0 then
      text := text + (if a.im > 0 then " + " else " - ") +
        String(abs(a.im), significantDigits = significantDigits) + "*" + name;
    end if;
  end 'String';
  annotation(Documentation(info = "<html><p>Complex numbers with the operators of the language, on their own so that they need no library.</p></html>"));
end Complex;
