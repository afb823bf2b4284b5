// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model Gates "What is true of a sine and a cosine"
  TimeFunction sine(y = sin(time));
  TimeFunction cosine(y = cos(time));
  Constant low(k = -1);
  Logic.Threshold is_high(threshold = 0.5);
  Logic.Threshold is_positive;
  Logic.And both;
  Logic.Or either;
  Logic.Not opposite;
  Logic.Switch chosen;
  Logic.ToReal number(value_true = 5, value_false = -5);
equation
  connect(sine.y, is_high.u);
  connect(cosine.y, is_positive.u);
  connect(is_high.y, both.u1);
  connect(is_positive.y, both.u2);
  connect(is_high.y, either.u1);
  connect(is_positive.y, either.u2);
  connect(is_high.y, opposite.u);
  connect(is_high.y, chosen.u);
  connect(sine.y, chosen.u_true);
  connect(low.y, chosen.u_false);
  connect(is_positive.y, number.u);
  annotation(experiment(StopTime = 10),
    __Alembert(plot = {sine.y, chosen.y, number.y}));
end Gates;
