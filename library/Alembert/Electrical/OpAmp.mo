// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model OpAmp "Operational amplifier: large gain, limited output, no input current"
  import Alembert.Units.*;
  parameter Real gain = 1e5 "without feedback";
  parameter Voltage V_max = 15 "of the output";
  parameter Resistance R_out = 0 "resistance of the output";
  Interfaces.Pin in_p "not inverting";
  Interfaces.Pin in_n "inverting";
  Interfaces.Pin out;
  Voltage v_in "from in_n to in_p";
  Real drive(start = 0) "of the output: 0 in the middle, far beyond 1 at its limits";
equation
  assert(gain > 0 and V_max > 0 and R_out >= 0, "gain and V_max must be positive, R_out not negative");
  in_p.i = 0;
  in_n.i = 0;
  v_in = in_p.v - in_n.v;
  v_in = V_max/gain*drive;
  out.v = V_max*tanh(drive) + R_out*out.i;
end OpAmp;
