// SPDX-License-Identifier: Apache-2.0
package Alembert "Components of the house: hydraulic, mechanical, electrical, thermal, signals"
  annotation(version = "0.1.0");
end Alembert;
