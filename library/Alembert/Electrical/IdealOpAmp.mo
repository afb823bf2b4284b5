// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model IdealOpAmp "The output does whatever keeps the inputs equal"
  Interfaces.Pin in_p "not inverting";
  Interfaces.Pin in_n "inverting";
  Interfaces.Pin out;
equation
  in_p.i = 0;
  in_n.i = 0;
  in_p.v = in_n.v;
end IdealOpAmp;
