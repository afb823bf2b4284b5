// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model ControlledLag "A PID with limits brings two lags to a set point"
  Step set_point(height = 1, start_time = 0.5);
  PID controller(k = 4, Ti = 1.5, Td = 0.3, y_max = 2);
  FirstOrder lag(T = 1);
  FirstOrder sensor(T = 0.3);
equation
  connect(set_point.y, controller.u_s);
  connect(sensor.y, controller.u_m);
  connect(controller.y, lag.u);
  connect(lag.y, sensor.u);
  annotation(experiment(StopTime = 10),
    __Alembert(plot = {lag.y, controller.y}));
end ControlledLag;
