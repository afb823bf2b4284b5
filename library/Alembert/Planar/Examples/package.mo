// SPDX-License-Identifier: Apache-2.0
within Alembert.Planar;
package Examples "Models to run"
end Examples;
