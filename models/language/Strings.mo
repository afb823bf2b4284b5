// SPDX-License-Identifier: Apache-2.0
// Text operations and formats.
// expect ok = 1
// expect n = 3
model Strings
  parameter String s = "ab" + "c\n\"q\"";
  parameter String names[3] = {"x", "yy", "zzz"};
  function longest
    input String n[:];
    output Integer k = 0;
    output String best = "";
  algorithm
    for x in n loop
      if x > best then
        best := x;
        k := k + 1;
      end if;
    end for;
  end longest;
  parameter Integer n = longest(names);
  parameter Boolean ok = String(12) == "12" and String(1.5) == "1.5" and String(true) == "true" and s == "abc\n\"q\"" and String(3.14159, format = ".2f") == "3.14" and String(7, minimumLength = 3, leftJustified = false) == "  7" and String(2.0 / 3, significantDigits = 3) == "0.667" and "a" < "b" and "a" <= "ab" and names[end] == "zzz" and String(1e+10) == "1e+10" and String(5, 4) == "5   " and String(1e-05) == "1e-05";
end Strings;
