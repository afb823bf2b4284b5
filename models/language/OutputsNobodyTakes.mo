// SPDX-License-Identifier: Apache-2.0
// An output that a call leaves without a value, and a variable that is made of one without a value,
// matter to nobody who does not read them.
// expect first = 6
// expect second = 8
model OutputsNobodyTakes
  function split
    input Real u;
    output Real a;
    output Real b;
    output Integer info;
  protected
    Real unset;
    Real made_of_it = 2*unset;
  algorithm
    a := 2*u;
    b := a + 2;
    if u < 0 then
      info := 1;
      unset := made_of_it;
    end if;
  end split;
  function use
    input Real u;
    output Real both[2];
  algorithm
    (both[1], both[2]) := split(u);
  end use;
  Real first;
  Real second;
  parameter Real both[2] = use(3);
equation
  (first, second) = split(3);
  assert(both[2] == 8, "the same in a function");
end OutputsNobodyTakes;
