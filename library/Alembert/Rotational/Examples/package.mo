// SPDX-License-Identifier: Apache-2.0
within Alembert.Rotational;
package Examples "Models to run"
end Examples;
