// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
package Functions "Laws of fluids and flows"
  import Alembert.Units.*;
  import Alembert.Hydraulic.Interfaces.FluidProperties;

  function regular_power "sign(x) abs(x)^a, smooth at 0"
    input Real x;
    input Real a;
    input Real delta = 0.01 "where it leaves the power";
    output Real y;
  algorithm
    y := x*(x*x + delta*delta)^((a - 1)/2);
  end regular_power;

  function asinh
    input Real x;
    output Real y;
  external "builtin" y = asinh(x);
  end asinh;

  function regular_root "sign(x) sqrt(abs(x)), smooth at 0; solved for x as easily as for y"
    input Real x;
    input Real delta = 0.005 "where it leaves the root: its slope at 0 is 1/sqrt(2 delta)";
    output Real y;
  algorithm
    y := sqrt(2*delta)*sinh(asinh(x/delta)/2);
  end regular_root;

  function liquid_density "Tait and Murnaghan"
    input Pressure p;
    input FluidProperties fluid;
    output Density rho;
  algorithm
    rho := fluid.density*regular_power(1 + fluid.n*p/fluid.bulk_modulus, 1/fluid.n);
  end liquid_density;

  function cavity_density "Below 0 Pa: on a line to the gas, which is far softer than the liquid"
    input Pressure p;
    input FluidProperties fluid;
    output Density rho;
  algorithm
    rho := fluid.density + p*(fluid.density - fluid.gas_density)/(-fluid.gas_pressure);
  end cavity_density;

  function friction_factor "Darcy's, of a smooth duct: laminar, turbulent, and smooth in between"
    input MassFlowRate dm;
    input Area area;
    input Length d_h "hydraulic diameter";
    input DynamicViscosity viscosity;
    input Real shape_factor "friction factor times Reynolds number of laminar flow; 64 in a circle";
    output Real f;
  protected
    Real Re "Reynolds number";
    Real w;
    Real laminar;
    Real turbulent;
  algorithm
    Re := abs(dm)*d_h/(area*viscosity);
    laminar := shape_factor*regular_power(Re, -1, 0.1);
    turbulent := shape_factor/64/(0.79*log(noEvent(max(Re, 2000))) - 1.64)^2;
    w := noEvent(min(1, max(0, (Re - 2000)/1000)));
    f := laminar + w*w*(3 - 2*w)*(turbulent - laminar);
  end friction_factor;
end Functions;
