// SPDX-License-Identifier: Apache-2.0
within Alembert;
package Blocks "Signals: sources, gains, filters, controllers, logic"
end Blocks;
