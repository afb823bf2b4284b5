// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
package Interfaces "Flanges"
  import Alembert.Units.*;
  connector Flange "Where a force acts"
    Velocity v;
    flow Force f "force on the component";
  end Flange;

  partial model TwoFlanges "Two flanges with equal and opposite forces: no mass in between"
    Flange flange_a;
    Flange flange_b;
    Force f "with which it is pressed";
  equation
    flange_a.f = f;
    flange_b.f = -f;
  end TwoFlanges;
end Interfaces;
