// SPDX-License-Identifier: Apache-2.0
within Alembert.Electrical;
package Examples "Models to run"
end Examples;
