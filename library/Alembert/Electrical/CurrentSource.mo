// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model CurrentSource "A current that is a signal, from p through the source to n"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput u;
equation
  i = u;
end CurrentSource;
