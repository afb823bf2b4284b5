// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Thermal "Heat: ports share temperature and heat flow"
end Thermal;
