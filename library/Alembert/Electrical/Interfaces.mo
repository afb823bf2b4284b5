// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
package Interfaces "Pins"
  import Alembert.Units.*;
  connector Pin
    Voltage v "against ground";
    flow Current i "into the component";
  end Pin;

  partial model OnePort "Two pins, one current"
    Pin p;
    Pin n;
    Voltage v "from p to n";
    Current i "from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;
end Interfaces;
