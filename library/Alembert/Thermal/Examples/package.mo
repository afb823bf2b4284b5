// SPDX-License-Identifier: Apache-2.0
within Alembert.Thermal;
package Examples "Models to run"
end Examples;
