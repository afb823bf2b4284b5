// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Transformer "Two coupled coils"
  import Alembert.Units.*;
  parameter Inductance L1 = 1 "inductance of the first coil";
  parameter Inductance L2 = 1 "inductance of the second coil";
  parameter Real k = 0.95 "how well they are coupled";
  Interfaces.Pin p1, n1, p2, n2;
  Voltage v1, v2;
  Current i1(start = 0, fixed = true), i2(start = 0, fixed = true);
protected
  final parameter Inductance M = k*sqrt(L1*L2);
equation
  assert(L1 > 0 and L2 > 0, "inductances must be positive");
  assert(abs(k) < 1, "the coupling of two coils lies between -1 and 1");
  v1 = p1.v - n1.v;
  v2 = p2.v - n2.v;
  i1 = p1.i;
  i2 = p2.i;
  p1.i + n1.i = 0;
  p2.i + n2.i = 0;
  v1 = L1*der(i1) + M*der(i2);
  v2 = M*der(i1) + L2*der(i2);
end Transformer;
