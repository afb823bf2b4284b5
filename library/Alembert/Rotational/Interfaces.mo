// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
package Interfaces "Flanges"
  import Alembert.Units.*;
  connector Flange "Where a torque acts"
    AngularVelocity w;
    flow Torque tau "torque on the component";
  end Flange;

  partial model TwoFlanges "Two flanges with equal and opposite torques: no inertia in between"
    Flange flange_a;
    Flange flange_b;
    Torque tau "from a to b";
  equation
    flange_a.tau = tau;
    flange_b.tau = -tau;
  end TwoFlanges;
end Interfaces;
