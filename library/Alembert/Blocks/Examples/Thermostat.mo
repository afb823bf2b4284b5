// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks.Examples;
model Thermostat "A heater that is switched between two temperatures"
  FirstOrder room(T = 100, k = 1, y_start = 15);
  Logic.Hysteresis cold(low = -21, high = -19);
  Gain negative(k = -1);
  Logic.ToReal heater(value_true = 40, value_false = 5);
equation
  connect(room.y, negative.u);
  connect(negative.y, cold.u);
  connect(cold.y, heater.u);
  connect(heater.y, room.u);
  annotation(experiment(StopTime = 600),
    __Alembert(plot = {room.y, heater.y}));
end Thermostat;
