// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block TimeFunction "Any function of time: TimeFunction f(y = sin(time)^2)"
  extends Interfaces.Signal;
end TimeFunction;
