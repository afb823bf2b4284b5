// SPDX-License-Identifier: Apache-2.0
// homotopy, semiLinear, smooth, delay, getInstanceName, cardinality.
// expect x = 2
// expect s = 6
// expect sm = 0.5
// expect nm = 1
// expect d = 0.5
// expect c = 0
model OperatorsOfTheLanguage
  Real x(start = 1);
  Real s = semiLinear(2, 3, 5);
  Real sm = smooth(1, if time < 0.5 then 0 else time - 0.5);
  String name = getInstanceName();
  Boolean nm = getInstanceName() == "OperatorsOfTheLanguage";
  Real d = delay(time, 0.5);
  connector C
    Real v;
    flow Real i;
  end C;
  C cc;
  Integer c = cardinality(cc);
equation
  homotopy(x^2, 2 * x) = 4;
  cc.v = 1;
end OperatorsOfTheLanguage;
