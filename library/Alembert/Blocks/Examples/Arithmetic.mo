// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model Arithmetic "Signals added, compared, multiplied and limited"
  TimeFunction a(y = sin(time));
  TimeFunction b(y = time/2);
  Add weighted(k1 = 2, k2 = -0.5);
  Feedback difference;
  Gain gain(k = -3);
  Product product;
  Limiter limiter(u_max = 0.5, u_min = -0.25);
  DeadZone dead_zone(u_max = 0.5, u_min = -0.25);
equation
  connect(a.y, weighted.u1);
  connect(b.y, weighted.u2);
  connect(a.y, difference.u1);
  connect(b.y, difference.u2);
  connect(a.y, gain.u);
  connect(a.y, product.u1);
  connect(b.y, product.u2);
  connect(a.y, limiter.u);
  connect(a.y, dead_zone.u);
  annotation(experiment(StopTime = 10),
    __Alembert(plot = {a.y, limiter.y, dead_zone.y, product.y}));
end Arithmetic;
