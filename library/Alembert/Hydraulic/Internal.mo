// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
package Internal "What components are made of"
  import Alembert.Units.*;
  import Alembert.Hydraulic.Interfaces.*;
  import Alembert.Hydraulic.Functions.*;

  partial model Duct "Momentum of a plug of liquid: friction and inertia, no storage"
    extends TwoPort(port_a(p(start = p_start)), port_b(p(start = p_start)));
    parameter Boolean add_inertia = true "the liquid has inertia";
    parameter Pressure p_start = 0 "pressure at the start";
    parameter Area area = 0.01 "cross section";
    parameter Length perimeter = 2*sqrt(Modelica_pi*area) "wetted";
    parameter Real head_factor = 1 "more than 1: losses of bends and fittings";
    parameter Real shape_factor = 64 "64 for a circle";
  protected
    constant Real Modelica_pi = 3.14159265358979323846;
    final parameter Length d_h = 4*area/perimeter "hydraulic diameter";
  equation
    assert(area > 0 and perimeter > 0, "area and perimeter of a tube must be positive");
  end Duct;

  function shear "Pressure lost by friction for each metre"
    input MassFlowRate dm;
    input Area area;
    input Length d_h;
    input Real head_factor;
    input Real shape_factor;
    input FluidProperties fluid;
    output Real y(unit = "Pa/m");
  algorithm
    y := 0.5*fluid.density*regular_power(dm/(fluid.density*area), 2)
      *friction_factor(dm, area, d_h, fluid.viscosity, shape_factor)*head_factor/d_h;
  end shear;

  function bypass "What flows past the inertia of an empty piece, for each Pa and m2: enough that waves in it do not
 ring, and that a wall faster than sound in the gas finds a way for what it displaces"
    input FluidProperties fluid;
    output Real y(unit = "s/m");
  protected
    constant Velocity fastest_wall = 100;
  algorithm
    y := sqrt(fluid.density/fluid.bulk_modulus) + fastest_wall*(if fluid.has_gas > 0.5 then
      (fluid.density - fluid.gas_density)/(-fluid.gas_pressure) else 0);
  end bypass;

  model ConstantTube "A tube of given length"
    extends Duct;
    parameter Length length = 1 "length";
    parameter MassFlowRate dm_start = 0 "mass flow at the start, from a to b";
    MassFlowRate dm(start = dm_start, fixed = add_inertia) "from a to b";
    Real ddm(unit = "kg/s2", start = 0);
  equation
    assert(length > 0, "the length of a tube must be positive");
    dm = port_a.dm;
    port_a.p - port_b.p = length*shear(dm, area, d_h, head_factor, shape_factor, port_a.fluid)
      + (if add_inertia then length/area*ddm else 0);
    ddm = if add_inertia then der(dm) else 0;
    annotation(__Alembert(starts_yield = true));
  end ConstantTube;

  model TubeBase "A tube whose length its owner gives"
    extends Duct;
    parameter Boolean is_damped = false "the flow goes past the inertia of what is shorter than damped_length";
    parameter Length damped_length = 5e-6 "what is shorter has the inertia of this one, so that its flow is determined";
    parameter MassFlowRate dm_start = 0 "mass flow at the start, from a to b";
    Length x(start = 0);
    MassFlowRate m(start = dm_start, fixed = add_inertia) "that has inertia";
  equation
    port_a.p - port_b.p = noEvent(max(x, damped_length))*(shear(port_a.dm, area, d_h, head_factor, shape_factor, port_a.fluid)
      + (if add_inertia then der(m)/area else 0));
    port_a.dm = if is_damped then m + area*bypass(port_a.fluid)
      *noEvent(min(1, (damped_length/max(x, damped_length))^4))*(port_a.p - port_b.p) else m;
    annotation(__Alembert(starts_yield = true));
  end TubeBase;

  model VolumeBase "A piece of a chamber: what it stores, or what its wall displaces"
    parameter Boolean stores = true "the density in it changes";
    parameter Boolean moves = true "its wall displaces liquid";
    parameter Pressure p_start = 0 "pressure at the start";
    parameter Length x_start = 0 "position at the start";
    parameter Area area = 0.01 "cross section";
    parameter Volume dead_volume = 0 "volume at x = 0";
    parameter Length least_length = 1e-6 "an empty piece still stores so much, so that its density is determined";
    Port port(p(start = p_start));
    Length x(start = x_start, fixed = true);
    Velocity dx "given by the owner";
    Density rho(start = liquid_density(p_start, port.fluid), fixed = stores);
    Real drho(unit = "kg/(m3.s)", start = 0);
    Alembert.Units.Volume vol(start = dead_volume + area*x_start);
  equation
    vol = dead_volume + area*x;
    der(x) = dx;
    der(rho) = drho;
    rho = if port.fluid.has_gas > 0.5 and not port.p > 0 then cavity_density(port.p, port.fluid)
       else liquid_density(port.p, port.fluid);
    port.dm = (if stores then drho*noEvent(max(vol, area*least_length)) else 0) + (if moves then rho*area*dx else 0);
  end VolumeBase;

  function laminar_range "Of regular_root: a flow that is stopped by a shut valve has no other way to give in, so small
 flows must not take pressures without bounds; where the valve is open, nothing of this is left"
    input Real u(unit = "kg/(m2.s)") "flow that is laminar where the valve is shut, for each m2";
    input Real limit(unit = "kg2/(m4.s2)") "where more than this drives it, it is shut";
    output Real delta(unit = "kg2/(m4.s2)");
  protected
    Real ratio;
  algorithm
    ratio := u*u/limit;
    delta := u*u*ratio*ratio/(1 + ratio*ratio);
  end laminar_range;

  function loss_both_ways "2 rho area^2 dp of a restriction with another loss coefficient for each direction: rises with
 the flow, whatever they are, and bends smoothly where it turns round"
    input MassFlowRate dm;
    input Real delta(unit = "kg2/s2") "below it the flow is laminar";
    input Real Cd;
    input Real Cd_reverse;
    input MassFlowRate dm_turn;
    output Real loss(unit = "kg2/s2");
  protected
    Real square "of dm, with its sign";
  algorithm
    square := dm*sqrt(dm*dm + dm_turn*dm_turn + 2*delta);
    loss := Cd_reverse*square + (Cd - Cd_reverse)*(square + sqrt(square*square + dm_turn^4) - dm_turn^2)/2;
  end loss_both_ways;

  model ValveBase "A turbulent restriction whose area its owner gives: dp = Cd rho u^2 / 2"
    extends TwoPort(port_a(p(start = p_a_start)), port_b(p(start = p_b_start)));
    parameter Boolean reversible = false "a negative area turns the flow round";
    parameter Pressure p_a_start = 0 "pressure at a at the start";
    parameter Pressure p_b_start = 0 "pressure at b at the start";
    parameter Area area_start = 0 "area at the start";
    parameter Area minimum_area = 0 "it is never shut further";
    parameter Real Cd = 1 "loss coefficient from a to b: the larger, the less flows";
    parameter Real Cd_reverse = Cd "from b to a";
    parameter MassFlowRate dm_laminar = 1e-3 "up to which a shut valve leaks in proportion to the pressure";
    parameter Pressure dp_laminar = 1e8 "shut is where dm_laminar would take more than this";
    parameter MassFlowRate dm_turn = 1e-4 "within which one loss coefficient becomes the other where the flow turns round";
    Area area(start = area_start);
    Area y(start = area_start) "in effect";
  protected
    parameter Boolean is_symmetric = Cd == Cd_reverse;
    parameter Boolean leaks = minimum_area > 0 and not reversible;
  equation
    assert(Cd > 0 and Cd_reverse > 0, "loss coefficients of a valve must be positive");
    assert(minimum_area >= 0, "the least area of a valve must not be negative");
    y = if reversible then area else noEvent(max(area, minimum_area));
    if reversible or is_symmetric then
      port_a.dm = y*regular_root(2*port_a.fluid.density*(port_a.p - port_b.p)/Cd,
        0.005 + laminar_range(if leaks then dm_laminar/y else 0, 2*port_a.fluid.density*dp_laminar/Cd));
    else
      2*port_a.fluid.density*y*y*(port_a.p - port_b.p) = loss_both_ways(port_a.dm,
        y*y*(0.005 + laminar_range(if leaks then dm_laminar/y else 0, 2*port_a.fluid.density*dp_laminar/Cd)), Cd, Cd_reverse, dm_turn);
    end if;
  end ValveBase;
end Internal;
