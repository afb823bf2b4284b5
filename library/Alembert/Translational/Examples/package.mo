// SPDX-License-Identifier: Apache-2.0
within Alembert.Translational;
package Examples "Models to run"
end Examples;
