// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
model DCMachine "Permanent magnets: torque is k times the current, voltage k times the speed"
  import Alembert.Units.*;
  extends Interfaces.OnePort(i(start = i_start, fixed = true));
  parameter Resistance R = 1 "resistance of the windings";
  parameter Inductance L = 1e-3 "inductance of the windings";
  parameter Real k(unit = "N.m/A") = 0.05 "torque for each ampere, and voltage for each rad/s";
  parameter Inertia J = 1e-4 "of the rotor";
  parameter RotationalDamping d = 0 "of the bearings";
  parameter Current i_start = 0 "current at the start";
  parameter AngularVelocity w_start = 0 "angular velocity at the start";
  Rotational.Interfaces.Flange flange;
  AngularVelocity w(start = w_start, fixed = true);
  Torque tau "on the rotor, by the current";
equation
  assert(R >= 0 and L > 0 and J > 0 and d >= 0, "L and J of a machine must be positive, R and d not negative");
  v = R*i + L*der(i) + k*w;
  tau = k*i;
  flange.w = w;
  J*der(w) = tau - d*w + flange.tau;
  annotation(__Alembert(starts_yield = true));
end DCMachine;
