// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic.Examples;
model LiquidColumn "A pump feeds a column of oil so that the mass on it follows a sine"
  constant Real w = 2*3.14159265358979323846*15;
  constant Units.Acceleration gravity = 9.807;
  constant Units.Mass M = 1e4;
  constant Units.Area A = 0.01;
  constant Units.Density rho_0 = 876;
  constant Units.Pressure beta = 1.2e9;
  Fluid oil(density = rho_0, bulk_modulus = beta, let_gas = false);
  MassFlow pump;
  Volume column(area = A, x_start = 1, p_start = M*gravity/A);
  Translational.Mass load(m = M, g = -gravity, v_start = 0.05*w);
  Blocks.TimeFunction feed(y = rho_0*M/(beta*A)*(-0.05*w^3*cos(w*time))*x_wanted*A
     + rho_0*(1 + M/(beta*A)*(gravity - 0.05*w^2*sin(w*time)))*0.05*w*cos(w*time)*A) "what the path needs, by hand";
  Units.Length x_wanted;
equation
  x_wanted = 1 + 0.05*sin(w*time);
  connect(oil.port, pump.port);
  connect(feed.y, pump.dm);
  connect(pump.port, column.port);
  connect(column.flange, load.flange);
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-9),
    __Alembert(plot = {column.x, x_wanted}));
end LiquidColumn;
