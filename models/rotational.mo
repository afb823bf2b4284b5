// SPDX-License-Identifier: Apache-2.0
package Rotational "Shafts in one line"
  connector Flange
    Real phi(unit = "rad");
    flow Real tau(unit = "N.m");
  end Flange;

  model Inertia
    Flange a, b;
    parameter Real J(unit = "kg.m2", min = 0) = 1;
    Real phi(stateSelect = StateSelect.prefer);
    Real w(stateSelect = StateSelect.prefer);
  equation
    a.phi = phi;
    b.phi = phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model SpringDamper
    Flange a, b;
    parameter Real c = 100;
    parameter Real d = 1;
    Real phi_rel;
  equation
    phi_rel = b.phi - a.phi;
    b.tau = c*phi_rel + d*der(phi_rel);
    a.tau + b.tau = 0;
  end SpringDamper;

  model Gear
    Flange a, b;
    parameter Real ratio = 2;
  equation
    a.phi = ratio*b.phi;
    ratio*a.tau + b.tau = 0;
  end Gear;

  model Torque
    Flange b;
    input Real tau;
  equation
    b.tau = -tau;
  end Torque;

  model Drive "A motor that drives a load through a gear and an elastic shaft"
    Torque motor(tau = 10*sin(5*time));
    Inertia rotor(J = 0.1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Gear gear(ratio = 5);
    Inertia wheel(J = 0.5);
    SpringDamper shaft(c = 500, d = 2);
    Inertia load(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  equation
    connect(motor.b, rotor.a);
    connect(rotor.b, gear.a);
    connect(gear.b, wheel.a);
    connect(wheel.b, shaft.a);
    connect(shaft.b, load.a);
    annotation(experiment(StopTime = 5));
  end Drive;
end Rotational;
