// SPDX-License-Identifier: Apache-2.0
within Alembert.Hydraulic;
package Examples "Models to run"
end Examples;
