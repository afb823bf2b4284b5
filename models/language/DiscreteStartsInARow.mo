// SPDX-License-Identifier: Apache-2.0
// Initial equations go from one discrete variable to the next; no guess between them may matter.
// expect value = -0.693147180559945
// expect x = -0.346573590279973
// stop 0.5
model DiscreteStartsInARow
  Integer state;
  discrete Real raw;
  discrete Real value;
  Real x(start = 0, fixed = true);
initial equation
  pre(state) = 3;
  raw = pre(state)/6;
  value = log(raw);
equation
  when sample(1, 1) then
    state = pre(state) + 1;
    raw = pre(state)/6;
    value = log(raw);
  end when;
  der(x) = value;
end DiscreteStartsInARow;
