// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Electrical "Circuits: pins share voltage and current"
end Electrical;
