// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Actuator "A piston between two chambers"
  import Alembert.Units.*;
  parameter Integer N(min = 0) = 0 "pieces of each chamber along the stroke";
  parameter Boolean add_inertia = true "the liquid has inertia";
  parameter Boolean reversible = false "no cushions";
  parameter Pressure p_a_start = 0 "pressure at a at the start";
  parameter Pressure p_b_start = 0 "pressure at b at the start";
  parameter Area area_a = 0.01 "of the piston in chamber a";
  parameter Area area_b = 0.01 "of the piston in chamber b";
  parameter Length perimeter_a = 2*sqrt(3.14159265358979323846*area_a) "wetted";
  parameter Length perimeter_b = 2*sqrt(3.14159265358979323846*area_b) "wetted";
  parameter Length length_a_start = 0.5 "of chamber a; both together are the stroke";
  parameter Length length_b_start = 0.5 "of chamber b";
  parameter Real shape_factor_a = 64 "64 for a circle";
  parameter Real shape_factor_b = 64 "64 for a circle";
  parameter Real head_factor_a = 1 "more than 1: other losses in chamber a";
  parameter Real head_factor_b = 1 "more than 1: other losses in chamber b";
  parameter Units.Mass m = 1 "of the piston";
  parameter Acceleration g = 0 "along the piston";
  parameter Length x_start = 0 "what the position of the piston is called at the start";
  parameter Units.Volume minimum_volume_a = 0 "at which the port of a is shut";
  parameter Units.Volume minimum_volume_b = 0 "at which the port of b is shut";
  parameter Units.Volume damping_volume_a = minimum_volume_a "at which the port of a begins to shut";
  parameter Units.Volume damping_volume_b = minimum_volume_b "at which the port of b begins to shut";
  parameter Real Cd = 1e4 "loss coefficient of the cushions, out of a chamber";
  parameter Real Cd_reverse = Cd "into a chamber";
  parameter Length least_length = 1e-6 "an empty piece of a chamber still stores so much";
  Interfaces.Port port_a(p(start = p_a_start));
  Interfaces.Port port_b(p(start = p_b_start));
  Translational.Interfaces.Flange flange;
  Length x(start = x_start, fixed = true) "position";
  Velocity dx;
  DynamicVolume vol_a(N = N, add_inertia = add_inertia, reversible = reversible, direction = 1, p_start = p_a_start,
    area = area_a, x_start = length_a_start, x_max = length_a_start + length_b_start,
    x_min = minimum_volume_a/area_a, x_damp = damping_volume_a/area_a, perimeter = perimeter_a,
    shape_factor = shape_factor_a, head_factor = head_factor_a, Cd = Cd, Cd_reverse = Cd_reverse,
    least_length = least_length);
  DynamicVolume vol_b(N = N, add_inertia = add_inertia, reversible = reversible, direction = -1, p_start = p_b_start,
    area = area_b, x_start = length_b_start, x_max = length_a_start + length_b_start,
    x_min = minimum_volume_b/area_b, x_damp = damping_volume_b/area_b, perimeter = perimeter_b,
    shape_factor = shape_factor_b, head_factor = head_factor_b, Cd = Cd, Cd_reverse = Cd_reverse,
    least_length = least_length);
  Translational.Mass mass(m = m, g = g);
equation
  connect(vol_a.port, port_a);
  connect(vol_b.port, port_b);
  connect(vol_a.flange, vol_b.flange);
  connect(vol_a.flange, mass.flange);
  connect(vol_a.flange, flange);
  der(x) = dx;
  dx = vol_a.flange.v;
end Actuator;
