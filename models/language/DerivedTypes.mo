// SPDX-License-Identifier: Apache-2.0
// Types with attributes and dimensions.
// expect v.y = 3
// expect w[2] = 5
// expect vol = 1
// expect e2 = 2
model DerivedTypes
  type Volt = Real(unit = "V", min = -100, max = 100, start = 3, nominal = 10);
  type V3 = Volt[3];
  type Pair = Real[2](each unit = "m");
  connector VPin = Volt;
  record Rec
    Volt y = 3;
    Pair p = {1, 2};
  end Rec;
  Rec v;
  V3 w = {4, 5, 6};
  type Vol = Real(final quantity = "Volume", final unit = "m3");
  parameter Vol vol = 1;
  type E = enumeration(a, b);
  type E2 = E(start = E.b);
  parameter E2 e = E.b;
  Integer e2 = Integer(e);
  Volt x(fixed = true);
equation
  der(x) = 0;
end DerivedTypes;
