// SPDX-License-Identifier: Apache-2.0
package Scalable "Models whose size is a parameter"
  model CascadedFirstOrder "A chain of n lags"
    parameter Integer n = 10;
    parameter Real tau = 0.1;
    Real x[n](each start = 0, each fixed = true);
  equation
    tau*der(x[1]) = 1 - x[1];
    for i in 2:n loop
      tau*der(x[i]) = x[i - 1] - x[i];
    end for;
    annotation(experiment(StopTime = 2, Tolerance = 1e-6));
  end CascadedFirstOrder;

  connector Flange
    Real s(unit = "m");
    flow Real f(unit = "N");
  end Flange;

  model Mass
    Flange a, b;
    parameter Real m(unit = "kg") = 1;
    Real s(unit = "m", start = 0, fixed = true);
    Real v(unit = "m/s", start = 0, fixed = true);
  equation
    a.s = s;
    b.s = s;
    v = der(s);
    m*der(v) = a.f + b.f;
  end Mass;

  model Spring
    Flange a, b;
    parameter Real c(unit = "N/m") = 1;
    parameter Real d(unit = "N.s/m") = 0;
    Real e(unit = "m"), f(unit = "N");
  equation
    e = b.s - a.s;
    f = c*e + d*der(e);
    b.f = f;
    a.f = -f;
  end Spring;

  model Wall
    Flange b;
  equation
    b.s = 0;
  end Wall;

  model Push
    Flange b;
  equation
    b.f = -(if time < 0.1 then 1 else 0);
  end Push;

  model VibratingString "n masses between springs, by components and connections"
    parameter Integer n = 10;
    Mass mass[n];
    Spring spring[n](each c = 100, each d = 0.01);
    Wall wall;
    Push push;
  equation
    connect(wall.b, spring[1].a);
    for i in 1:n loop
      connect(spring[i].b, mass[i].a);
    end for;
    for i in 2:n loop
      connect(mass[i - 1].b, spring[i].a);
    end for;
    connect(mass[n].b, push.b);
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end VibratingString;

  model HeatGrid "A square plate of n by n cells, warm on one side"
    parameter Integer n = 4;
    parameter Real k = 10;
    Real T[n, n](each start = 0, each fixed = true);
    Real q[n + 1, n] "between rows", p[n, n + 1] "between columns";
  equation
    for j in 1:n loop
      q[1, j] = 2*k*(1 - T[1, j]);
      q[n + 1, j] = 0;
      p[j, 1] = 0;
      p[j, n + 1] = 0;
      for i in 2:n loop
        q[i, j] = k*(T[i - 1, j] - T[i, j]);
        p[j, i] = k*(T[j, i - 1] - T[j, i]);
      end for;
      for i in 1:n loop
        der(T[i, j]) = q[i, j] - q[i + 1, j] + p[i, j] - p[i, j + 1];
      end for;
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end HeatGrid;

  connector Pin
    Real v;
    flow Real i;
  end Pin;

  model Line
    Pin a, b;
    parameter Real R = 0.01;
  equation
    a.v - b.v = R*a.i;
    a.i + b.i = 0;
  end Line;

  model Load
    Pin a;
    parameter Real R = 1;
    parameter Real C = 1;
    Real v(start = 0, fixed = true);
  equation
    a.v = v;
    C*der(v) = a.i - v/R;
  end Load;

  model Source
    Pin a;
  equation
    a.v = 1 - exp(-10*time);
  end Source;

  model DistributionNetwork "n feeders of n loads each behind lines, one source"
    parameter Integer n = 3;
    Source source;
    Line line[n, n];
    Load load[n, n];
  equation
    for i in 1:n loop
      connect(source.a, line[i, 1].a);
      for j in 1:n loop
        connect(line[i, j].b, load[i, j].a);
      end for;
      for j in 2:n loop
        connect(line[i, j - 1].b, line[i, j].a);
      end for;
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end DistributionNetwork;

  model Joint
    Pin a;
  equation
    a.i = 0;
  end Joint;

  model ResistorGrid "n by n nodes between a source and a load: one linear block"
    parameter Integer n = 20;
    Source source;
    Load load;
    Joint node[n, n];
    Line along[n, n - 1](R = {{1 + 0.1*i for j in 1:n - 1} for i in 1:n});
    Line down[n - 1, n](R = {{1 + 0.1*j for j in 1:n} for i in 1:n - 1});
  equation
    connect(source.a, node[1, 1].a);
    connect(load.a, node[n, n].a);
    for i in 1:n loop
      for j in 1:n - 1 loop
        connect(node[i, j].a, along[i, j].a);
        connect(along[i, j].b, node[i, j + 1].a);
        connect(node[j, i].a, down[j, i].a);
        connect(down[j, i].b, node[j + 1, i].a);
      end for;
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end ResistorGrid;

  model HeatConduction "A rod of n slices between two walls whose temperatures are given"
    parameter Integer n = 10;
    parameter Real length = 1, diffusivity = 0.1;
    final parameter Real h = length/n;
    Real T[n](each start = 300, each fixed = true);
    Real left = 300 + 50*sin(time), right = 300;
    Real q[n + 1] "between slices, divided by heat capacity";
  equation
    q[1] = 2*diffusivity*(left - T[1])/h;
    for i in 2:n loop
      q[i] = diffusivity*(T[i - 1] - T[i])/h;
    end for;
    q[n + 1] = 2*diffusivity*(T[n] - right)/h;
    for i in 1:n loop
      h*der(T[i]) = q[i] - q[i + 1];
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end HeatConduction;

  model HeatExchanger "Two streams in n cells of a tube that run against each other"
    parameter Integer n = 10;
    parameter Real m = 0.1, M = 1/n "of a stream a second, and of a cell", k = 0.2/n;
    Real hot[n](each start = 300, each fixed = true), cold[n](each start = 300, each fixed = true);
    Real wall[n](each start = 300, each fixed = true);
    Real entry = 300 + 30*(1 - exp(-time));
  equation
    for i in 1:n loop
      M*der(hot[i]) = m*((if i == 1 then entry else hot[i - 1]) - hot[i]) + k*(wall[i] - hot[i]);
      M*der(cold[i]) = m*((if i == n then 300 else cold[i + 1]) - cold[i]) + k*(wall[i] - cold[i]);
      0.5*M*der(wall[i]) = k*(hot[i] - 2*wall[i] + cold[i]);
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end HeatExchanger;

  model Section "Of a transmission line"
    Pin a, b;
    parameter Real L, C, R;
    Real i(start = 0, fixed = true), v(start = 0, fixed = true);
  equation
    a.i = i;
    L*der(i) = a.v - v - R*i;
    b.v = v;
    C*der(v) = i + b.i;
  end Section;

  model Termination
    Pin a;
    parameter Real R = 1;
  equation
    a.v = R*a.i;
  end Termination;

  model TransmissionLine "n sections between a source and a load that fits"
    parameter Integer n = 10;
    Source source;
    Section section[n](each L = 1/n, each C = 1/n, each R = 0.01/n);
    Termination load;
  equation
    connect(source.a, section[1].a);
    for i in 2:n loop
      connect(section[i - 1].b, section[i].a);
    end for;
    connect(section[n].b, load.a);
    annotation(experiment(StopTime = 0.01, Tolerance = 1e-6));
  end TransmissionLine;

  model Advection "A front that is carried along n cells"
    parameter Integer n = 10;
    parameter Real u = 1;
    Real c[n](each start = 0, each fixed = true);
    Real flux[n + 1];
  equation
    flux[1] = u*(1 - exp(-20*time));
    for i in 1:n loop
      flux[i + 1] = u*c[i];
      der(c[i]) = n*(flux[i] - flux[i + 1]);
    end for;
    annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
  end Advection;

  model Pendulums "n pendulums, each by Cartesian coordinates, coupled to the next by a spring"
    parameter Integer n = 10;
    Real x[n](start = {0.1*sin(i) for i in 1:n}), y[n](each start = -1);
    Real f[n] "forces of the rods", s[n + 1] "of the springs";
  equation
    s[1] = 0;
    s[n + 1] = 0;
    for i in 2:n loop
      s[i] = 0.5*(x[i] - x[i - 1]);
    end for;
    for i in 1:n loop
      x[i]^2 + y[i]^2 = 1;
      der(der(x[i])) = f[i]*x[i] + s[i + 1] - s[i];
      der(der(y[i])) = f[i]*y[i] - 9.81;
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end Pendulums;

  model Breakers "n storages that are switched off one after the other, and on again when low"
    parameter Integer n = 10;
    Real x[n](each start = 1, each fixed = true);
    Boolean on[n](each start = false, each fixed = true);
  equation
    for i in 1:n loop
      der(x[i]) = if on[i] then 2 - x[i] else -x[i];
      on[i] = x[i] < 0.4 + 0.1*i/n or pre(on[i]) and x[i] < 0.9;
    end for;
    annotation(experiment(StopTime = 1, Tolerance = 1e-6));
  end Breakers;
end Scalable;
