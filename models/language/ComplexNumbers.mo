// SPDX-License-Identifier: Apache-2.0
// Complex without any library.
// expect a.re = -5
// expect a.im = 10
// expect b.re = 5
// expect s.re = 6
// expect m[2].im = 4
// expect p.re = -3
// expect e = 1
// expect z.im = 1
// expect d.re = 0.44
// expect w[1].re = 1
// expect q.re = 0.25
// expect ok = 1
model ComplexNumbers
  Complex a = Complex(1, 2) * Complex(3, 4);
  Complex b = Complex(3, 4) + 2;
  Complex v[3] = {Complex(i, 2 * i) for i in 1:3};
  Complex s = sum(v);
  Complex m[3] = v;
  Complex p = Complex(1, 2)^2;
  Boolean e = Complex(1, 2) == Complex(1, 2);
  Complex z(re(start = 0, fixed = true), im(start = 0, fixed = true));
  Complex d = Complex(1, 2) / Complex(3, 4);
  Complex w[2] = {Complex(1), -Complex(0, 1)};
  Complex q = Complex(2, 0)^(-2);
  Complex u = Complex(1, 1) * 2 - 1;
  parameter Boolean ok = String(Complex(1, -2)) == "1 - 2*j" and Complex(1) <> Complex(0, 1);
equation
  der(z.re) = 0;
  der(z.im) = 1;
end ComplexNumbers;
