// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
block LowPass "Butterworth filter of order n: 1 in the passband, 1/sqrt(2) at 'frequency'"
  import Alembert.Units.*;
  parameter Integer n(min = 1) = 2 "order";
  parameter Frequency frequency = 1 "edge of the passband";
  Interfaces.RealInput u;
  Interfaces.RealOutput y;
protected
  constant Real pi = 3.14159265358979323846;
  final parameter AngularVelocity w = 2*pi*frequency;
  final parameter Integer n_pairs = div(n, 2);
  final parameter Boolean has_real_pole = mod(n, 2) == 1;
  Real x[n_pairs](each start = 0, each fixed = true);
  Real v[n_pairs](each start = 0, each fixed = true);
  Real s[n_pairs + 1] "between the stages";
  Real x0[if has_real_pole then 1 else 0](each start = 0, each fixed = true);
equation
  assert(n >= 1, "a filter has an order of at least 1");
  assert(frequency > 0, "the frequency must be positive");
  s[1] = u;
  for i in 1:n_pairs loop
    der(x[i]) = v[i];
    der(v[i]) = w*(w*(s[i] - x[i]) - 2*sin((2*i - 1)*pi/(2*n))*v[i]);
    s[i + 1] = x[i];
  end for;
  if has_real_pole then
    der(x0[1]) = w*(s[n_pairs + 1] - x0[1]);
    y = x0[1];
  else
    y = s[n_pairs + 1];
  end if;
end LowPass;
