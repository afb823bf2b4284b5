// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block StateSpace "der(x) = A x + B u, y = C x + D u"
  parameter Real A[:, size(A, 1)] = [0] "of the state on its change";
  parameter Real B[size(A, 1), :] = fill(1, size(A, 1), 1) "of the input on the state";
  parameter Real C[:, size(A, 1)] = fill(1, 1, size(A, 1)) "of the state on the output";
  parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "of the input on the output";
  parameter Real x_start[size(A, 1)] = zeros(size(A, 1)) "state at the start";
  Interfaces.RealInput u[size(B, 2)];
  Interfaces.RealOutput y[size(C, 1)];
  Real x[size(A, 1)](start = x_start, each fixed = true);
equation
  der(x) = A*x + B*u;
  y = C*x + D*u;
end StateSpace;
