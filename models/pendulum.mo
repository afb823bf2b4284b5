model Pendulum "A point mass on a rod, in Cartesian coordinates"
  parameter Real g = 9.81 "gravity";
  Real x(start = 1, fixed = true);
  Real y(start = 0);
  Real lambda "force in the rod, per length";
equation
  der(der(x)) = lambda*x;
  der(der(y)) = lambda*y - g;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Pendulum;
