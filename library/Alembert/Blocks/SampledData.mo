// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block SampledData "Measured values at equal distances in time, and what lies between them"
  import Alembert.Units.*;
  parameter Real data[:] = {0, 0} "the first one at time 0";
  parameter Time dt = 1 "between samples";
  parameter Boolean circular = false "true: again from the first after the last; false: holds the last";
  parameter Boolean smooth_curve = true "a curve with continuous slope (Akima), whose derivatives are those of the data; false: straight lines";
  Interfaces.RealOutput y;
protected
  class Curve "Interpolation"
    extends ExternalObject;
    function constructor
      input Real table[:, 2];
      input Integer smoothness;
      input Integer extrapolation;
      output Curve curve;
    external "C" curve = ModelicaStandardTables_CombiTable1D_init3("NoName", "NoName", table, size(table, 1), 2, {2}, 1, smoothness, extrapolation, false, ",", 0);
    end constructor;
    function destructor
      input Curve curve;
    external "C" ModelicaStandardTables_CombiTable1D_close(curve);
    end destructor;
  end Curve;

  function value
    input Curve curve;
    input Integer column;
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(curve, column, u);
  end value;
  final parameter Integer n = size(data, 1);
  final parameter Integer n_points = if circular then n + 1 else n;
  final parameter Real points[n_points, 2] = {{(i - 1)*dt, data[mod(i - 1, n) + 1]} for i in 1:n_points};
  parameter Curve curve = Curve(points, if smooth_curve then 2 else 1, if circular then 3 else 1);
equation
  assert(n >= 2, "sampled data are two values or more");
  y = value(curve, 1, time);
end SampledData;
