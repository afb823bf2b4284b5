// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model Filters "Lags, filters and a controller, fed with a step and with a ramp"
  Constant one(k = 1);
  TimeFunction ramp(y = time);
  FirstOrder lag(k = 2, T = 0.5);
  SecondOrder ringing(w = 10, D = 0.2);
  StateSpace same(A = [0, 1; -100, -4], B = [0; 100], C = [1, 0]) "as 'ringing', by matrices";
  LowPass butterworth(n = 3, frequency = 1);
  Derivative slope(k = 3, T = 0.1);
  PID controller(k = 2, Ti = 0.5, Td = 0.2, Nd = 10, wd = 1);
  PID limited(k = 2, Ti = 0.5, y_max = 3) "against its limit";
  Constant zero(k = 0);
equation
  connect(one.y, lag.u);
  connect(one.y, ringing.u);
  connect(one.y, same.u[1]);
  connect(one.y, butterworth.u);
  connect(ramp.y, slope.u);
  connect(ramp.y, controller.u_s);
  connect(zero.y, controller.u_m);
  connect(one.y, limited.u_s);
  connect(zero.y, limited.u_m);
  annotation(experiment(StopTime = 4, Tolerance = 1e-9),
    __Alembert(plot = {lag.y, ringing.y, butterworth.y, slope.y}));
end Filters;
