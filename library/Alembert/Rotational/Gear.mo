// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
model Gear "An ideal gear: a turns 'ratio' times as fast as b"
  parameter Real ratio = 1 "turns of a for one of b";
  Interfaces.Flange flange_a;
  Interfaces.Flange flange_b;
equation
  assert(ratio <> 0, "the ratio of a gear must not be 0");
  flange_a.w = ratio*flange_b.w;
  0 = ratio*flange_a.tau + flange_b.tau;
end Gear;
