// SPDX-License-Identifier: Apache-2.0
// State machines are refused.
// error state machines
// error StateMachine.mo:15:
model StateMachine
  block A
    outer output Integer i;
  equation
    i = previous(i) + 1;
  end A;
  inner Integer i(start = 0);
  A a;
  A b;
equation
  initialState(a);
  transition(a, b, i > 10);
end StateMachine;
