// SPDX-License-Identifier: Apache-2.0
// Impure functions run once at each event, also where nobody uses what they give.
// expect n = 3
// expect m = 7
// expect p = 5
model ImpureAtEvents
  impure function count "adds to a number that C keeps, and gives it"
    input Real added;
    output Real sum;
    external "C" sum = alembert_count(added) annotation(Include = "
static double alembert_sum = 0;
double alembert_count(double added) { return alembert_sum += added; }");
  end count;
  impure function bump
    input Real added;
  protected
    Real dummy;
  algorithm
    dummy := count(added);
  end bump;
  function same
    input Real u;
    output Real y;
  algorithm
    y := u;
  end same;
  Real n(start = 0, fixed = true), m(start = 0, fixed = true);
  Real p = pure(same(5));
equation
  when {time > 0.1, time > 0.2, time > 0.3} then
    bump(1);
  end when;
  when time > 0.5 then
    n = count(0);
  end when;
algorithm
  when time > 0.6 then
    bump(4);
  end when;
  when time > 0.8 then
    m := count(0);
  end when;
end ImpureAtEvents;
