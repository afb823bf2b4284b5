// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
package Examples "Models to run"
end Examples;
