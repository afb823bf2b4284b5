// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model Diode "Shockley's law, continued as a line where the current grows beyond reason"
  import Alembert.Units.*;
  extends Interfaces.OnePort(v(start = v_start));
  parameter Current Is = 1e-12 "saturation";
  parameter Real ideality = 1 "emission coefficient: 1 to 2";
  parameter Voltage Vt = 0.02585 "thermal voltage at 300 K";
  parameter Resistance R_parallel = 1e9 "leaks past the junction";
  parameter Capacitance C_junction = 0 "0: none";
  parameter Voltage v_start = 0 "voltage at the start, where C_junction is charged";
  parameter Real max_exponent = 40 "of the exponential function";
protected
  parameter Boolean has_capacitance = C_junction > 0;
equation
  assert(C_junction >= 0, "a capacitance must not be negative");
  assert(Is > 0 and Vt > 0 and ideality > 0 and R_parallel > 0, "Is, Vt, ideality and R_parallel of a diode must be positive");
  i = smooth(1, if v/(ideality*Vt) < max_exponent then Is*(exp(v/(ideality*Vt)) - 1)
     else Is*(exp(max_exponent)*(1 + v/(ideality*Vt) - max_exponent) - 1)) + v/R_parallel
    + (if has_capacitance then C_junction*der(v) else 0);
end Diode;
