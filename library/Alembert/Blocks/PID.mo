// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block PID "Controller with limits; its integral does not wind up behind them"
  import Alembert.Units.*;
  parameter Real k = 1 "gain of all";
  parameter Time Ti = 1 "of the integral";
  parameter Time Td = 0 "of the derivative";
  parameter Real Nd = 10 "the derivative is filtered with Td/Nd";
  parameter Real y_max = 1e60 "upper limit of the output";
  parameter Real y_min = -y_max "lower limit of the output";
  parameter Real wp = 1 "part of the set point in the proportional term";
  parameter Real wd = 0 "part of the set point in the derivative";
  parameter Time Tt = if Td > 0 then sqrt(Ti*Td) else Ti/2 "in which a wound-up integral is brought back";
  parameter Real xi_start = 0 "integral at the start";
  Interfaces.RealInput u_s "set point";
  Interfaces.RealInput u_m "measured";
  Interfaces.RealOutput y;
  Real v "before the limits";
  Real xi(start = xi_start, fixed = true) "integral";
  Real d "derivative";
protected
  parameter Boolean has_derivative = Td > 0;
  Real xd[if has_derivative then 1 else 0];
initial equation
  if has_derivative then
    xd[1] = wd*u_s - u_m;
  end if;
equation
  assert(Ti > 0 and Tt > 0 and Td >= 0 and Nd > 0, "the times of a PID must be positive (Td may be 0), and so must Nd");
  assert(k <> 0, "the gain of a PID must not be 0");
  assert(y_max > y_min, "y_max must be above y_min");
  if has_derivative then
    der(xd[1]) = (wd*u_s - u_m - xd[1])*Nd/Td;
    d = Nd*(wd*u_s - u_m - xd[1]);
  else
    d = 0;
  end if;
  v = k*(wp*u_s - u_m + xi + d);
  y = smooth(0, if v > y_max then y_max else if v < y_min then y_min else v);
  der(xi) = (u_s - u_m)/Ti + (y - v)/(k*Tt);
end PID;
