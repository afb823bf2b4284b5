// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
package Interfaces "Connectors of signals"
  connector RealInput = input Real;
  connector RealOutput = output Real;
  connector BooleanInput = input Boolean;
  connector BooleanOutput = output Boolean;
end Interfaces;
