// SPDX-License-Identifier: Apache-2.0
// An impure function belongs into when or the start.
// error 'next' is impure
// error ImpureAllTheTime.mo:12:
model ImpureAllTheTime
  impure function next
    input Real u;
    output Real y;
  algorithm
    y := u;
  end next;
  Real x = next(time);
end ImpureAllTheTime;
