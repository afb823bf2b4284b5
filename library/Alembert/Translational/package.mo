// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Translational "Motion along a line; flanges share velocity and force"
end Translational;
