// SPDX-License-Identifier: Apache-2.0
model BuckConverter "A switch and a diode cut 24 V down: two ideal elements, 400 events"
  parameter Real V(unit = "V") = 24 "supply";
  parameter Real duty = 0.4 "share of each period in which the switch is closed";
  parameter Real period(unit = "s") = 1e-4;
  parameter Real L(unit = "H") = 1e-3, C(unit = "F") = 1e-4, R(unit = "Ohm") = 8;
  Boolean closed(start = true, fixed = true) "the switch";
  Boolean conducts "the diode";
  Real s "curve parameter of the diode: current while it conducts, voltage while it does not";
  Real i(start = 0, fixed = true, unit = "A") "through the coil";
  Real u(start = 0, fixed = true, unit = "V") "at the load";
  Real w(unit = "V") "between switch, diode and coil";
  Real supply(unit = "A") "through the switch";
equation
  when sample(0, period) then
    closed = true;
  elsewhen sample(duty*period, period) then
    closed = false;
  end when;
  conducts = s > 0;
  w = if conducts then -1e-6*s else -s;
  i = supply + (if conducts then s else 1e-6*s);
  0 = if closed then V - w - 1e-3*supply else supply - 1e-6*(V - w);
  L*der(i) = w - u;
  C*der(u) = i - u/R;
  annotation(experiment(StopTime = 0.02));
end BuckConverter;
