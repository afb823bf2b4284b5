// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
model Body "A mass whose centre is at the frame"
  import Alembert.Units.*;
  parameter Mass m = 1 "mass";
  parameter Inertia I = 0 "about the centre";
  Interfaces.Frame frame;
  Velocity vx, vy;
  AngularVelocity w;
  Energy E "of motion and height";
protected
  outer World world;
equation
  assert(m > 0 and I >= 0, "a mass must be positive, a moment of inertia not negative");
  vx = der(frame.x);
  vy = der(frame.y);
  w = der(frame.phi);
  m*(der(vx) - world.g[1]) = frame.fx;
  m*(der(vy) - world.g[2]) = frame.fy;
  I*der(w) = frame.tau;
  E = m*(vx^2 + vy^2)/2 + I*w^2/2 - m*(world.g[1]*frame.x + world.g[2]*frame.y);
  annotation(__Alembert(scene = {Sphere(at = {frame.x, frame.y})}));
end Body;
