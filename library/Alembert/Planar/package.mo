// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Planar "Mechanisms in a plane, with pictures; frames share place, angle and cut forces"
end Planar;
