// SPDX-License-Identifier: Apache-2.0
model RobotArm
  "Two links and a flexible joint: which torques move the tip along a given path? (Campbell and Griepentrog 1995)"
  Real x1(start = 0), x2(start = 0.5), x3(start = 1);
  Real u1, u2 "torques";
protected
  Real a = 2/(2 - cos(x3)^2);
  Real b = cos(x3)/(2 - cos(x3)^2);
  Real c = sin(x3)/(2 - cos(x3)^2);
  Real d = sin(x3)*cos(x3)/(2 - cos(x3)^2);
equation
  der(der(x1)) = 2*c*(der(x1) + der(x3))^2 + der(x1)^2*d + (2*x3 - x2)*(a + 2*b) + a*(u1 - u2);
  der(der(x2)) = -2*c*(der(x1) + der(x3))^2 - der(x1)^2*d + (2*x3 - x2)*(1 - 3*a - 2*b) - a*u1 + (a + 1)*u2;
  der(der(x3)) = -2*c*(der(x1) + der(x3))^2 - der(x1)^2*d + (2*x3 - x2)*(a - 9*b) - 2*der(x1)^2*c
    - d*(der(x1) + der(x3))^2 - (a + b)*(u1 - u2);
  cos(x1) + cos(x1 + x3) = cos(exp(time) - 1) + cos(time - 1);
  sin(x1) + sin(x1 + x3) = sin(1 - exp(time)) + sin(1 - time);
  annotation(experiment(StopTime = 0.9));
end RobotArm;
