// SPDX-License-Identifier: Apache-2.0
// Subscripts of the run inside of functions are watched too, where a branch is taken.
// error in 'pick': subscript 3 of 'x' is out of range: dimension 1 has size 2
// error SubscriptsInFunctions.mo:14:
model SubscriptsInFunctions
  function pick
    input Real x[:];
    input Integer i;
    output Real y;
  algorithm
    if i < 0 then
      y := x[-i];
    else
      y := x[i];
    end if;
  end pick;
  Integer i = if time > 0.7 then 3 elseif time > 0.4 then -2 else 1;
  Real y = pick({time, 2}, i);
end SubscriptsInFunctions;
