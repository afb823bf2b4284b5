// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Rotational "Rotation about an axis; flanges share angular velocity and torque"
end Rotational;
