// SPDX-License-Identifier: Apache-2.0
// The message of an assertion tells what was before the event, as the condition saw it.
// error before: 3, now: 4
model AssertionBeforeTheEvent
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 0.1) then
    n = pre(n) + 1;
    assert(pre(n) < 3, "before: " + String(pre(n)) + ", now: " + String(n));
  end when;
end AssertionBeforeTheEvent;
