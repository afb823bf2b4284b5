// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
model Source "A reservoir whose pressure is a signal"
  Interfaces.Port port;
  Blocks.Interfaces.RealInput p;
equation
  port.p = p;
end Source;
