// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
model Spring "Linear spring; its force is k times the length by which it is pressed together"
  extends Interfaces.TwoFlanges;
  import Alembert.Units.*;
  parameter TranslationalStiffness k = 1 "stiffness";
  parameter Length delta_s_start = 0 "by which it is pressed together at the start";
  Length delta_s(start = delta_s_start, fixed = true) "by which it is pressed together";
equation
  assert(k >= 0, "the stiffness of a spring must not be negative");
  der(delta_s) = flange_a.v - flange_b.v;
  f = k*delta_s;
end Spring;
