// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Tube "A pipe of N volumes with liquid columns between them"
  import Alembert.Units.*;
  parameter Integer N(min = 1) = 1 "pieces; 1: friction and inertia only, nothing is stored";
  parameter Boolean add_inertia = true "the liquid has inertia";
  parameter Pressure p_start = 0 "pressure at the start";
  parameter MassFlowRate dm_start = 0 "mass flow at the start, from a to b";
  parameter Area area = 0.01 "cross section";
  parameter Length length = 1 "length";
  parameter Length perimeter = 2*sqrt(3.14159265358979323846*area) "wetted";
  parameter Real head_factor = 1 "more than 1: losses of bends and fittings";
  parameter Real shape_factor = 64 "64 for a circle";
  Interfaces.Port port_a(p(start = p_start));
  Interfaces.Port port_b(p(start = p_start));
  Internal.ConstantTube column(add_inertia = add_inertia, p_start = p_start, dm_start = dm_start, area = area, length = length,
    perimeter = perimeter, head_factor = head_factor, shape_factor = shape_factor) if N == 1;
  FixedVolume v[if N > 1 then N else 0](each vol = area*length/N, each p_start = p_start);
  Internal.TubeBase p[N - 1](each add_inertia = add_inertia, each p_start = p_start, each area = area,
    each perimeter = perimeter, each head_factor = head_factor, each shape_factor = shape_factor,
    each dm_start = dm_start);
equation
  assert(length > 0, "the length of a tube must be positive");
  if N == 1 then
    connect(port_a, column.port_a);
    connect(column.port_b, port_b);
  else
    connect(v[1].port, p[1].port_a);
    connect(v[1].port, port_a);
    for i in 2:N - 1 loop
      connect(v[i].port, p[i - 1].port_b);
      connect(v[i].port, p[i].port_a);
    end for;
    connect(v[N].port, p[N - 1].port_b);
    connect(v[N].port, port_b);
    for i in 1:N - 1 loop
      p[i].x = length/(N - 1);
    end for;
  end if;
  annotation(__Alembert(starts_yield = true));
end Tube;
