// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
package Logic "True and false"
  block Threshold "Is u above a value?"
    parameter Real threshold = 0 "true above this";
    Interfaces.RealInput u;
    Interfaces.BooleanOutput y;
  equation
    y = u > threshold;
  end Threshold;

  block Hysteresis "True above 'high', false below 'low', as before in between"
    parameter Real low = 0 "false below this";
    parameter Real high = 1 "true above this";
    parameter Boolean y_start = false "output at the start";
    Interfaces.RealInput u;
    Interfaces.BooleanOutput y;
  initial equation
    pre(y) = y_start;
  equation
    assert(high > low, "'high' must be above 'low'");
    y = not pre(y) and u > high or pre(y) and u >= low;
  end Hysteresis;

  block And "Both"
    Interfaces.BooleanInput u1;
    Interfaces.BooleanInput u2;
    Interfaces.BooleanOutput y;
  equation
    y = u1 and u2;
  end And;

  block Or "One of both, or both"
    Interfaces.BooleanInput u1;
    Interfaces.BooleanInput u2;
    Interfaces.BooleanOutput y;
  equation
    y = u1 or u2;
  end Or;

  block Not "The opposite"
    Interfaces.BooleanInput u;
    Interfaces.BooleanOutput y;
  equation
    y = not u;
  end Not;

  block Switch "One of two signals"
    Interfaces.BooleanInput u;
    Interfaces.RealInput u_true;
    Interfaces.RealInput u_false;
    Interfaces.RealOutput y;
  equation
    y = if u then u_true else u_false;
  end Switch;

  block ToReal "A number for each truth value"
    parameter Real value_true = 1 "output for true";
    parameter Real value_false = 0 "output for false";
    Interfaces.BooleanInput u;
    Interfaces.RealOutput y;
  equation
    y = if u then value_true else value_false;
  end ToReal;
end Logic;
