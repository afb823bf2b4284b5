// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model DynamicVolume "A chamber behind a moving wall, of N pieces along the stroke, with a cushion at its end"
  import Alembert.Units.*;
  parameter Integer N(min = 0) = 0 "pieces; 0: the chamber as one";
  parameter Boolean add_inertia = true "the liquid has inertia";
  parameter Boolean reversible = false "no cushion";
  parameter Pressure p_start = 0 "pressure at the start";
  parameter Area area = 0.01 "cross section";
  parameter Length x_start = 0 "length of the chamber";
  parameter Length x_max = 1 "stroke";
  parameter Length x_min = 0 "where the port is shut";
  parameter Length x_damp = x_min "where it begins to shut";
  parameter Integer direction = 1 "in which the chamber grows: 1 with the flange, -1 against it";
  parameter Length perimeter = 2*sqrt(3.14159265358979323846*area) "wetted";
  parameter Real shape_factor = 64 "64 for a circle";
  parameter Real head_factor = 1 "more than 1: losses of bends and fittings";
  parameter Real Cd = 100 "loss coefficient of the cushion, out of the chamber";
  parameter Real Cd_reverse = Cd "into the chamber";
  parameter Area minimum_area = 5e-9 "through which a shut cushion leaks";
  parameter Length least_length = 1e-6 "an empty piece still stores so much, so that its density is determined";
  parameter Length damped_length = 5*least_length "shorter pieces have the inertia of this one, and the flow goes past it";
  Interfaces.Port port(p(start = p_start));
  Translational.Interfaces.Flange flange(f(start = -direction*p_start*area));
  Length x(start = x_start, fixed = true) "length of the chamber";
  Units.Volume vol(start = x_start*area);
  Internal.ValveBase damper(reversible = reversible, p_a_start = p_start, p_b_start = p_start, area_start = 1,
    Cd = Cd, Cd_reverse = Cd_reverse, minimum_area = minimum_area) "cushion; 1 m2 is fully open";
  Internal.TubeBase p[N](each add_inertia = add_inertia, each p_start = p_start, each area = area,
    each perimeter = perimeter, each shape_factor = shape_factor, each head_factor = head_factor,
    each damped_length = damped_length,
    is_damped = {i > 1 for i in 1:N});
  Internal.VolumeBase v[N](each stores = true, each moves = false, each p_start = p_start, each area = area,
    each least_length = least_length, dead_volume = {area*(if x_start > i*step then step else max(x_start - (i - 1)*step, 0)) for i in 1:N});
  Internal.VolumeBase moving_volume(stores = N == 0, moves = true, p_start = p_start, area = area,
    dead_volume = if N == 0 then area*x_start else 0) "at the wall";
protected
  final parameter Length step = x_max/max(N, 1);
  constant Area wide_open = 1;
equation
  assert(area > 0, "the area of a piston must be positive");
  assert(x_max > 0, "the stroke must be positive");
  assert(0 <= x_min and x_min <= x_damp and x_damp <= x_max, "x_min, x_damp and x_max must rise from 0");
  assert(0 <= x_start and x_start <= x_max, "a chamber starts with a length between 0 and x_max");
  assert(least_length > 0 and damped_length > 0, "least_length and damped_length must be positive");
  assert(direction == 1 or direction == -1, "direction must be 1 or -1");
  vol = x*area;
  der(x) = direction*flange.v;
  damper.area = if reversible then wide_open else if x >= x_damp then wide_open else if x > x_min then wide_open*((x - x_min)/(x_damp - x_min)) else 0;
  moving_volume.dx = direction*flange.v;
  flange.f = -direction*area*moving_volume.port.p;
  for i in 1:N loop
    v[i].dx = if vol >= (i - 1)*step*area and not vol >= i*step*area then direction*flange.v else 0;
    p[i].x = v[i].vol/area;
  end for;
  connect(port, damper.port_b);
  if N == 0 then
    connect(moving_volume.port, damper.port_a);
  else
    connect(moving_volume.port, v[N].port);
    connect(moving_volume.port, p[N].port_a);
    for i in 1:N - 1 loop
      connect(v[i].port, p[i + 1].port_b);
      connect(v[i].port, p[i].port_a);
    end for;
    connect(p[1].port_b, damper.port_a);
  end if;
end DynamicVolume;
