// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model ServoActuator "A servo valve drives a piston with a heavy load to its end stop"
  import Alembert.Units.*;
  import Alembert.Hydraulic.*;
  parameter Pressure p_s = 200e5 "supply";
  parameter Pressure p_r = 5e5 "return";
  parameter Area A_1 = 360e-4;
  parameter Area A_2 = 360e-4;
  parameter Pressure p_1 = 45e5;
  parameter Pressure p_2 = 45e5;
  parameter Length l_1 = 0.01;
  parameter Length l_2 = 0.05;
  parameter Alembert.Units.Mass m_f = 250 "of the spool";
  parameter Acceleration g = 0;
  parameter Length d = 0.1 "of the spool";
  parameter Real Cd = 0.01;
  parameter Alembert.Units.Mass m_piston = 880;
  Acceleration ddx(start = 0) "of the load";
  FixedPressure src(p = p_s);
  SpoolValve2Way valve(p_s_start = p_s, p_a_start = p_1, p_b_start = p_2, p_r_start = p_r, m = m_f, g = g,
    x_start = 0, d = d, Cd = Cd);
  Actuator piston(N = 5, p_a_start = p_1, p_b_start = p_2, area_a = A_1, area_b = A_2, length_a_start = l_1,
    length_b_start = l_2, m = m_piston, g = 0, x_start = 0, minimum_volume_a = A_1*1e-3,
    minimum_volume_b = A_2*1e-3, damping_volume_a = A_1*5e-3, damping_volume_b = A_2*5e-3);
  Translational.Mass body(m = 1500, v(fixed = false));
  Tube pipe(N = 5, p_start = p_2, area = A_2, length = 2);
  FixedPressure snk(p = p_r);
  Translational.Position pos;
  FlowDivider m1(p_start = p_2, n = 3);
  FlowDivider m2(p_start = p_2, n = 3);
  Fluid fluid;
  replaceable Blocks.TimeFunction signal(y = 0.9*(if time > 0.015 then (time - 0.015)^2 else 0) - 25*(if time > 0.02 then (time - 0.02)^3 else 0))
    constrainedby Blocks.Interfaces.Signal;
equation
  connect(signal.y, pos.s);
  connect(valve.flange, pos.flange);
  connect(valve.port_a, piston.port_a);
  connect(piston.flange, body.flange);
  connect(piston.port_b, m1.port_a);
  connect(m1.port_b, pipe.port_b);
  connect(pipe.port_a, m2.port_b);
  connect(m2.port_a, valve.port_b);
  connect(src.port, valve.port_s);
  connect(snk.port, valve.port_r);
  connect(fluid.port, src.port);
  connect(fluid.port, snk.port);
  der(body.v) = ddx;
  annotation(experiment(StopTime = 0.05, Tolerance = 1e-6, Interval = 1e-4),
    __Alembert(plot = {piston.x, valve.vSA.x, body.v}, scene = {
      Box(from = {0, 0}, to = {piston.vol_a.x, 0}, width = 0.028, color = {244, 197, 174}),
      Box(from = {piston.vol_a.x, 0}, to = {0.06, 0}, width = 0.028, color = {190, 215, 239}),
      Box(from = {-0.004, 0}, to = {0, 0}, width = 0.036, color = {118, 126, 138}),
      Box(from = {0.06, 0}, to = {0.064, 0}, width = 0.036, color = {118, 126, 138}),
      Box(from = {-0.004, 0.016}, to = {0.064, 0.016}, width = 0.004, color = {118, 126, 138}),
      Box(from = {-0.004, -0.016}, to = {0.064, -0.016}, width = 0.004, color = {118, 126, 138}),
      Box(from = {piston.vol_a.x, 0}, to = {piston.vol_a.x + 0.1, 0}, width = 0.005, color = {84, 92, 104}),
      Box(from = {piston.vol_a.x - 0.002, 0}, to = {piston.vol_a.x + 0.002, 0}, width = 0.028, color = {49, 56, 68}),
      Box(from = {piston.vol_a.x + 0.1, 0}, to = {piston.vol_a.x + 0.135, 0}, width = 0.04, color = {0, 114, 178}),
      Text(at = {piston.vol_a.x + 0.103, 0.024}, text = "load, 1500 kg"),
      Box(from = {0.004, 0.018}, to = {0.004, 0.048}, width = 0.002, color = {213, 94, 0}),
      Box(from = {0.056, 0.018}, to = {0.056, 0.048}, width = 0.002, color = {86, 148, 206}),
      Box(from = {0.004, 0.058}, to = {0.004, 0.074}, width = 0.002, color = {213, 94, 0}),
      Box(from = {0.056, 0.058}, to = {0.056, 0.074}, width = 0.002, color = {86, 148, 206}),
      Text(at = {0.007, 0.072}, text = "200 bar"),
      Text(at = {0.04, 0.072}, text = "5 bar"),
      Box(from = {-0.016, 0.053}, to = {0.076, 0.053}, width = 0.01, color = {214, 219, 226}),
      Box(from = {20*valve.vSA.x - 0.004, 0.053}, to = {20*valve.vSA.x + 0.072, 0.053}, width = 0.003, color = {84, 92, 104}),
      Box(from = {20*valve.vSA.x - 0.004, 0.053}, to = {20*valve.vSA.x + 0.005, 0.053}, width = 0.009, color = {49, 56, 68}),
      Box(from = {20*valve.vSA.x + 0.048, 0.053}, to = {20*valve.vSA.x + 0.057, 0.053}, width = 0.009, color = {49, 56, 68}),
      Text(at = {0.088, 0.053}, text = "spool, moved 20 times as far")}));
end ServoActuator;
