// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
package Interfaces "Frames"
  import Alembert.Units.*;
  connector Frame "A place on a body, and how the body is turned"
    Length x, y;
    Angle phi;
    flow Force fx, fy "on the component, along the axes of the world";
    flow Torque tau;
  end Frame;

  partial model TwoFrames
    Frame frame_a;
    Frame frame_b;
  end TwoFrames;

  partial model Joint "Frames that share forces"
    extends TwoFrames;
  equation
    frame_a.fx + frame_b.fx = 0;
    frame_a.fy + frame_b.fy = 0;
  end Joint;
end Interfaces;
