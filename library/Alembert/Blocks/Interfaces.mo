// SPDX-License-Identifier: Apache-2.0
within Alembert.Blocks;
package Interfaces "Connectors of signals"
  connector RealInput = input Real;
  connector RealOutput = output Real;
  connector BooleanInput = input Boolean;
  connector BooleanOutput = output Boolean;

  partial block Signal "A source of one signal"
    RealOutput y;
  end Signal;
end Interfaces;
